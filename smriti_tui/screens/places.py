"""The places of the workspace that take the focus: going to one, stepping, moving inside it.

This module is part of the first frame: it imports Textual and the standard library alone.
"""

from __future__ import annotations

from typing import Any

from textual.screen import Screen
from textual.widget import Widget

from smriti_tui.keys import Place
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.pane_tabs import PaneTabs, Tab
from smriti_tui.widgets.row_list import RowList

PANES: tuple[Place, ...] = ("spaces", "checkpoints", "chat")
PLACES: tuple[Place, ...] = (*PANES, "prompt")
TABS = (
    Tab("1 Spaces", "nav.pane_1"),
    Tab("2 Checkpoints", "nav.pane_2"),
    Tab("3 Chat", "nav.pane_3"),
)
MOVES = (
    ("nav.down", "cursor_down"),
    ("nav.up", "cursor_up"),
    ("nav.top", "top"),
    ("nav.bottom", "bottom"),
    ("nav.half_down", "half_down"),
    ("nav.half_up", "half_up"),
    ("nav.fold", "fold"),
    ("nav.unfold", "unfold"),
)

ZOOMS = ("", "tall", "full")
"""Sizes of the place with the focus; the first is the usual one."""


def pane_of(place: Place) -> Place:
    """The pane that is on the screen while a place has the focus."""
    return "chat" if place == "prompt" else place


class Places:
    """Knows where the focus is, and leads it elsewhere."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self.here: Place = "prompt"
        """Where the focus is."""
        self._zoom = 0

    def stop(self, place: Place) -> Widget:
        """The widget that takes the focus in a place."""
        if place == "chat":
            chat = self._screen.query_one(ChatPane)
            return chat.transcript or chat
        return self._screen.query_one(f"#{place}")

    def go(self, place: Place) -> None:
        """Shows a place and gives it the focus."""
        self._show(place)
        widget = self.stop(place)
        if widget.display and widget.region.area:
            widget.focus(scroll_visible=False)
        else:
            self._screen.call_after_refresh(widget.focus, scroll_visible=False)

    # ---- zoom ----------------------------------------------------------------------------------

    def zoom(self, by: int) -> str:
        """Gives the place with the focus more room, or less; returns the words for it now.

        The size goes with the focus, and stays when the terminal gets another one.
        """
        self._zoom = min(max(self._zoom + by, 0), len(ZOOMS) - 1)
        for at, name in enumerate(ZOOMS):
            if name:
                self._screen.set_class(at == self._zoom, f"-zoom-{name}")
        return ZOOMS[self._zoom]

    # ---- the focus -----------------------------------------------------------------------------

    def _show(self, place: Place) -> None:
        pane = pane_of(place)
        self._screen.set_class(place == "prompt", "-at-prompt")
        for number, name in enumerate(PANES, 1):
            self._screen.set_class(name == pane, f"-show-{number}")
        self._screen.query_one(PaneTabs).shown = PANES.index(pane)

    def focused(self, widget: Widget) -> None:
        """A widget has the focus: the tabs follow it."""
        for place in PLACES:
            found = self._screen.query_one(f"#{place}")
            if widget is found or found in widget.ancestors:
                self.here = place
                self._show(place)
                return

    def mark(self) -> None:
        """Marks the row under the cursor, where rows can be marked."""
        rows = self.stop(self.here)
        if isinstance(rows, PaneRows):
            rows.action_mark()

    def clear_marks(self) -> bool:
        """Takes the marks of the pane with the focus away; False without one."""
        rows = self.stop(self.here)
        return isinstance(rows, PaneRows) and rows.clear_marks()

    def move(self, name: str) -> None:
        """Moves or scrolls in the place that has the focus."""
        paged = self.here == "prompt" and name.startswith("half_")
        widget = self.stop("chat" if paged else self.here)
        action = getattr(widget, f"action_{name}", None)
        if action is not None:
            action()
        elif name in ("fold", "unfold") and (fold := getattr(widget, "action_toggle_fold", None)):
            fold()

    def step_pane(self, by: int) -> None:
        """To the pane before or behind; from the prompt to the last or the first one."""
        outside = 0 if by < 0 else -1
        at = PANES.index(self.here) if self.here in PANES else outside
        self.go(PANES[(at + by) % len(PANES)])

    def step_place(self, by: int) -> None:
        """To the place before or behind that takes the focus."""
        self.go(PLACES[(PLACES.index(self.here) + by) % len(PLACES)])

    def open_row(self) -> None:
        """Opens what the cursor is on."""
        widget = self.stop(self.here)
        if isinstance(widget, RowList):
            widget.action_open()
        elif (fold := getattr(widget, "action_toggle_fold", None)) is not None:
            fold()
