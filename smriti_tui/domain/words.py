"""What changed between two texts, word by word and line by line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
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
"""Above that the whole text is told as replaced: the comparison's cost grows with the square."""
MOST_LINES = 20_000


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
    old, new = _words(a), _words(b)
    if max(len(old), len(new)) > MOST_WORDS:
        return tuple(_joined([("-", [a]), ("+", [b])]))
    runs: list[tuple[Sign, Sequence[str]]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
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
            found += [("-", gone), ("+", came), ("=", list(words))]
            gone, came = [], []
    return [*found, ("-", gone), ("+", came)]


def _joined(runs: Sequence[tuple[Sign, Sequence[str]]]) -> Iterator[Piece]:
    for sign, words in runs:
        if text := "".join(words):
            yield Piece(sign, text)


def _words(text: str) -> list[str]:
    words: list[str] = []
    for word in _WORD.findall(text):
        if words and not words[-1].isspace() and _goes_on(words[-1], word):
            words[-1] += word
        else:
            words.append(word)
    return words


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
    for line in unified_diff(old, new, n=around, lineterm="\n"):
        if line.startswith(("---", "+++")) and not pieces:
            continue
        if line.startswith("@@"):
            pieces.append(Piece("=", ""))
        else:
            sign: Sign = "-" if line[0] == "-" else "+" if line[0] == "+" else "="
            pieces.append(Piece(sign, line[1:]))
    return tuple(pieces[1:])
