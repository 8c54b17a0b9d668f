"""The piece of a text that shows why it was found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from smriti_tui.domain.search_query import Query, Term
from smriti_tui.domain.search_words import bare, fold

BEFORE: Final = 60
AFTER: Final = 240
_SCANNED: Final = 200_000
"""Characters of a text that are looked at; behind them its start is shown."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line in three pieces; the middle one is the hit, empty where none is to be marked."""

    before: str
    hit: str
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{self.hit}{self.after}"


def snippet(text: str, query: Query) -> Snippet:
    """The line of a text that holds most of what was typed, cut around the first term in it.

    White space is one space; no sign is parted from its marks. A caller cuts it further to the
    cells it has.
    """
    marks = [_Mark.of(term) for term in query.terms]
    _, line = _best_line(text[:_SCANNED], marks)
    for mark in marks:
        found = _find(line, mark)
        if found is not None:
            return _cut(line, *found)
    return _cut(line, 0, 0)


@dataclass(frozen=True, slots=True)
class _Mark:
    """How a term stands in a text: best as a word of its own, else at the start of one, else
    anywhere."""

    ways: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, term: Term) -> _Mark:
        plain = re.escape(term.mark)
        if not term.words:
            return cls((re.compile(plain),))
        begins = rf"(?<![^\W_]){plain}"
        return cls(tuple(map(re.compile, (rf"{begins}(?![^\W_])", begins, plain))))

    def place(self, flat: str) -> tuple[int, int, int] | None:
        """Where it stands, and how well: 3 for the best way."""
        for way, pattern in enumerate(self.ways):
            if (found := pattern.search(flat)) is not None:
                return found.start(), found.end(), 3 - way
        return None


def hit_line(text: str, query: Query) -> int:
    """The number of the line that a snippet shows, from 0."""
    return _best_line(text[:_SCANNED], [_Mark.of(term) for term in query.terms])[0]


def _best_line(text: str, marks: list[_Mark]) -> tuple[int, str]:
    best, most = (0, ""), -1
    for number, raw in enumerate(text.split("\n")):
        line = " ".join(raw.split())
        if not line:
            continue
        flat = bare(fold(line))
        held = sum(place[2] for mark in marks if (place := mark.place(flat)) is not None)
        if held > most:
            best, most = (number, line), held
        if most == 3 * len(marks):
            break
    return best


def _find(line: str, mark: _Mark) -> tuple[int, int] | None:
    """Where the mark stands in a line, in whole signs."""
    if line.isascii():
        place = mark.place(line.lower())
        return place and place[:2]
    flat: list[str] = []
    starts: list[int] = []
    for start, piece in _pieces(line):
        shown = bare(fold(piece))
        flat.append(shown)
        starts.extend([start] * len(shown))
    place = mark.place("".join(flat))
    if place is None:
        return None
    return starts[place[0]], _end_of_sign(line, starts[place[1] - 1])


def _pieces(line: str) -> Iterator[tuple[int, str]]:
    """The signs of a line with their marks, each with its place."""
    start = 0
    for at in range(1, len(line)):
        if not _continues(line, at):
            yield start, line[start:at]
            start = at
    yield start, line[start:]


def _continues(line: str, at: int) -> bool:
    """Whether the character at a place belongs to the sign before it."""
    sign, before = line[at], line[at - 1]
    if sign < "\u0300":
        return before == "\u200d" and sign > "\x7f"
    if unicodedata.category(sign)[0] == "M" or sign == "\u200d" or before == "\u200d":
        return True
    jamo = "\u1100" <= before <= "\u11ff" and "\u1160" <= sign <= "\u11ff"
    tone = "\U0001f3fb" <= sign <= "\U0001f3ff"
    return jamo or tone or sign == "\u0e33" or sign == "\u0eb3"


def _end_of_sign(line: str, start: int) -> int:
    end = start + 1
    while end < len(line) and _continues(line, end):
        end += 1
    return end


def _cut(line: str, start: int, end: int) -> Snippet:
    first = max(start - BEFORE, 0)
    while 0 < first < start and (_continues(line, first) or line[first - 1] != " "):
        first += 1
    last = min(end + AFTER, len(line))
    while end < last < len(line) and _continues(line, last):
        last -= 1
    head, tail = ".. " if first else "", " .." if last < len(line) else ""
    return Snippet(f"{head}{line[first:start]}", line[start:end], f"{line[end:last]}{tail}")
