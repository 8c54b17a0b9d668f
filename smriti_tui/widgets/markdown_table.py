"""Tables: columns as wide as their cells, shrunk together until the row fits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len

from smriti_tui.widgets.markdown_model import Line, MarkdownTheme, Run, Span, copy_lines, wrap_runs

_MIN_COLUMN = 4

Cell = list[list[Run]]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as logical lines of runs; the first row is the head. `aligns` are CSS words or
    empty."""

    rows: list[list[Cell]]
    aligns: list[str]


def render_table(table: Table, width: int, theme: MarkdownTheme) -> list[Line] | None:
    """The rows, at most `width` cells each, or None where even the narrowest columns do not fit."""
    count = len(table.aligns)
    room = width - cell_len(theme.column) * (count - 1)
    if room < _MIN_COLUMN * count:
        return None
    widths = _shrink([_natural(table, column) for column in range(count)], room)
    lines: list[Line] = []
    for number, row in enumerate(table.rows):
        lines.extend(_row(row, widths, table.aligns, theme))
        if number == 0:
            lines.append(_divider(widths, theme))
    return lines


def _natural(table: Table, column: int) -> int:
    cells = (row[column] for row in table.rows)
    lines = (line for cell in cells for line in cell)
    return max((sum(cell_len(run.text) for run in line) for line in lines), default=0)


def _shrink(wanted: list[int], room: int) -> list[int]:
    """Cuts the widest columns to one common width, the largest with which all fit."""
    widths = [max(size, _MIN_COLUMN) for size in wanted]
    if sum(widths) <= room:
        return widths
    low, high = _MIN_COLUMN, max(widths)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(size, middle) for size in widths) <= room:
            low = middle
        else:
            high = middle - 1
    spare = room - sum(min(size, low) for size in widths)
    result: list[int] = []
    for size in widths:
        extra = 1 if size > low and spare > 0 else 0
        spare -= extra
        result.append(min(size, low) + extra)
    return result


def _row(row: list[Cell], widths: list[int], aligns: list[str], theme: MarkdownTheme) -> list[Line]:
    cells = [
        [line for runs in cell for line in wrap_runs(runs or [Run("")], width)]
        for cell, width in zip(row, widths, strict=True)
    ]
    height = max(len(cell) for cell in cells)
    if height > 1:
        cells = [_copied_at_once(cell) for cell in cells]
    lines: list[Line] = []
    for number in range(height):
        spans: list[Span] = []
        for column, cell in enumerate(cells):
            if column:
                spans.append(Span(theme.column, "table", source="" if number else " | "))
            line = cell[number] if number < len(cell) else Line()
            spans.extend(_aligned(line, widths[column], aligns[column]))
        lines.append(Line(tuple(spans), "\n" if number == height - 1 else ""))
    return lines


def _copied_at_once(cell: list[Line]) -> list[Line]:
    """A cell of which the first span copies as all of it: rows of cells side by side make no
    sentence."""
    whole = copy_lines((line, 0, None) for line in cell)
    result: list[Line] = []
    for line in cell:
        spans = [replace(span, source="") for span in line.spans]
        if spans and whole:
            spans[0], whole = replace(spans[0], source=whole), ""
        result.append(Line(tuple(spans), line.joint))
    return result


def _aligned(line: Line, width: int, align: str) -> list[Span]:
    gap = max(width - line.cells, 0)
    left = gap if align == "right" else gap // 2 if align == "center" else 0
    spans = list(line.spans)
    if left:
        spans.insert(0, Span(" " * left, source=""))
    if gap - left:
        spans.append(Span(" " * (gap - left), source=""))
    return spans


def _divider(widths: list[int], theme: MarkdownTheme) -> Line:
    shown = theme.crossing.join(theme.rule * width for width in widths)
    return Line((Span(shown, "table", source=" | ".join("---" for _ in widths)),))
