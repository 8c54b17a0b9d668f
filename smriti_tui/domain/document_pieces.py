"""A document in pieces that each fit a model: cut between lines, whole sections together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smriti_tui.domain.document import Document
from smriti_tui.domain.tokens import text_tokens

Numbered = tuple[int, str]
"""A line's number and its words, or a part of them where the whole line is too long."""
_OF_NUMBER = 3
"""Tokens of a line's number, bar and end."""


def pieces(document: Document, borders: Sequence[int], room: int) -> list[list[Numbered]]:
    """Every line once and in order, in pieces of at most `room` tokens.

    A section goes into the piece before it where it fits whole; one that fits no piece is cut
    between its lines, at a blank one if that is near; a line that fits none, between its words.
    """
    result: list[list[Numbered]] = [[]]
    left = room
    for section in _sections(document, borders, room):
        cost = sum(map(_cost, section))
        if cost > left and result[-1]:
            result.append([])
            left = room
        if cost <= left:
            result[-1] += section
            left -= cost
            continue
        cut = [*_cut(section, room)]
        result[-1:] = [[*result[-1], *cut[0]], *cut[1:]]
        left = room - sum(map(_cost, result[-1]))
    return [piece for piece in result if any(text.strip() for _, text in piece)]


def _cost(line: Numbered) -> int:
    return text_tokens(line[1]) + _OF_NUMBER


def _sections(document: Document, borders: Sequence[int], room: int) -> Iterator[list[Numbered]]:
    starts = sorted({1, *borders})
    lines = document.lines
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        section = [
            (number, part)
            for number in range(start, end)
            for part in _parts(lines[number - 1], room - _OF_NUMBER)
        ]
        if section:
            yield section


def _parts(line: str, room: int) -> list[str]:
    """A line that fits as it is, else in parts, cut at white space if there is any."""
    found = []
    while text_tokens(line) > room:
        end = min(len(line), max(1, room) * 7 // 2)
        while end > 1 and text_tokens(line[:end]) > room:
            end = end * 3 // 4
        blank = line.rfind(" ", end // 2, end)
        end = blank + 1 if blank > 0 else end
        found.append(line[:end])
        line = line[end:]
    return [*found, line]


def _cut(section: Sequence[Numbered], room: int) -> Iterator[list[Numbered]]:
    piece: list[Numbered] = []
    used = 0
    for line in section:
        cost = _cost(line)
        if piece and used + cost > room:
            keep = _blank_near_end(piece)
            yield piece[:keep]
            piece = piece[keep:]
            used = sum(map(_cost, piece))
            if used + cost > room:
                yield piece
                piece, used = [], 0
        piece.append(line)
        used += cost
    if piece:
        yield piece


def _blank_near_end(piece: Sequence[Numbered]) -> int:
    """How many lines go before the cut: up to the last blank line in its second half, else all."""
    for keep in range(len(piece), len(piece) // 2, -1):
        if not piece[keep - 1][1].strip():
            return keep
    return len(piece)
