"""A bare Textual app, for comparison: `python bare_app.py WIDGETS`. It has a header, a place to
type, a footer, and as many empty panes as are asked for."""

from __future__ import annotations

import sys
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Footer, Header, Static, TextArea

OWN_WIDGETS = 7
"""Widgets of the app without panes, those that header and footer bring included."""


class BareApp(App[None]):
    """Nothing of its own but the frame."""

    CSS = "Static { width: 1fr; } TextArea { height: 4; }"
    TITLE = "bare"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit"),
        Binding("f1", "help", "Help"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, widgets: int) -> None:
        super().__init__()
        self.panes = max(1, widgets - OWN_WIDGETS)

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            for number in range(self.panes):
                yield Static(f"pane {number}")
        yield TextArea()
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()


if __name__ == "__main__":
    BareApp(int(sys.argv[1])).run()
