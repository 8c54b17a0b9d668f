"""What an action did, in words for a sentence: `mounted 4c1e9a0`, `renamed session "a" to "b"`.

The words tell the way from the values before to those after it, so that they serve an action, its
undo and its redo alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.render.ages import age

Values = Mapping[str, object]
NAME_SIGNS = 40
"""Characters of a name that are told."""


def named(name: object) -> str:
    """A name in quotes, cut where it is long."""
    text = clean_line(str(name))
    return f'"{text}"' if len(text) <= NAME_SIGNS else f'"{text[: NAME_SIGNS - 3]}..."'


def changed_words(what: str, name: str, before: Values, after: Values) -> str:
    """Of a Space, session or branch (`what`) that is called `name` now."""
    words: list[str] = []
    for field, value in after.items():
        owner = f"{what} {named(name)}" if not words else ""
        if field in ("title", "name"):
            words.append(f"renamed {what} {named(before[field])} to {named(value)}")
        else:
            words.append(_field_words(field, value, owner))
    return " and ".join(words)


def _field_words(field: str, value: object, owner: str) -> str:
    """`owner` is empty where it was named before."""
    match field:
        case "pinned":
            return f"{'pinned' if value else 'unpinned'} {owner or 'it'}"
        case "archived":
            return f"{'archived' if value else 'brought back'} {owner or 'it'}"
        case "disposition":
            return f"marked {owner or 'it'} as {value}"
        case "project_root" if not value:
            return f"took the folder from {owner or 'it'}"
    noun = "folder" if field == "project_root" else field
    return f"changed the {noun} of {owner}" if owner else f"changed its {noun}"


def stands_in_the_way(actor: str, door: str, did: str, recorded_at: str, now: str) -> str:
    """Whose write it is, what it did and when: one sentence."""
    who = clean_line(actor) if door == "tui" else f"{clean_line(actor)} ({door})"
    return f"{who} {did} {age(recorded_at, now)}."
