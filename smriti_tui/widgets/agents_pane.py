"""Who works on what, in four tabs: claims, worktrees, signals, and what was written just now.

This module is part of the first frame: it imports Textual and the standard library alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual import events
from textual.binding import BindingType
from textual.message import Message

from smriti_tui.keys import bindings
from smriti_tui.text import literal_line
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.row_list import Row

AgentsTab = Literal["Claims", "Worktrees", "Signals", "Feed"]
TABS: tuple[AgentsTab, ...] = ("Claims", "Worktrees", "Signals", "Feed")
TITLE = "5 Agents"
ONE_LINE = 60
"""From this width on a claim, a worktree or an event takes one line."""


class AgentsPane(PaneRows, inherit_bindings=False):
    """Pane 5. Each tab keeps its own cursor."""

    TITLE = f"{TITLE}   {TABS[0]}"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("agents")]
    HELP = (
        "Who works on what in this Space: people and agents, by whatever program they write. "
        "A claim says what somebody is about to do; it is advice and keeps nobody out. "
        "] goes on to worktrees, signals and the feed; / filters each by name, kind or word."
    )

    @dataclass
    class TabAsked(Message):
        """The tab before (-1) or behind (1) was asked for by mouse."""

        by: int

    class Resized(Message):
        """The rows were made for another width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.tab: AgentsTab = TABS[0]
        self._cursors: dict[AgentsTab, str] = {}
        self._drawn_for: int | None = None
        self._name_tabs()

    @property
    def one_line(self) -> bool:
        """Whether there is room for a row on one line."""
        return self.size.width >= ONE_LINE

    @property
    def room(self) -> int:
        """Cells of a line."""
        return self.size.width

    def show_tab(self, tab: AgentsTab, rows: tuple[Row, ...], empty: str) -> None:
        """Takes the rows of a tab, made for the pane's width; another tab than before gets back
        its own cursor."""
        self._drawn_for = self.room
        if tab == self.tab:
            self.show_rows(rows, empty=empty)
            return
        if (key := self.cursor_key) is not None:
            self._cursors[self.tab] = key
        self.tab = tab
        self.TITLE = f"{TITLE}   {tab}"
        self.show_rows((), empty=empty)
        self.show_rows(rows, empty=empty)
        self.scroll_to(y=0, animate=False, force=True)
        self._name_tabs()
        self._changed()
        if (kept := self._cursors.get(tab)) is not None:
            self.move_to(kept)

    def _name_tabs(self) -> None:
        at = TABS.index(self.tab)
        words = f"[ {TABS[at - 1]}   {TABS[(at + 1) % len(TABS)]} ]"
        self.border_subtitle = literal_line(words)
        self._next_cells = len(f"{TABS[(at + 1) % len(TABS)]} ]")

    def on_click(self, event: events.Click) -> None:
        """On the border: the tab before where that is named, else the next. Rows are the list's."""
        if event.get_content_offset(self) is not None:
            return
        width, low = self.outer_size.width, event.y == self.outer_size.height - 1
        # The names stand at the right end of the lower border, two cells from its corner.
        before = low and event.x < width - 2 - self._next_cells
        self.post_message(self.TabAsked(-1 if before else 1))

    def on_resize(self) -> None:
        """Rows are cut and wrapped for a width, none while the pane is hidden; the list's own way
        to resize is called beside this."""
        if self._drawn_for != self.room:
            self.post_message(self.Resized())
