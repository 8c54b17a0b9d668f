"""Structured content of a size that hosts take. Decisions and tasks are never what is cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from smriti_tui.domain.render.printed import json_text
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS, counted
from smriti_tui.domain.tokens import text_tokens

KEPT = frozenset({"decisions", "tasks", "open_tasks", "free_tasks", "slots", "conflicts", "open"})
"""Below these keys no row is left out."""
WHOLE = KEPT - {"slots"}
"""Below these no text is clipped either."""
REPEATED = frozenset({"divergence", "overlaps", "a", "b", "theirs"})
"""Below these keys stands what stands elsewhere too: decisions of the head, claims, and the sides
of a comparison or a merge."""
CLIPPED = (ARTIFACT_CHARACTERS, ARTIFACT_CHARACTERS // 10)
"""Characters that stay of a long text; the lower number where the higher one does not suffice."""
_HEADING = "\n## "
MOST_LINES = (60, 20, 5)
"""Lines that stay below a heading of a text; the lower number where the higher does not suffice."""
FEWEST = 3
"""So many rows of a list always stay."""


def fitted(document: Mapping[str, object], most: int | None) -> tuple[dict[str, Any], str]:
    """The document within `most` tokens, if what may be cut suffices (None: as it is), and a
    sentence on what it leaves out ("" for nothing)."""
    if most is None or _tokens(document) <= most:
        return dict(document), ""
    told: list[str] = []
    cut: dict[str, Any] = dict(document)
    for characters in CLIPPED:
        clipping = _Clipping(characters)
        cut = clipping.clipped(dict(document))
        told = [clipping.told] if clipping.texts else []
        told += _shortened(cut, most)
        if _tokens(cut) <= most:
            break
    return cut, f"Left out of the structured content: {'; '.join(told)}." if told else ""


def cut_text(text: str, most: int) -> tuple[str, str]:
    """At most about so many tokens of a text from its beginning, and a sentence on what it leaves
    out ("" for nothing)."""
    tokens = text_tokens(text)
    if tokens <= most:
        return text, ""
    kept = text[: len(text) * most // tokens]
    left = len(text) - len(kept)
    return f"{kept}\n[cut here]", f"Left out of the text: its last {left:,} characters."


def fewer_lines(text: str, most: int, kept: str) -> tuple[str, str]:
    """A Markdown text within `most` tokens, if fewer lines below its headings suffice, and a
    sentence on what it leaves out ("" for nothing). Below the heading `kept` all stay."""
    if text_tokens(text) <= most:
        return text, ""
    parts = text.split(_HEADING)
    cut, told = parts, list[str]()
    for lines in MOST_LINES:
        cut, told = [parts[0]], []
        for part in parts[1:]:
            heading, *rest = part.rstrip("\n").split("\n")
            gone = 0 if heading == kept else max(0, len(rest) - lines)
            told += [f"{gone} lines under {heading}"] if gone else []
            cut.append("\n".join([heading, *rest[: len(rest) - gone], ""]))
        if text_tokens(_HEADING.join(cut)) <= most:
            break
    return _HEADING.join(cut).rstrip("\n"), f"Left out of the text: {'; '.join(told)}."


def _tokens(value: object) -> int:
    return text_tokens(json_text(value))


@dataclass
class _Clipping:
    """Copies a document with its texts clipped to so many characters, and counts."""

    most: int
    texts: int = 0
    characters: int = 0

    @property
    def told(self) -> str:
        return f"{self.characters:,} characters of {counted(self.texts, 'long text')}"

    def clipped(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: each if key in WHOLE else self.clipped(each) for key, each in value.items()
            }
        if isinstance(value, list):
            return [self.clipped(each) for each in value]
        if isinstance(value, str) and len(value) > self.most:
            self.texts += 1
            self.characters += len(value) - self.most
            return f"{value[: self.most]}\n[cut here: {self.most:,} of {len(value):,} characters]"
        return value


def _shortened(document: dict[str, Any], most: int) -> list[str]:
    """Takes rows from the ends of the largest lists until it fits, if that suffices."""
    whole: dict[int, tuple[str, list[Any], int]] = {}
    while (excess := _tokens(document) - most) > 0:
        long = [found for found in _lists(document) if len(found[1]) > FEWEST]
        if not long:
            break
        name, rows, _ = max(long, key=lambda found: (found[2], _tokens(found[1])))
        whole.setdefault(id(rows), (name, rows, len(rows)))
        while excess > 0 and len(rows) > FEWEST:
            excess -= _tokens(rows.pop())
    left: dict[str, list[int]] = {}
    for name, rows, count in whole.values():
        told = left.setdefault(name, [0, 0])
        told[0] += count - len(rows)
        told[1] += count
    return [f"{gone} of {count} under {name}" for name, (gone, count) in left.items()]


def _lists(
    value: object, name: str = "", repeated: bool = False
) -> Iterator[tuple[str, list[Any], bool]]:
    """Lists that rows may be taken from, with their keys, and whether they stand twice: those go
    first, and there nothing is kept."""
    if isinstance(value, dict):
        for key, each in value.items():
            if repeated or key not in KEPT:
                yield from _lists(each, str(key), repeated or key in REPEATED)
    elif isinstance(value, list):
        yield name, value, repeated
        for each in value if repeated else ():
            yield from _lists(each, name, repeated)
