"""Long pastes in a message: shown as one word, sent and stored whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FOLD_LINES = 200
FOLD_BYTES = 20_000
"""A paste over either of these is folded."""
_TOKEN = re.compile(r"\[pasted [0-9,]+ lines?, [0-9.]+ [kM]?B #([0-9]+)\]")
_HEAD = re.compile("\x1efolds((?: [0-9]+-[0-9]+)+)\n")
Span = tuple[int, int]


def is_long(text: str) -> bool:
    """Whether a paste is folded."""
    return (
        len(text) > FOLD_BYTES
        or text.count("\n") >= FOLD_LINES
        or (not text.isascii() and len(text.encode()) > FOLD_BYTES)
    )


def token(text: str, number: int) -> str:
    """The word that stands for a paste: `[pasted 20,000 lines, 1.5 MB #1]`."""
    lines = text.count("\n") + (0 if text.endswith("\n") else 1)
    return f"[pasted {lines:,} line{'' if lines == 1 else 's'}, {_size(text)} #{number}]"


def _size(text: str) -> str:
    size = len(text.encode())
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


@dataclass(frozen=True)
class Folds:
    """The pastes of one message by their numbers. A number is never given twice."""

    parts: tuple[str, ...] = ()

    def add(self, text: str) -> tuple[Folds, str]:
        """Takes a paste in; returns the word that stands for it."""
        return Folds((*self.parts, text)), token(text, len(self.parts) + 1)

    def tokens(self, shown: str) -> Iterable[tuple[int, int, str]]:
        """Start, end and paste of every such word; one that was typed by hand is none."""
        if not self.parts:
            return
        for match in _TOKEN.finditer(shown):
            number = int(match[1])
            if 1 <= number <= len(self.parts):
                part = self.parts[number - 1]
                if match[0] == token(part, number):
                    yield match.start(), match.end(), part

    def whole(self, shown: str) -> str:
        """The message with every paste in its place."""
        return self._opened(shown)[0]

    def spans(self, shown: str) -> tuple[Span, ...]:
        """Where the pastes lie in the whole message."""
        return self._opened(shown)[1]

    def _opened(self, shown: str) -> tuple[str, tuple[Span, ...]]:
        pieces: list[str] = []
        spans: list[Span] = []
        at = length = 0
        for start, end, part in self.tokens(shown):
            pieces += [shown[at:start], part]
            length += start - at
            spans.append((length, length + len(part)))
            length, at = length + len(part), end
        return "".join((*pieces, shown[at:])), tuple(spans)


def folded(text: str, spans: Sequence[Span], folds: Folds) -> tuple[str, Folds]:
    """`text` with the parts at `spans` folded, behind the pastes that `folds` knows already."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        folds, word = folds.add(text[start:end])
        pieces += [text[at:start], word]
        at = end
    return "".join((*pieces, text[at:])), folds


def known_spans(text: str, parts: Sequence[str]) -> tuple[Span, ...]:
    """Where pastes stand unchanged in a text that was edited elsewhere, each as often as before."""
    found: list[Span] = []
    for part in parts:
        start = text.find(part)
        while start >= 0 and any(start < end and begin < start + len(part) for begin, end in found):
            start = text.find(part, start + 1)
        if start >= 0:
            found.append((start, start + len(part)))
    return tuple(sorted(found))


def kept(text: str, spans: Sequence[Span]) -> str:
    """As it is kept until it is sent: where pastes lie stands in front, in a line that cannot be
    typed."""
    if not spans:
        return text
    places = "".join(f" {start}-{end}" for start, end in spans)
    return f"\x1efolds{places}\n{text}"


def taken(stored: str) -> tuple[str, tuple[Span, ...]]:
    """What `kept` made."""
    head = _HEAD.match(stored)
    if head is None:
        return stored, ()
    text = stored[head.end() :]
    spans: list[Span] = []
    for place in head[1].split():
        start, end = map(int, place.split("-"))
        if not (spans[-1][1] if spans else 0) <= start < end <= len(text):
            return text, ()
        spans.append((start, end))
    return text, tuple(spans)
