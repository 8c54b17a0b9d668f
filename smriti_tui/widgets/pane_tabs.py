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


class Tab(NamedTuple):
    """A pane's name and the action that leads to it."""

    title: str
    action_id: str


class PaneTabs(Widget):
    """One line; the pane that is shown stands in brackets."""

    DEFAULT_CSS = "PaneTabs { height: 1; }"

    tabs: reactive[tuple[Tab, ...]] = reactive(())
    shown: reactive[int] = reactive(0)

    def render(self) -> Content:
        """The line."""
        parts = [Content(" ")]
        for index, tab in enumerate(self.tabs):
            here = index == self.shown
            text = f"[{tab.title}]" if here else f" {tab.title} "
            parts.append(Content.styled(text, "bold" if here else ""))
        return Content(" ").join(parts)

    def starts(self) -> tuple[int, ...]:
        """The column where each tab begins."""
        widths = [cell_len(tab.title) + 3 for tab in self.tabs]
        return tuple(accumulate(widths[:-1], initial=2))

    def on_click(self, event: events.Click) -> None:
        """Shows the pane."""
        for start, tab in zip(self.starts(), self.tabs, strict=True):
            if start <= event.x < start + cell_len(tab.title) + 2:
                self.post_message(Act(tab.action_id))
