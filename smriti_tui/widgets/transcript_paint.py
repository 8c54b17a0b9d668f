"""Rows as strips: style names become styles, late enough that laid out rows outlive a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from smriti_tui.widgets.markdown_model import Line, copy_lines
from smriti_tui.widgets.transcript_document import Document

STYLE_NAMES = (
    "address", "boundary", "code", "cursor", "em", "error", "fence", "fold", "heading", "html",
    "label", "link", "marker", "meta", "notice", "out", "quote", "reasoning", "rule", "rulelabel",
    "status", "strike", "strong", "table", "tablehead",
)  # fmt: skip
"""The names that spans use; each is a component class `transcript--<name>`."""

ROWS_PER_ITEM = 1 << 32
"""A selection counts rows as `item * ROWS_PER_ITEM + row`, so corrected heights never move it."""


class StyleBook:
    """Styles by the names of a span, resolved once per theme."""

    def __init__(self, resolve: Callable[[str], Style]) -> None:
        self._resolve = resolve
        self._known: dict[str, Style] = {}

    def style(self, names: str) -> Style:
        """The sum of the named styles, later ones on top."""
        found = self._known.get(names)
        if found is None:
            found = sum((self._resolve(name) for name in names.split()), Style.null())
            self._known[names] = found
        return found

    def clear(self) -> None:
        """Forgets the styles: the theme has changed."""
        self._known.clear()


def paint(
    line: Line,
    tone: str,
    *,
    styles: StyleBook,
    base: Style,
    marked: bool,
    chosen: tuple[int, int, Style] | None,
) -> Strip:
    """One row. `marked` puts the cursor's sign into the margin; `chosen` is the selected part and
    its style."""
    segments = [
        Segment(span.text, base + styles.style(f"{tone} {span.style}")) for span in line.spans
    ]
    if marked:
        segments = _marked(segments, base + styles.style("cursor"))
    if chosen is not None:
        segments = list(_chosen(segments, *chosen))
    return Strip(segments)


def _marked(segments: list[Segment], style: Style) -> list[Segment]:
    sign = Segment(">", style)
    if not segments:
        return [sign]
    first, *rest = segments
    if not first.text.startswith(" "):
        return segments
    return [sign, Segment(first.text[1:], first.style), *rest]


def _chosen(segments: list[Segment], start: int, end: int, style: Style) -> Iterator[Segment]:
    at = 0
    for text, own, _ in segments:
        size = len(text)
        low, high = min(max(start - at, 0), size), min(max(end - at, 0), size)
        for piece, picked in ((text[:low], False), (text[low:high], True), (text[high:], False)):
            if piece:
                yield Segment(piece, (own or Style.null()) + style if picked else own)
        at += size


def chosen_part(selection: Selection, item: int, row: int) -> tuple[int, int] | None:
    """The characters of a row that a selection covers; the end is large where it goes on."""
    span = selection.get_span(item * ROWS_PER_ITEM + row)
    if span is None:
        return None
    start, end = span
    return start, (1 << 30 if end < 0 else end)


def copied(document: Document, selection: Selection) -> str:
    """The source words of a selection: wrapped lines joined again, nothing that was only drawn."""
    start = selection.start or Offset(0, 0)
    last = len(document) - 1
    end = selection.end or Offset(1 << 30, last * ROWS_PER_ITEM + ROWS_PER_ITEM - 1)
    return copy_lines(_rows(document, start, end)).strip("\n")


def _rows(document: Document, start: Offset, end: Offset) -> Iterator[tuple[Line, int, int | None]]:
    first, last = start.y // ROWS_PER_ITEM, min(end.y // ROWS_PER_ITEM, len(document) - 1)
    for item in range(max(first, 0), last + 1):
        block = document.block(item)
        for row in range(block.height):
            y = item * ROWS_PER_ITEM + row
            if start.y <= y <= end.y:
                yield block.line(row), start.x if y == start.y else 0, end.x if y == end.y else None
