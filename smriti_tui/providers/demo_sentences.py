"""Text taken apart for the demo models: sentences as they stand there, and their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST = 240
"""Characters of a sentence that is looked at; a longer one is no point that was made."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_MARK = re.compile(r"\s*(?:[-*+>\u2022]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_NO_TEXT = re.compile(r"\s*(?:\||#{1,6}\s|\Z)")
_END = re.compile(r"(?<=[.!?\u0964\u3002\uff01\uff1f])\s+")
_WORD = re.compile(r"\w{3,}")
_NAME = re.compile(r"\b(?:[A-Z]\w*[A-Z0-9]\w*|[A-Za-z]\w*\d\w*)\b")
_COMMON = frozenset(
    {
        "and", "are", "can", "did", "does", "for", "from", "has", "have", "how", "into", "its",
        "must", "not", "our", "shall", "should", "still", "than", "that", "the", "their", "then",
        "there", "they", "this", "was", "what", "when", "where", "which", "who", "why", "will",
        "with", "would", "you",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Placed:
    """A sentence word for word, white space apart, and the lines that it stands in."""

    text: str
    first: int
    last: int
    ends: bool
    """Nothing more is said in its paragraph or point."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a message, without code, tables and headings."""
    return (each.text for each in placed(list(enumerate(text.splitlines(), 1))))


def placed(lines: Sequence[tuple[int, str]]) -> Iterator[Placed]:
    """As `sentences`, of numbered lines."""
    for block in _blocks(lines):
        text = "\n".join(line for _, line in block)
        begins = [0, *(found.end() for found in _END.finditer(text))]
        for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
            said = " ".join(text[begin:end].split())
            if 1 < len(said) <= LONGEST:
                first = text.count("\n", 0, begin)
                last = first + text[begin:end].rstrip().count("\n")
                yield Placed(said, block[first][0], block[last][0], end == len(text))


def _blocks(lines: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Paragraphs and points of lists, the mark of a point taken off."""
    block: list[tuple[int, str]] = []
    fence = ""
    for number, line in lines:
        mark = _FENCE.match(line)
        ends = bool(fence or mark or _NO_TEXT.match(line))
        if block and (ends or _MARK.match(line)):
            yield block
            block = []
        if not ends:
            block.append((number, _MARK.sub("", line, count=1) if _MARK.match(line) else line))
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
    if block:
        yield block


def words(text: str) -> set[str]:
    """The words that say what a text is about, in lower case."""
    return {word for word in _WORD.findall(text.casefold()) if word not in _COMMON}


def names(text: str) -> Iterator[str]:
    """Words that are written as names are: with a digit or a capital letter inside."""
    yield from _NAME.findall(text)
