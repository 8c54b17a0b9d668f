"""Rows as strips: style names become styles, late enough that laid out rows outlive a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from smriti_tui.widgets.markdown_model import Line, copy_lines
from smriti_tui.widgets.transcript_document import Document

STYLE_NAMES = (
    "address", "below", "boundary", "code", "cursor", "em", "error", "fence", "fold", "heading",
    "html", "label", "link", "marker", "meta", "notice", "out", "quote", "reasoning", "rule",
    "rulelabel", "status", "strike", "strong", "table", "tablehead",
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


class Look(NamedTuple):
    """All that decides how one row looks."""

    line: Line
    tone: str
    base: Style
    width: int
    marked: bool = False
    """Whether the cursor's sign stands in the margin."""
    chosen: tuple[int, int, Style] | None = None
    """The selected part and its style."""


class Painted:
    """Rows that were painted a moment ago, by the number that a selection counts them with.

    The same strip is given again for the same look, and with it all that Textual keeps in a strip
    (its filtered, cut and encoded forms): most of what a scrolled row costs.
    """

    KEPT = 240

    def __init__(self, styles: StyleBook) -> None:
        self.styles = styles
        self._known: dict[int, tuple[Look, Strip]] = {}

    def strip(self, number: int, look: Look) -> Strip:
        """One row, as wide as it has to be."""
        found = self._known.pop(number, None)
        if found is None or found[0] != look:
            strip = paint(look, self.styles)
            found = look, strip.crop_extend(0, look.width, look.base).apply_offsets(0, number)
        self._known[number] = found
        if len(self._known) > self.KEPT:
            del self._known[next(iter(self._known))]
        return found[1]

    def clear(self) -> None:
        """Forgets the rows and their styles: the theme has changed."""
        self._known.clear()
        self.styles.clear()


def paint(look: Look, styles: StyleBook) -> Strip:
    """One row, not yet as wide as the pane."""
    base, tone = look.base, look.tone
    segments = [
        Segment(span.text, base + styles.style(f"{tone} {span.style}")) for span in look.line.spans
    ]
    if look.marked:
        segments = _marked(segments, base + styles.style("cursor"))
    if look.chosen is not None:
        segments = list(_chosen(segments, *look.chosen))
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


def new_below(rows: int) -> str:
    """The sign at the end of the last row for what came below it, nothing where nothing did."""
    return f" {rows} new {'line' if rows == 1 else 'lines'} below " if rows > 0 else ""


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
