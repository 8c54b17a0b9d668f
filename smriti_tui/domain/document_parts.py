"""What can be taken from a document word for word, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.domain.model import TaskStatus


@dataclass(frozen=True)
class TakenItem:
    """A list item below a heading that names its kind. Lines count from 1."""

    kind: str
    """One of `KINDS`."""
    text: str
    """The words of its lines: marks of the list gone, lines of one paragraph joined by a blank."""
    quote: str
    """Its first paragraph, which stands in one piece."""
    first: int
    last: int
    status: TaskStatus = "open"


@dataclass(frozen=True)
class TakenBlock:
    """A code block. Its content is letter by letter that of the document, fences left out."""

    type: str
    label: str
    content: str
    first: int
    last: int


@dataclass(frozen=True)
class Parts:
    """All that was taken, in the document's order."""

    heading: str = ""
    """The first heading that names no field."""
    front: FrontMatter | None = None
    objective: str = ""
    summary: str = ""
    items: tuple[TakenItem, ...] = ()
    entities: tuple[str, ...] = ()
    blocks: tuple[TakenBlock, ...] = ()
    borders: tuple[int, ...] = ()
    """First lines of its sections."""


# ---- front matter ------------------------------------------------------------------------------

_MOST_FRONT = 200
_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$")
_INSIDE = re.compile(r"\s|#|-\s|$")


@dataclass(frozen=True)
class FrontMatter:
    """The `---` block at the beginning: `last` is its closing line."""

    last: int
    title: str = ""
    objective: str = ""
    summary: str = ""


def front_matter(lines: Sequence[str]) -> FrontMatter | None:
    """None unless the document begins with a closed block of `key: value` lines."""
    if not lines or lines[0].rstrip() != "---":
        return None
    values: dict[str, str] = {}
    for number, line in enumerate(lines[1:_MOST_FRONT], 2):
        if line.rstrip() in ("---", "..."):
            return _front(number, values) if values else None
        key = _KEY.match(line)
        if key is not None:
            values.setdefault(key[1].lower(), _plain(key[2] or ""))
        elif not _INSIDE.match(line):
            return None
    return None


def _front(last: int, values: dict[str, str]) -> FrontMatter:
    def first(*names: str) -> str:
        return next((values[name] for name in names if values.get(name)), "")

    return FrontMatter(
        last, first("title"), first("objective", "goal"), first("summary", "description")
    )


def _plain(value: str) -> str:
    """A value on one line; one that goes on below (`|`, `>`, lists) is none."""
    text = value.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].strip()
    return "" if text[:1] in ("|", ">", "[", "{", "&", "*") else text
