"""Text taken apart for the demo models: sentences as they stand there, and their words."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 240
"""Characters of a sentence that is looked at; a longer one is no point that was made."""

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^\s*(?:[-*+>\u2022]|#{1,6}|\d{1,3}[.)])\s+")
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


def sentences(text: str) -> Iterator[str]:
    """The sentences of a message word for word, white space apart; without code and tables."""
    for block in _blocks(_FENCE.sub("\n\n", text)):
        for sentence in _END.split(block):
            said = " ".join(sentence.split())
            if 1 < len(said) <= LONGEST:
                yield said


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and points of lists, the mark of a point taken off."""
    lines: list[str] = []
    for line in text.splitlines():
        starts = _MARK.match(line)
        if lines and (starts or not line.strip() or line.lstrip().startswith("|")):
            yield "\n".join(lines)
            lines = []
        if line.strip() and not line.lstrip().startswith("|"):
            lines.append(_MARK.sub("", line))
    if lines:
        yield "\n".join(lines)


def words(text: str) -> set[str]:
    """The words that say what a text is about, in lower case."""
    return {word for word in _WORD.findall(text.casefold()) if word not in _COMMON}


def names(text: str) -> Iterator[str]:
    """Words that are written as names are: with a digit or a capital letter inside."""
    yield from _NAME.findall(text)
