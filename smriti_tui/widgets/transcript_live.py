"""The turn that is still being written: rows by number, at a cost that does not grow with its
text."""

from __future__ import annotations

import re
from dataclasses import replace

from smriti_tui.widgets.clean_pieces import PieceCleaner
from smriti_tui.widgets.markdown_model import BLANK, Line, MarkdownTheme, Span
from smriti_tui.widgets.markdown_stream import MarkdownStream, PlainRows
from smriti_tui.widgets.transcript_model import TurnView
from smriti_tui.widgets.transcript_turns import (
    INDENT,
    Rendered,
    body_lines,
    header_line,
    indent,
    render_turn,
    status_lines,
    thinking_line,
)

_ITEM = re.compile(r"( *)([-*+])(?= |$)")
_DEEP = Span(" " * (INDENT + 2), source="")


class LiveTurn:
    """Has the shape of `Rendered`, but grows."""

    tone = ""

    def __init__(self, turn: TurnView, width: int, theme: MarkdownTheme) -> None:
        self.turn = replace(turn, status="running")
        self.opened = False
        self._theme = theme
        self._thoughts: list[str] = []
        self._breaks = 0
        self._layout(width)
        self.feed(turn.text)
        self.think(turn.reasoning)

    @property
    def text(self) -> str:
        """What has arrived."""
        return self._stream.text

    @property
    def reasoning(self) -> str:
        """What the model has thought so far."""
        return "".join(self._thoughts)

    @property
    def toggle_row(self) -> int:
        """See `Rendered.toggle_row`."""
        return 1 if self._thoughts else -1

    @property
    def height(self) -> int:
        """Rows: head, thinking, text, status, blank."""
        return 1 + self._thinking_rows + self._stream.height + len(self._status) + 1

    @property
    def _thinking_rows(self) -> int:
        if not self._thoughts:
            return 0
        return 1 + (self._thought_rows.height if self.opened else 0)

    def line(self, row: int) -> Line:
        """The row at `row`, which is below `height`."""
        if row == 0:
            return self._head
        row -= 1
        if row < self._thinking_rows:
            return self._thinking(row)
        row -= self._thinking_rows
        if row < self._stream.height:
            return indent(self._text_row(row))
        row -= self._stream.height
        return self._status[row] if row < len(self._status) else BLANK

    def _text_row(self, row: int) -> Line:
        """A row of the text; where a list is still open, with the signs that it will have."""
        line = self._stream.line(row)
        wrapped = row > 0 and not self._stream.line(row - 1).joint.endswith("\n")
        return line if wrapped else _with_bullet(line, self._theme.bullet)

    def grow(self, text: str, thoughts: str) -> int:
        """Appends pieces of the thinking and the answer; returns how many rows stand as before."""
        began = self._stream.height > 0
        self.think(thoughts)
        same = self._stream.feed(text)
        if thoughts or not began or not self._stream.height:
            return 1  # What the line on its thinking says may have changed.
        return 1 + self._thinking_rows + same

    def feed(self, text: str) -> None:
        """Appends a piece of the answer."""
        if text:
            self._stream.feed(text)

    def think(self, text: str) -> None:
        """Appends a piece of the model's thinking."""
        if text:
            self._thoughts.append(text)
            self._breaks += text.count("\n")
            self._thought_rows.feed(self._cleaner.feed(text))

    def resize(self, width: int, theme: MarkdownTheme) -> None:
        """Lays everything out anew; costs as much as the text is long."""
        text, thoughts = self.text, self.reasoning
        self._theme = theme
        self._thoughts, self._breaks = [], 0
        self._layout(width)
        self.feed(text)
        self.think(thoughts)

    def finish(self, turn: TurnView) -> Rendered:
        """The rows of the turn as it ended, without rendering its text again if it is what came."""
        if turn.text == self.text and turn.role == "assistant":
            body = [*self._stream.finish()]
        else:
            body = body_lines(turn, self._width, self._theme)
        return render_turn(turn, body, self._width, opened=self.opened)

    def _layout(self, width: int) -> None:
        self._width = width
        self._head = header_line(self.turn, width)
        self._status = status_lines(self.turn, width)
        self._stream = MarkdownStream(width - INDENT, self._theme)
        self._cleaner = PieceCleaner()
        self._thought_rows = PlainRows(width - INDENT - 2, "reasoning")

    def _thinking(self, row: int) -> Line:
        if row == 0:
            running = self._stream.height == 0
            return thinking_line(self._breaks + 1, opened=self.opened, running=running)
        line = self._thought_rows.line(row - 1)
        return Line((_DEEP, *line.spans), line.joint)


def _with_bullet(line: Line, bullet: str) -> Line:
    first = line.spans[0] if line.spans else Span("")
    found = _ITEM.match(first.text)
    if first.style or found is None or found[2] == bullet:
        return line
    before = (replace(first, text=found[1]),) if found[1] else ()
    sign = replace(first, text=bullet, source=found[2])
    rest = replace(first, text=first.text[found.end() :])
    return replace(line, spans=(*before, sign, rest, *line.spans[1:]))
