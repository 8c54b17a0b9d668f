"""Where something comes from: a text to read, with the way back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.literal_view import LiteralView, Section


class OriginDialog(Dialog[None]):
    """Sections below each other, scrolled with the keys."""

    HELP = (
        "Where this item first stood, each change of it, by whom and from which turns. "
        "A merge that brought it is named. "
        "It is read from the checkpoints themselves."
    )
    KEYS = "j k Scroll   esc Back"

    def __init__(self, what: str, sections: Sequence[Section]) -> None:
        super().__init__()
        self._what = what
        self._sections = tuple(sections)

    def heading(self) -> str:
        return f"Where {self._what} comes from"

    def body(self) -> Iterable[Widget]:
        yield LiteralView(widget_id="origin-text")

    def on_mount(self) -> None:
        """The newest is on top."""
        view = self.query_one("#origin-text", LiteralView)
        view.show(self._sections)
        view.focus()

    def action_run(self, action_id: str) -> None:
        """The usual keys scroll."""
        view = self.query_one("#origin-text", LiteralView)
        moves = {
            "nav.down": view.action_scroll_down, "nav.up": view.action_scroll_up,
            "nav.half_down": view.action_page_down, "nav.half_up": view.action_page_up,
            "nav.top": view.action_scroll_home, "nav.bottom": view.action_scroll_end,
        }  # fmt: skip
        if (move := moves.get(action_id)) is not None:
            move()
        else:
            super().action_run(action_id)
