"""A write that waits for its turn says so on every screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.notice_bar import NoticeBar

if TYPE_CHECKING:
    from textual.app import App

WORDS = "Waiting for the database: another program is writing. Nothing typed is lost."


def show_waiting(app: App[Any], on: bool) -> None:
    """Says it, or takes it away."""
    words = WORDS if on else ""
    for screen in app.screen_stack:
        for bar in screen.query(NoticeBar):
            bar.wait(words)
        if isinstance(screen, Dialog):
            screen.wait(words)
