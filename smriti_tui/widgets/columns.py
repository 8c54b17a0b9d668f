"""Rows of columns in cells, so that wide characters keep the grid."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from smriti_tui.domain.clean import clean_line

Cell = tuple[str, str]
"""Text of any origin, and the style it is shown in ("" for none)."""


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """`text`, cleaned, in exactly `width` cells; what does not fit is cut and ends in `…`."""
    text = clean_line(text)
    size = cell_len(text)
    if size > width:
        return set_cell_size(set_cell_size(text, max(width - 1, 0)) + "…", width)
    pad = " " * (width - size)
    return pad + text if right else text + pad


def row(width: int, first: Cell, *others: Cell) -> Content:
    """`first` to the left in what the others leave, those to the right, a space between."""
    taken = sum(cell_len(text) + 1 for text, _ in others)
    parts: list[Content | tuple[str, str]] = [(fitted(first[0], max(width - taken, 8)), first[1])]
    for text, style in others:
        parts.append((f" {text}", style))
    return Content.assemble(*(_part(part) for part in parts))


def _part(part: Content | tuple[str, str]) -> Content:
    if isinstance(part, Content):
        return part
    text, style = part
    return Content.styled(text, style) if style else Content(text)


def table(rows: Sequence[tuple[str, str]], gap: int = 2) -> str:
    """Names and values below each other, the values in one column; lines of a value are kept."""
    width = max((cell_len(clean_line(name)) for name, _ in rows), default=0) + gap
    lines: list[str] = []
    for name, value in rows:
        first, *more = value.split("\n")
        lines.append((fitted(name, width) + first).rstrip())
        lines += [" " * width + line for line in more]
    return "\n".join(lines)
