"""Whether the words that an item cites stand in a document, and in which lines.

The rule is that of `quotes`: word for word after NFC, case folding and joining of white space. In
Markdown two things are no words: marks at the beginning of a line (list, quotation, heading, box)
and emphasis at the borders of words. A quote may have them or not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from smriti_tui.domain.document import Document
from smriti_tui.domain.model import EvidenceCheck
from smriti_tui.domain.quotes import folded, places, proves

_WORD = re.compile(r"\w+")
_NUMBERED = re.compile(r"(?m)^\s*\d{1,6}\|[ \t]?")
_MARKS = re.compile(r"^\s*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6}|\[[ xX]\])(?:\s+|$))+")
_EMPHASIS = re.compile(r"(?<!\w)[*_`~]+|[*_`~]+(?!\w)")
_AROUND, _MOST_WORDS, _MOST_PLACES = 3, 4_000, 10_000


@dataclass(frozen=True)
class Near:
    """Words of a document that come nearest to a quote that is nowhere."""

    first: int
    last: int
    text: str
    words: int


@dataclass(frozen=True)
class Placed:
    """What became of a quote; lines count from 1, and are 0 where it is nowhere."""

    check: EvidenceCheck
    """found or not_found."""
    first: int = 0
    last: int = 0
    nearest: Near | None = None

    @property
    def lines(self) -> tuple[int, ...]:
        return line_range(self.first, self.last)


def line_range(first: int, last: int) -> tuple[int, ...]:
    """Lines as evidence holds them: one, or the first and the last; none for 0."""
    return (first, last) if last > first else (first,) if first else ()


def lines_text(lines: Sequence[int]) -> str:
    """Lines of evidence in words: `line 12` or `lines 12-14`."""
    if not lines:
        return "no line"
    if len(lines) == 2 and lines[0] < lines[1]:
        return f"lines {lines[0]}-{lines[1]}"
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}"


class _Folded:
    """Lines in the form in which they are compared, in one text, and which line stands where."""

    def __init__(self, lines: Sequence[str], form: Callable[[str], str]) -> None:
        self._starts: list[int] = []
        self._numbers: list[int] = []
        texts: list[str] = []
        length = 0
        for number, line in enumerate(lines, 1):
            if text := folded(form(line)):
                self._starts.append(length)
                self._numbers.append(number)
                texts.append(text)
                length += len(text) + 1
        self.text = " ".join(texts)

    def find(self, wanted: str, near: int | None) -> tuple[int, int] | None:
        """First and last line of the words, of several places the one nearest to a line."""
        best: tuple[int, int] | None = None
        for count, start in enumerate(places(wanted, self.text)):
            lines = self._line(start), self._line(start + len(wanted) - 1)
            if best is None or (near and _apart(lines, near) < _apart(best, near)):
                best = lines
            if count >= _MOST_PLACES or not near or not _apart(best, near):
                break
        return best

    def _line(self, offset: int) -> int:
        return self._numbers[bisect_right(self._starts, offset) - 1]


def _apart(lines: tuple[int, int], near: int) -> int:
    return max(lines[0] - near, near - lines[1], 0)


def _plain(text: str) -> str:
    """Without what is no word in Markdown."""
    return _EMPHASIS.sub("", _MARKS.sub("", text))


class DocumentQuotes:
    """A document, ready for many quotes."""

    def __init__(self, document: Document) -> None:
        self._lines = document.lines

    @cached_property
    def _exact(self) -> _Folded:
        return _Folded(self._lines, str)

    @cached_property
    def _bare(self) -> _Folded:
        return _Folded(self._lines, _plain)

    @cached_property
    def _lines_of(self) -> dict[str, list[int]]:
        """In which lines each word stands."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines, 1):
            for word in set(_WORD.findall(folded(line))):
                found.setdefault(word, []).append(number)
        return found

    def check(self, quote: str, line: int | None = None) -> Placed:
        """Classes a quote that is said to stand in `line`; of several places the nearest counts.

        What proves nothing (`quotes.proves`) is not found.
        """
        for given in dict.fromkeys((quote, _NUMBERED.sub("", quote))):
            if (lines := self._find(given, line)) is not None:
                return Placed("found", *lines)
        return Placed("not_found", nearest=self._nearest(folded(quote), line))

    def has(self, words: str) -> bool:
        """Whether the words stand there, however short they are."""
        wanted = folded(words)
        return bool(wanted) and self._exact.find(wanted, None) is not None

    def _find(self, quote: str, line: int | None) -> tuple[int, int] | None:
        if not proves(wanted := folded(quote)):
            return None
        if (lines := self._exact.find(wanted, line)) is not None:
            return lines
        bare = folded("\n".join(map(_plain, quote.splitlines())))
        return self._bare.find(bare, line) if proves(bare) else None

    def _nearest(self, wanted: str, line: int | None) -> Near | None:
        words = _WORD.findall(wanted)[:_MOST_WORDS]
        likely = Counter(
            number for word in set(words) for number in self._lines_of.get(word, ())
        ).most_common(1)
        if not likely:
            return None
        middle = likely[0][0]
        if line is not None and not set(words).isdisjoint(self._words_of(line)):
            middle = line
        around = range(max(1, middle - _AROUND), min(len(self._lines), middle + _AROUND) + 1)
        there = [(word, number) for number in around for word in self._words_of(number)]
        there = there[:_MOST_WORDS]
        run = SequenceMatcher(None, [word for word, _ in there], words, autojunk=False)
        best = run.find_longest_match()
        if not best.size:
            return None
        found = there[best.a : best.a + best.size]
        text = " ".join(word for word, _ in found)
        return Near(found[0][1], found[-1][1], text, best.size)

    def _words_of(self, number: int) -> list[str]:
        return (
            _WORD.findall(folded(self._lines[number - 1])) if 0 < number <= len(self._lines) else []
        )
