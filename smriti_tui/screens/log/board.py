"""The tracker as a board: a column for each lane, as many side by side as have room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from textual.containers import Horizontal
from textual.widget import Widget

from smriti_tui.domain.render.views import lanes
from smriti_tui.domain.views.tracker import LANES
from smriti_tui.screens.log.rows import lane_rows
from smriti_tui.widgets.row_list import RowList

COLUMN: Final = 19
"""Fewest cells of a column."""


class Board(Horizontal):
    """Columns of cards. The cursor stands on a card; `step` goes to the column beside it."""

    DEFAULT_CSS = """
    Board { height: 1fr; }
    Board RowList { width: 1fr; height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__(id="log-board")
        self._lanes: dict[str, list[Mapping[str, Any]]] = {}
        self._at = 0
        self._first = 0
        """The first column that is shown."""

    def compose(self) -> Iterable[Widget]:
        """The known lanes; others come with their items."""
        for number in range(len(LANES)):
            yield self._column(number)

    def _column(self, number: int) -> RowList:
        return RowList(id=f"lane-{number}", empty="No item.", classes="log--lane")

    @property
    def item(self) -> Mapping[str, Any] | None:
        """The item under the cursor."""
        key = self._columns()[self._at].cursor_key
        found = list(self._lanes.values())[self._at] if self._at < len(self._lanes) else []
        return next((each for each in found if str(each.get("id")) == key), None)

    @property
    def lane(self) -> str:
        """The lane that the cursor is in."""
        names = list(self._lanes)
        return names[self._at] if self._at < len(names) else LANES[0]

    def show(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Shows these items; archived ones stay out. The cursor stays on its card."""
        marked = self.item
        grouped: dict[str, list[Mapping[str, Any]]] = {lane: [] for lane in LANES}
        grouped |= lanes(items)
        grouped.pop("archived", None)
        self._lanes = {lane: list(found) for lane, found in grouped.items()}
        columns = self._columns()
        for number in range(len(columns), len(self._lanes)):
            self.mount(self._column(number))
        columns = self._columns()
        for column, (lane, found) in zip(columns, self._lanes.items(), strict=False):
            column.show_rows(tuple(lane_rows(lane, found)))
        self._at = min(self._at, len(self._lanes) - 1)
        if marked is not None:
            self.find(str(marked.get("id")))
        self._fit()

    def find(self, key: str) -> None:
        """Puts the cursor on an item, in whatever lane it is now."""
        for number, found in enumerate(self._lanes.values()):
            if any(str(each.get("id")) == key for each in found):
                self._columns()[number].move_to(key)
                self._go(number)
                return

    def step(self, by: int) -> None:
        """To the column beside."""
        self._go(min(max(self._at + by, 0), max(len(self._lanes) - 1, 0)))

    def take_focus(self) -> None:
        """The focus goes to the column of the cursor; one without a card gives way to one with."""
        if self.item is None:
            filled = [n for n, found in enumerate(self._lanes.values()) if found]
            self._at = filled[0] if filled else self._at
        self._go(self._at)

    def _go(self, number: int) -> None:
        had = self.has_focus_within
        self._at = number
        self._fit()
        column = self._columns()[number]
        if column.cursor_key is None:
            column.action_top()
        if had or self.screen.focused is None:
            column.focus()

    def _columns(self) -> list[RowList]:
        return list(self.query(RowList))

    def on_resize(self) -> None:
        """Another width has room for more columns, or fewer."""
        self._fit()

    def _fit(self) -> None:
        room = max(self.size.width // COLUMN, 1) if self.size.width else len(LANES)
        self._first = min(max(self._first, self._at - room + 1), self._at)
        self._first = max(min(self._first, len(self._lanes) - room), 0)
        for number, column in enumerate(self._columns()):
            column.display = self._first <= number < self._first + room and number < len(
                self._lanes
            )
            column.shows_cursor = number == self._at
