"""The places of the workspace that take the focus: going to one, stepping, moving inside it.

This module is part of the first frame: it imports Textual and the standard library alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.screen import Screen
from textual.widget import Widget

from smriti_tui.keys import Place
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.pane_tabs import PaneTabs, Tab
from smriti_tui.widgets.row_list import RowList

PAST_PANES: tuple[Place, ...] = ("spaces", "checkpoints", "chat")
"""Those that show a moment, too."""
PANES: tuple[Place, ...] = (*PAST_PANES, "agents")
PLACES: tuple[Place, ...] = (*PAST_PANES, "prompt", "agents")
NUMBERS = {"spaces": 1, "checkpoints": 2, "chat": 3, "agents": 5}
"""By which keys and styles know the panes."""
TABS = (
    Tab("1 Spaces", "nav.pane_1"),
    Tab("2 Checkpoints", "nav.pane_2"),
    Tab("3 Chat", "nav.pane_3"),
    Tab("5 Agents", "nav.pane_5"),
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

LEFT: tuple[Place, ...] = ("spaces", "checkpoints")
NARROW, MIDDLE = "-narrow", "-wide"
"""Classes of widths: one pane at a time; two columns."""
OFF, OVER = "-agents-off", "-agents-over"
"""The agents are hidden where there is room for them; they lie over the left column."""

ZOOMS = ("", "tall", "full")
"""Sizes of the place with the focus; the first is the usual one."""


def pane_of(place: Place) -> Place:
    """The pane that is on the screen while a place has the focus."""
    return "chat" if place == "prompt" else place


class Places:
    """Knows where the focus is, and leads it elsewhere."""

    def __init__(self, screen: Screen[Any], panes: Sequence[Place] = PANES) -> None:
        """`panes` are those that the screen has."""
        self._screen = screen
        self._panes = panes
        self._places = [place for place in PLACES if pane_of(place) in panes]
        self.here: Place = "prompt"
        """Where the focus is."""
        self._before: Place = "prompt"
        """Where it was before it went to the agents."""
        self._going: Place | None = None
        """Where it goes once that is on the screen."""
        self._zoom = 0

    def stop(self, place: Place) -> Widget:
        """The widget that takes the focus in a place."""
        if place == "chat":
            chat = self._screen.query_one(ChatPane)
            return chat.transcript or chat
        return self._screen.query_one(f"#{place}")

    def go(self, place: Place) -> None:
        """Shows a place and gives it the focus."""
        if place == "agents" != self.here:
            self._before = self.here
        self._show(place)
        self._going = place
        widget = self.stop(place)
        if widget.display and widget.region.area:
            self._arrive()
        else:
            self._screen.call_after_refresh(self._arrive)

    def _arrive(self) -> None:
        if self._going is None:
            return
        widget, self._going = self.stop(self._going), None
        self._screen.set_focus(widget, scroll_visible=False)
        if self._screen.focused is not None:
            self.focused(self._screen.focused)

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
        pane, screen = pane_of(place), self._screen
        screen.set_class(place == "prompt", "-at-prompt")
        for name in self._panes:
            screen.set_class(name == pane, f"-show-{NUMBERS[name]}")
        screen.query_one(PaneTabs).shown = self._panes.index(pane)
        if pane in ("spaces", "checkpoints"):
            screen.remove_class(OVER)  # They come out from below it.
        if place == "agents":
            screen.remove_class(OFF)
            screen.set_class(screen.has_class(MIDDLE), OVER)

    # ---- the agents ----------------------------------------------------------------------------

    def name_agents(self, words: str) -> None:
        """What their tab says beside its name: how many claims hold, and how many conflicts."""
        tab = Tab(f"{TABS[-1].title} {words}".rstrip(), TABS[-1].action_id)
        self._screen.query_one(PaneTabs).tabs = (*TABS[:-1], tab)

    @property
    def _agents_there(self) -> bool:
        """Whether the agents stand on the screen, or are one of its tabs."""
        screen = self._screen
        if "agents" not in self._panes or screen.has_class(NARROW):
            return "agents" in self._panes
        if screen.has_class(MIDDLE):
            return screen.has_class(OVER)
        return not screen.has_class(OFF)

    def toggle_agents(self) -> None:
        """Shows the agents or hides them; the focus moves only where its pane goes or is covered.

        On terminals of middle width they lie over the left column, on narrow ones they are a tab
        (ux 4.1).
        """
        screen = self._screen
        narrow, middle = screen.has_class(NARROW), screen.has_class(MIDDLE)
        if self.here == "agents":
            screen.set_class(not (narrow or middle), OFF)
            screen.remove_class(OVER)
            self.go(self._before)
        elif narrow or (middle and not self._agents_there and self.here in LEFT):
            self.go("agents")
        else:
            screen.set_class(middle and not self._agents_there, OVER)
            if not middle:
                screen.toggle_class(OFF)

    def focused(self, widget: Widget) -> None:
        """A widget has the focus: the tabs follow it.

        A pane that goes hands its focus to any other; while the way leads elsewhere that is no
        place to show, nor is one that has lost the focus again.
        """
        if self._going is not None or widget is not self._screen.focused:
            return
        for place in self._places:
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
        panes = [pane for pane in self._panes if pane != "agents" or self._agents_there]
        at = panes.index(self.here) if self.here in panes else outside
        self.go(panes[(at + by) % len(panes)])

    def step_place(self, by: int) -> None:
        """To the place before or behind that takes the focus."""
        places = [each for each in self._places if each != "agents" or self._agents_there]
        at = places.index(self.here) if self.here in places else 0
        self.go(places[(at + by) % len(places)])

    def open_row(self) -> None:
        """Opens what the cursor is on."""
        widget = self.stop(self.here)
        if isinstance(widget, RowList):
            widget.action_open()
        elif (fold := getattr(widget, "action_toggle_fold", None)) is not None:
            fold()
