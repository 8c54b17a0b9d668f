"""Where text may be broken: clusters that are one sign to the eye, and lines of at most so many
cells.

Widths are those of Rich, because Textual lays out by them. A line depends on nothing before its
own start, so text that only grows at its end never changes a finished line: the streaming renderer
builds on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size, split_graphemes

MIN_WIDTH = 4
"""Narrower than this nothing is laid out; the caller's strip is cropped instead."""
TAB_CELLS = 4
_CLUSTER_LIMIT = 64
_NO_LINE_START = frozenset(
    "!?.,:;)]}\u2026\u3001\u3002\u3009\u300b\u300d\u300f\u3011"
    "\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d"
)


class Cluster(NamedTuple):
    """A piece of text that is never split: `[start, end)` in code points, `cells` wide."""

    start: int
    end: int
    cells: int


class Cut(NamedTuple):
    """One line of wrapped text: `[start, end)` is shown, the next line begins at `after`."""

    start: int
    end: int
    after: int


def _is_simple(text: str) -> bool:
    return text.isascii() and "\t" not in text


def clusters(text: str) -> list[Cluster]:
    """The clusters of one line of clean text. A tab is one of four cells; flags and joined emoji
    stay whole. A cluster ends after 64 code points at the latest, so that a heap of combining marks
    cannot grow without end.
    """
    found: list[Cluster] = []
    offset = 0
    for index, piece in enumerate(text.split("\t")):
        if index:
            found.append(Cluster(offset, offset + 1, TAB_CELLS))
            offset += 1
        if piece.isascii():
            found.extend(Cluster(offset + at, offset + at + 1, 1) for at in range(len(piece)))
        elif piece:
            found.extend(_merged(piece, offset))
        offset += len(piece)
    return found


def _merged(piece: str, offset: int) -> Iterator[Cluster]:
    """Rich's graphemes, with pairs of regional indicators joined to flags and endless ones cut."""
    while piece.startswith("\u200d"):  # it joins what follows to nothing: no cells for both
        yield Cluster(offset, offset + min(2, len(piece)), 0)
        piece, offset = piece[2:], offset + 2
    half_flag: Cluster | None = None
    for start, end, cells in split_graphemes(piece)[0]:
        cluster = Cluster(offset + start, offset + end, cells)
        indicator = "\U0001f1e6" <= piece[start] <= "\U0001f1ff"
        if half_flag is not None:
            if indicator:
                yield Cluster(half_flag.start, cluster.end, half_flag.cells + cells)
                half_flag = None
                continue
            yield half_flag
            half_flag = None
        if indicator and end - start == 1:
            half_flag = cluster
        elif end - start > _CLUSTER_LIMIT:
            yield from _chopped(cluster, cell_len(piece[start : start + _CLUSTER_LIMIT]))
        else:
            yield cluster
    if half_flag is not None:
        yield half_flag


def _chopped(cluster: Cluster, cells: int) -> Iterator[Cluster]:
    edges = [*range(cluster.start, cluster.end, _CLUSTER_LIMIT), cluster.end]
    for number, (start, end) in enumerate(pairwise(edges)):
        yield Cluster(start, end, 0 if number else cells)


def wrap(text: str, width: int, *, hard: bool = False) -> Iterator[Cut]:
    """The lines of one paragraph or code line, each at most `width` cells; at least one, even if
    empty. Soft wrapping breaks at spaces and beside wide characters and lets spaces at a break hang
    (at most `width` of them); a longer word is folded. Hard wrapping folds at the width and keeps
    every space.
    """
    width = max(width, MIN_WIDTH)
    if not _is_simple(text):
        return _wrap_clusters(text, clusters(text), width, hard)
    return _fold_simple(text, width) if hard else _wrap_simple(text, width)


def _fold_simple(text: str, width: int) -> Iterator[Cut]:
    for start in range(0, len(text) or 1, width):
        end = min(start + width, len(text))
        yield Cut(start, end, end)


def _wrap_simple(text: str, width: int) -> Iterator[Cut]:
    start, size = 0, len(text)
    while size - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        end = cut
        while end > start and text[end - 1] == " ":
            end -= 1
        if end <= start:
            end = after = start + width
        else:
            after = cut + 1
            limit = min(size, cut + width)
            while after < limit and text[after] == " ":
                after += 1
        yield Cut(start, end, after)
        start = after
        if start == size:
            return
    yield Cut(start, size, size)


def _wrap_clusters(text: str, parts: list[Cluster], width: int, hard: bool) -> Iterator[Cut]:
    first = 0
    limit = 16 * width + _CLUSTER_LIMIT
    while True:
        over, chance = _fill(text, parts, first, width, limit)
        start = parts[first].start if first < len(parts) else len(text)
        if over == len(parts):
            yield Cut(start, len(text), len(text))
            return
        end = after = max(over, first + 1)
        if not hard:
            end, after = _soft_break(text, parts, first, over, chance, width)
        last = parts[end - 1].end
        if after == len(parts):
            yield Cut(start, last, len(text))
            return
        yield Cut(start, last, parts[after].start)
        first = after


def _fill(text: str, parts: list[Cluster], first: int, width: int, limit: int) -> tuple[int, int]:
    """The first cluster that does not fit a line begun at `first`, and the last place to break
    before it."""
    cells, chance, seen_word = 0, -1, False
    at = first
    while at < len(parts):
        part = parts[at]
        if cells + part.cells > width or part.end - parts[first].start > limit:
            break
        blank = _blank(text, part)
        if not blank and seen_word and _may_break(text, parts[at - 1], part):
            chance = at
        seen_word = seen_word or not blank
        cells += part.cells
        at += 1
    else:
        return at, chance
    over = parts[at]
    if seen_word and not _blank(text, over) and _may_break(text, parts[at - 1], over):
        chance = at
    return at, chance


def _soft_break(
    text: str, parts: list[Cluster], first: int, over: int, chance: int, width: int
) -> tuple[int, int]:
    """Cluster indexes where the line's text ends and where the next line begins."""
    after = over if _blank(text, parts[over]) else chance
    end = after
    while end > first and _blank(text, parts[end - 1]):
        end -= 1
    if after < 0 or end <= first:
        fold = max(over, first + 1)
        return fold, fold
    hang = after
    while hang < len(parts) and hang - after < width and _blank(text, parts[hang]):
        hang += 1
    return end, hang


def _blank(text: str, part: Cluster) -> bool:
    return part.end - part.start == 1 and text[part.start] in " \t"


def _may_break(text: str, left: Cluster, right: Cluster) -> bool:
    if _blank(text, left):
        return True
    head = text[right.start]
    return (_wide(text[left.start]) or _wide(head)) and head not in _NO_LINE_START


def _wide(character: str) -> bool:
    """By the first code point alone: what follows later can widen a cluster, but not move a
    break."""
    return character > "\u10ff" and get_character_cell_size(character) == 2
