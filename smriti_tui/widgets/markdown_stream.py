"""Markdown that arrives in pieces: what a piece costs does not grow with what came before.

Finished blocks are rendered once. The open block is plain text (a fence: folded at the width),
wrapped from the start of its last row. At the end the rows are exactly those of `render_markdown`
over the whole text.
"""

from __future__ import annotations

from smriti_tui.widgets.clean_pieces import PieceCleaner
from smriti_tui.widgets.markdown_blocks import Block, BlockCutter
from smriti_tui.widgets.markdown_cells import MIN_WIDTH
from smriti_tui.widgets.markdown_lines import is_heavy, render_block
from smriti_tui.widgets.markdown_model import BLANK, Line, MarkdownTheme, Run, wrap_runs


class PlainRows:
    """Plain text that only grows, as rows; `line(i)` and `height` are always up to date."""

    def __init__(self, width: int, style: str = "", *, hard: bool = False) -> None:
        self._width = width
        self._style = style
        self._hard = hard
        self._rows: list[Line] = []
        self._tail = ""
        self._last: Line | None = None
        self._ended = 0

    @property
    def height(self) -> int:
        """Rows so far."""
        return len(self._rows) + (self._last is not None)

    def ended(self, blank: int) -> list[Line]:
        """The rows of the lines that have ended, without the last `blank` ones, which are empty."""
        return self._rows[: self._ended - blank]

    def line(self, index: int) -> Line:
        """The row at `index`, which is below `height`."""
        if index < len(self._rows):
            return self._rows[index]
        return self._last or BLANK

    def feed(self, text: str) -> None:
        """Appends clean text."""
        for number, piece in enumerate(text.split("\n")):
            if number:
                self._rows.append(self._last or BLANK)
                self._tail, self._last = "", None
                self._ended = len(self._rows)
            if piece:
                self._grow(piece)

    def _grow(self, piece: str) -> None:
        self._tail += piece
        lines = wrap_runs([Run(self._tail, self._style)], self._width, hard=self._hard)
        self._last = lines[-1]
        if len(lines) > 1:
            self._rows.extend(lines[:-1])
            done = sum(len(line.source()) + len(line.joint) for line in lines[:-1])
            self._tail = self._tail[done:]


class MarkdownStream:
    """The rows of a text that is still being written."""

    def __init__(self, width: int, theme: MarkdownTheme) -> None:
        self._width = max(width, MIN_WIDTH)
        self._theme = theme
        self._cutter = BlockCutter()
        self._rows: list[Line] = []
        self._open = PlainRows(self._width)
        self._line: list[str] = []
        self._parts: list[str] = []
        self._cleaner = PieceCleaner()

    @property
    def text(self) -> str:
        """Everything that came, byte for byte."""
        return "".join(self._parts)

    @property
    def height(self) -> int:
        """Rows so far."""
        return len(self._rows) + self._gap + self._open.height

    @property
    def _gap(self) -> int:
        """The blank row between the finished blocks and an open one that has one before it."""
        return int(bool(self._rows) and self._cutter.spaced and self._open.height > 0)

    def line(self, index: int) -> Line:
        """The row at `index`, which is below `height`."""
        if index < len(self._rows):
            return self._rows[index]
        index -= len(self._rows) + self._gap
        return BLANK if index < 0 else self._open.line(index)

    def feed(self, chunk: str) -> int:
        """Appends a piece of the answer, cut wherever the provider cut it; returns how many rows
        stand as they stood."""
        height, settled, opened = self.height, len(self._rows), self._open
        self._take(chunk)
        return max(height - 1, settled) if self._open is opened else settled

    def _take(self, chunk: str) -> None:
        self._parts.append(chunk)
        first, *rest = self._cleaner.feed(chunk).split("\n")
        self._extend(first)
        for piece in rest:
            self._end_line()
            self._extend(piece)

    def finish(self) -> tuple[Line, ...]:
        """Renders what is still open; the rows are those of `render_markdown(text)`."""
        if self._cleaner.finish():  # A line break is all that can be.
            self._end_line()
        if self._line:
            self._end_line()
        block = self._cutter.close()
        if block is not None:
            self._settle(block)
        self._open = PlainRows(self._width)
        return tuple(self._rows)

    def _extend(self, piece: str) -> None:
        if piece:
            self._line.append(piece)
            self._open.feed(piece)

    def _end_line(self) -> None:
        line = "".join(self._line)
        self._line.clear()
        fenced = self._cutter.in_fence
        before, ended = self._cutter.add(line)
        for block in (before, ended):
            if block is not None:
                self._settle(block)
        if before is not None or ended is not None or self._cutter.in_fence != fenced:
            self._restart(line if ended is None else "")
        elif self._cutter.empty:
            self._open = PlainRows(self._width)
        else:
            self._open.feed("\n")

    def _settle(self, block: Block) -> None:
        if block.spaced and self._rows:
            self._rows.append(BLANK)
        if is_heavy(block):
            # Its rows are there already, and to lay them all out again would be felt.
            blank = len(block.text) - len(block.text.rstrip("\n")) - 1
            self._rows.extend(self._open.ended(blank))
        else:
            self._rows.extend(render_block(block, self._width, self._theme))

    def _restart(self, line: str) -> None:
        """Begins the open block anew with the one line that belongs to it."""
        hard = self._cutter.in_fence
        self._open = PlainRows(self._width, "code" if hard else "", hard=hard)
        if not self._cutter.empty:
            self._open.feed(f"{line}\n")
