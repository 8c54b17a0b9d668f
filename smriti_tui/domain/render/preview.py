"""A checkpoint in a few lines: what it is and its items, for a small pane beside a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import Checkpoint, Item, Note, Task
from smriti_tui.domain.render.retired import retired_words
from smriti_tui.domain.render.short_times import short_age


def preview_head(checkpoint: Checkpoint, now: str) -> str:
    """Id, title, author and age; `now` is a time as events have it."""
    body = checkpoint.body
    age = short_age(body.created_at, now)
    ago = f"{age} ago" if age[-1] in "mhd" else age
    who = f"by {clean_line(body.author)}, {ago}"
    return f"{short(checkpoint.id)}  {clean_line(body.title)}  {who}"


def preview_text(checkpoint: Checkpoint, notes: Sequence[Note] = ()) -> str:
    """Notes and objective, then every item on a line with its evidence, retired ones with their
    sign and the reason."""
    body = checkpoint.body
    lines = [f"{note.kind}: {clean_line(note.text)}".rstrip(": ") for note in notes]
    lines += [clean_line(body.objective)] if body.objective.strip() else []
    for kind in KINDS:
        for number, item in enumerate(item_list(body, kind), 1):
            lines.append(" ".join(_parts(f"{LETTERS[kind]}{number}", item)))
    if body.artifacts:
        names = ", ".join(clean_line(artifact.label) for artifact in body.artifacts)
        lines.append(f"Artifacts: {names}")
    return "\n".join(lines)


def _parts(label: str, item: Item | Task) -> Iterator[str]:
    if item.state == "retired":
        yield "-"
    yield label
    yield clean_line(item.text)
    if isinstance(item, Task):
        if item.intent_hint:
            yield f"[{clean_line(item.intent_hint)}]"
        yield clean_line(item.status)
    if item.state == "retired":
        yield f"({retired_words(item)})"
    turns = [f"t{evidence.turn}" for evidence in item.evidence if evidence.turn is not None]
    if turns:
        checks = sorted({evidence.check.replace("_", " ") for evidence in item.evidence})
        yield f"  {', '.join(turns)} {', '.join(checks)}"
