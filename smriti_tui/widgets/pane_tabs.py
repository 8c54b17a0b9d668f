"""The panes as tabs, on terminals that show one at a time."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from smriti_tui.messages import Act

DRAFT_TAB = "nav.pane_4"
BEFORE_DRAFT = 3
"""Tabs that stand before that of the draft."""


class Tab(NamedTuple):
    """A pane's name and the action that leads to it."""

    title: str
    action_id: str


class PaneTabs(Widget):
    """One line; the pane that is shown stands in brackets."""

    DEFAULT_CSS = "PaneTabs { height: 1; }"

    tabs: reactive[tuple[Tab, ...]] = reactive(())
    shown: reactive[int] = reactive(0)
    draft: reactive[str] = reactive("")
    """Title of the draft's tab, behind that of the chat; the draft has a screen of its own."""

    def render(self) -> Content:
        """The line."""
        parts = [Content(" ")]
        for tab in self.line:
            here = self.tabs.index(tab) == self.shown if tab in self.tabs else False
            text = f"[{tab.title}]" if here else f" {tab.title} "
            parts.append(Content.styled(text, "bold" if here else ""))
        return Content(" ").join(parts)

    @property
    def line(self) -> tuple[Tab, ...]:
        """All tabs in the order of the line."""
        if not self.draft:
            return self.tabs
        own = Tab(self.draft, DRAFT_TAB)
        return (*self.tabs[:BEFORE_DRAFT], own, *self.tabs[BEFORE_DRAFT:])

    def starts(self) -> tuple[int, ...]:
        """The column where each of `tabs` begins."""
        places = zip(self._line_starts(), self.line, strict=True)
        return tuple(start for start, tab in places if tab.action_id != DRAFT_TAB)

    def _line_starts(self) -> tuple[int, ...]:
        widths = [cell_len(tab.title) + 3 for tab in self.line]
        return tuple(accumulate(widths[:-1], initial=2))

    def on_click(self, event: events.Click) -> None:
        """Shows the pane."""
        for start, tab in zip(self._line_starts(), self.line, strict=True):
            if start <= event.x < start + cell_len(tab.title) + 2:
                self.post_message(Act(tab.action_id))
