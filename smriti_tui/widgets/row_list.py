"""A list of rows of one to three lines, of which only the visible ones are drawn.

The cursor belongs to a row's key, not to its number: rows may come and go around it while it stays
on what it marks, at the same place on the screen.
"""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from smriti_tui.domain.clean import clean_line

TONES = ("plain", "strong", "muted", "accent", "hit")
MIN_LEFT = 10
"""The right part of a line gives way when the left one would get fewer cells."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words in one tone of `TONES`."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class RowLine:
    """One line: pieces from the left, a short text at the right edge."""

    left: tuple[Piece, ...]
    right: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What the cursor can rest on, or (`rests` False) a line between."""

    key: str
    lines: tuple[RowLine, ...]
    rests: bool = True
    under: str = ""
    """The key of the row that this one hangs under, in a tree."""


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows from values; says where the cursor is and what was opened or folded."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--cursor",
        "row-list--muted",
        "row-list--accent",
    }
    DEFAULT_CSS = """
    RowList { height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """

    @dataclass
    class Moved(Message):
        """The cursor rests on another row."""

        rows: RowList
        key: str

    @dataclass
    class Opened(Message):
        """A row was opened by key or mouse."""

        rows: RowList
        key: str

    @dataclass
    class FoldAsked(Message):
        """A row should be folded or unfolded."""

        rows: RowList
        key: str
        unfold: bool

    def __init__(
        self,
        *,
        empty: str = "",
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        """`empty` is shown when there are no rows."""
        super().__init__(id=id, classes=classes)
        self._rows: tuple[Row, ...] = ()
        self._starts: list[int] = [0]
        self._cursor = -1
        self._empty = empty
        self.opens_at_once = False
        """Whether one click opens a row, where the cursor is no choice by itself."""
        self.shows_cursor = True
        """Off where another list has the keys."""

    # What is shown

    @property
    def cursor_key(self) -> str | None:
        """The key of the row under the cursor."""
        return self._rows[self._cursor].key if 0 <= self._cursor < len(self._rows) else None

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    @property
    def cursor_row(self) -> int:
        """The number of the row under the cursor, -1 for none."""
        return self._cursor

    def show_rows(self, rows: tuple[Row, ...], *, empty: str | None = None) -> None:
        """Takes other rows; cursor and scroll stay with what they were on."""
        if empty is not None:
            self._empty = empty
        if rows == self._rows:
            self.refresh()
            return
        key, at = self.cursor_key, self._cursor
        seen = self.scroll_offset.y
        offset = self._starts[at] - seen if key is not None else 0
        self._rows = rows
        self._starts = [0, *accumulate(len(row.lines) for row in rows)]
        self._cursor = self._place(key, at)
        self.virtual_size = Size(self.size.width, self._starts[-1])
        if key is not None and self._cursor >= 0:
            top = max(self._starts[self._cursor] - offset, 0)
            if not seen and self._starts[self._cursor + 1] <= self.size.height:
                top = 0  # At the very top new rows come into view as long as the cursor stays.
            self.scroll_to(y=top, animate=False, force=True)
        self.refresh()

    def _place(self, key: str | None, at: int) -> int:
        for index, row in enumerate(self._rows):
            if row.key == key:
                return index
        return self._near(min(max(at, 0), len(self._rows) - 1), 1)

    def move_to(self, key: str) -> bool:
        """Puts the cursor on a row; False if it is not here."""
        for index, row in enumerate(self._rows):
            if row.key == key:
                self._point(index)
                return True
        return False

    # Moving

    def action_cursor_down(self) -> None:
        """To the next row."""
        self._point(self._near(self._cursor + 1, 1))

    def action_cursor_up(self) -> None:
        """To the previous row."""
        self._point(self._near(self._cursor - 1, -1))

    def action_top(self) -> None:
        """To the first row."""
        self._point(self._near(0, 1))

    def action_bottom(self) -> None:
        """To the last row."""
        self._point(self._near(len(self._rows) - 1, -1))

    def action_half_down(self) -> None:
        """Half a page down."""
        self._page(1)

    def action_half_up(self) -> None:
        """Half a page up."""
        self._page(-1)

    def action_open(self) -> None:
        """Opens the row under the cursor."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.Opened(self, key))

    def action_fold(self) -> None:
        """Asks to fold the row under the cursor."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.FoldAsked(self, key, False))

    def action_unfold(self) -> None:
        """Asks to unfold the row under the cursor."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.FoldAsked(self, key, True))

    def _near(self, index: int, by: int) -> int:
        while 0 <= index < len(self._rows):
            if self._rows[index].rests:
                return index
            index += by
        return -1

    def _page(self, sign: int) -> None:
        if self._cursor < 0:
            return
        row = self._starts[self._cursor] + sign * max(self.size.height // 2, 1)
        found = bisect_right(self._starts, min(max(row, 0), self._starts[-1] - 1)) - 1
        near = self._near(found, sign)
        self._point(near if near >= 0 else self._near(found, -sign))

    def _point(self, index: int) -> None:
        if index < 0 or index >= len(self._rows):
            return
        changed = index != self._cursor
        self._cursor = index
        top, end = self._starts[index], self._starts[index + 1]
        view, seen = self.size.height, self.scroll_offset.y
        if view:
            if top < seen:
                self.scroll_to(y=top, animate=False, force=True)
            elif end > seen + view:
                self.scroll_to(y=end - view, animate=False, force=True)
        if changed:
            self.post_message(self.Moved(self, self._rows[index].key))
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the row; a second click, or one where it was, opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = bisect_right(self._starts, self.scroll_offset.y + offset.y) - 1
        if 0 <= index < len(self._rows) and self._rows[index].rests:
            again = self.opens_at_once or index == self._cursor
            self._point(index)
            if again:
                self.action_open()

    def on_resize(self) -> None:
        """Keeps the cursor in view at another size."""
        self.virtual_size = Size(self.size.width, self._starts[-1])
        self._point(self._cursor)

    # Drawing

    def notify_style_update(self) -> None:
        """Repaints in the new theme."""
        super().notify_style_update()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of cells."""
        width, base = self.size.width, self.rich_style
        at = self.scroll_offset.y + y
        if at >= self._starts[-1] or not self._rows:
            return self._blank(y, width, base)
        index = bisect_right(self._starts, at) - 1
        line = self._rows[index].lines[at - self._starts[index]]
        cursor = index == self._cursor and self.shows_cursor
        segments = _segments(line, width, base, self._tones(cursor))
        if cursor and at == self._starts[index]:
            _point_at(segments)
        return Strip(segments, width)

    def _blank(self, y: int, width: int, base: Style) -> Strip:
        """Below the last row; without rows, the words for that."""
        if self._rows or not self._empty:
            return Strip.blank(width, base)
        lines = wrapped(self._empty, width - 2)
        if y >= len(lines):
            return Strip.blank(width, base)
        style = base + self._tone("muted")
        return Strip([Segment(set_cell_size(f" {lines[y]}", width), style)], width)

    def _tones(self, cursor: bool) -> dict[str, Style]:
        if not cursor:
            return {tone: self._tone(tone) for tone in TONES}
        style = self.get_component_rich_style("row-list--cursor", partial=True)
        return {tone: self._tone(tone) + style for tone in TONES}

    def _tone(self, tone: str) -> Style:
        if tone == "hit":  # told apart from a whole row in bold, without colours too
            return Style(bold=True, underline=True)
        if tone in ("plain", "strong"):
            return Style(bold=True) if tone == "strong" else Style.null()
        return self.get_component_rich_style(f"row-list--{tone}", partial=True)


def _segments(line: RowLine, width: int, base: Style, tones: dict[str, Style]) -> list[Segment]:
    right = clean_line(line.right)
    taken = cell_len(right) + 2 if right else 0
    if width - taken < MIN_LEFT:
        right, taken = "", 0
    room = width - taken
    segments: list[Segment] = []
    for piece in line.left:
        text = clean_line(piece.text)
        cells = cell_len(text)
        if cells > room:
            text, cells = cut(text, room), room
        segments.append(Segment(text, base + tones[piece.tone]))
        room -= cells
        if room <= 0:
            break
    plain = base + tones["plain"]
    segments.append(Segment(" " * max(room, 0), plain))
    if right:
        segments.append(Segment(f" {right} ", base + tones["muted"]))
    return segments


def _point_at(segments: list[Segment]) -> None:
    """A sign for the cursor, where the row leaves it a cell: not everybody sees its colour."""
    first = segments[0]
    if first.text.startswith(" "):
        segments[0] = Segment(f">{first.text[1:]}", first.style)


def wrapped(text: str, width: int) -> list[str]:
    """Words of our own in lines of at most `width` characters; its line breaks stay."""
    return [
        line for part in text.split("\n") for line in textwrap.wrap(part, max(width, 8)) or [""]
    ]


def cut(text: str, cells: int) -> str:
    """Clean one-line text in exactly `cells` cells, with `..` where it was shortened."""
    if cell_len(text) <= cells:
        return set_cell_size(text, cells)
    return set_cell_size(text, cells) if cells < 4 else f"{set_cell_size(text, cells - 2)}.."
