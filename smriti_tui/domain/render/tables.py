"""Plain tables whose columns line up by terminal cells, not by characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from smriti_tui.domain.clean import clean_line

_ZERO = frozenset({"Mn", "Mc", "Me", "Cf"})
_JOINER, _EMOJI_STYLE, _SOFT_HYPHEN = "\u200d", "\ufe0f", "\u00ad"
_SKIN_FIRST, _SKIN_LAST = "\U0001f3fb", "\U0001f3ff"


def cells(text: str) -> int:
    """Columns that one line of cleaned text takes in a terminal."""
    if text.isascii():
        return len(text)
    total, last, before = 0, 0, ""
    for sign in text:
        if sign == _EMOJI_STYLE and last == 1:
            width = 1
        elif before == _JOINER or (_SKIN_FIRST <= sign <= _SKIN_LAST and last == 2):
            width = 0
        else:
            width = _sign_cells(sign)
        total += width
        last = width or last
        before = sign
    return total


def _sign_cells(sign: str) -> int:
    if unicodedata.category(sign) in _ZERO and sign != _SOFT_HYPHEN:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def padded(text: str, width_cells: int) -> str:
    """`text` with spaces after it up to a width."""
    return text + " " * max(0, width_cells - cells(text))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Rows under a head, two spaces between columns; `right` names columns of numbers.

    Every cell is cleaned and put on one line. Lines have no blanks at their ends; the text ends
    without a line feed.
    """
    lines = [[clean_line(cell) for cell in row] for row in (head, *rows)]
    widths = [max(cells(line[i]) for line in lines) for i in range(len(head))]
    shown: list[str] = []
    for line in lines:
        aligned = [
            " " * (widths[i] - cells(cell)) + cell if i in right else padded(cell, widths[i])
            for i, cell in enumerate(line)
        ]
        shown.append("  ".join(aligned).rstrip())
    return "\n".join(shown)


def pairs(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values in two columns; all values on one line each."""
    width = max((cells(clean_line(name)) for name, _ in rows), default=0)
    return "\n".join(
        f"{padded(clean_line(name), width)}  {clean_line(value)}".rstrip() for name, value in rows
    )
