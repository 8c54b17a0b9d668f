"""What changed between two texts, word by word and line by line."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import Literal

Sign = Literal["=", "-", "+"]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_ALONE = re.compile(f"[{_UNSPACED}]")
_MARKS = ("Mn", "Mc", "Me", "Cf")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|\s+|.")
"""A word, a sign of a script that writes without spaces, white space, or any other sign."""
MOST_WORDS = 4_000
"""Above that, or above `MOST_SIGNS`, the whole text is told as replaced."""
MOST_SIGNS = 200_000
MOST_LINES = 20_000
MOST_STEPS = 4_000_000
"""What a comparison may cost: some tenths of a second. Words that repeat make it grow with the cube
of the length."""
_MANY = 400
"""Words from which on white space is no word of its own: it stands everywhere, and costs most."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of two texts: the same, only in the first (`-`), or only in the second (`+`)."""

    sign: Sign
    text: str


def word_changes(a: str, b: str) -> tuple[Piece, ...]:
    """Both texts in pieces: the `=` and `-` ones joined are `a`, the `=` and `+` ones `b`.

    Marks of a letter stay with it, so no cluster is cut; in scripts without spaces every sign is a
    word.
    """
    if a == b:
        return (Piece("=", a),) if a else ()
    if max(len(a), len(b)) > MOST_SIGNS:
        return tuple(_joined([("-", [a]), ("+", [b])]))
    old, new = _words(a), _words(b)
    if max(len(old), len(new)) > MOST_WORDS:
        return tuple(_joined([("-", [a]), ("+", [b])]))
    runs: list[tuple[Sign, Sequence[str]]] = []
    if max(len(old), len(new)) > _MANY:
        old, new = _spaced(old), _spaced(new)
    matcher = _Bounded(old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            runs.append(("=", old[old_from:old_to]))
        else:
            runs += [("-", old[old_from:old_to]), ("+", new[new_from:new_to])]
    return tuple(_joined(_stretches(runs)))


def _stretches(runs: Sequence[tuple[Sign, Sequence[str]]]) -> list[tuple[Sign, list[str]]]:
    """Changes with nothing but white space between them are one change."""
    found: list[tuple[Sign, list[str]]] = []
    gone: list[str] = []
    came: list[str] = []
    for at, (sign, words) in enumerate(runs):
        within = (gone or came) and at + 1 < len(runs) and all(word.isspace() for word in words)
        if sign == "-" or (sign == "=" and within):
            gone += words
        if sign == "+" or (sign == "=" and within):
            came += words
        if sign == "=" and not within:
            space = _end(gone, came)
            found += [("-", gone), ("+", came), ("=", [space, *words])]
            gone, came = [], []
    return [*found, ("-", gone), ("+", came)]


def _end(gone: list[str], came: list[str]) -> str:
    """Takes the white space that both end with off them."""
    if not (gone and came):
        return ""
    word, other = gone[-1].rstrip(), came[-1].rstrip()
    space = gone[-1][len(word) :]
    if space != came[-1][len(other) :]:
        return ""
    gone[-1], came[-1] = word, other
    return space


def _joined(runs: Sequence[tuple[Sign, Sequence[str]]]) -> Iterator[Piece]:
    for sign, words in runs:
        if text := "".join(words):
            yield Piece(sign, text)


def _words(text: str) -> list[str]:
    words: list[list[str]] = []
    for word in _WORD.findall(text):
        if words and not words[-1][-1].isspace() and _goes_on(words[-1][-1], word):
            words[-1].append(word)
        else:
            words.append([word])
    return list(map("".join, words))


def _spaced(words: Sequence[str]) -> list[str]:
    """Each word with the white space behind it."""
    found: list[str] = []
    for word in words:
        if found and word.isspace():
            found[-1] += word
        else:
            found.append(word)
    return found


def _goes_on(before: str, word: str) -> bool:
    """A mark belongs to the letter before it, and letters behind a mark to the same word."""
    if unicodedata.category(word[0]) in _MARKS:
        return True
    after_mark = unicodedata.category(before[-1]) in _MARKS
    return after_mark and word[0].isalnum() and not _ALONE.match(word[0])


def line_changes(a: str, b: str, *, around: int = 3) -> tuple[Piece, ...]:
    """The changed lines with some `around` them; a gap between two places is an empty `=` piece.

    Lines keep their ends. Texts of more than `MOST_LINES` are told as replaced.
    """
    old, new = a.splitlines(keepends=True), b.splitlines(keepends=True)
    if max(len(old), len(new)) > MOST_LINES:
        return tuple(_joined([("-", old), ("+", new)]))
    pieces: list[Piece] = []
    for group in _Bounded(old, new).get_grouped_opcodes(around):
        pieces.append(Piece("=", ""))
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                pieces += [Piece("=", line) for line in old[old_from:old_to]]
            else:
                pieces += [Piece("-", line) for line in old[old_from:old_to]]
                pieces += [Piece("+", line) for line in new[new_from:new_to]]
    return tuple(pieces[1:])


class _Bounded(SequenceMatcher[str]):
    """Finds the longest stretches first and stops at `MOST_STEPS`; the rest counts as replaced."""

    def __init__(self, old: Sequence[str], new: Sequence[str], *, autojunk: bool = True) -> None:
        super().__init__(None, old, new, autojunk)
        common = Counter(new)
        self._steps = list(accumulate((common[each] + 1 for each in old), initial=0))
        self._left = MOST_STEPS

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        end = len(self._steps) - 1 if ahi is None else ahi
        if self._left <= 0:
            return Match(alo, blo, 0)
        self._left -= self._steps[end] - self._steps[alo]
        return super().find_longest_match(alo, ahi, blo, bhi)
