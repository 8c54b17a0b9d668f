"""Choosing the theme: each is shown at once, enter keeps it, esc brings back the one before."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events, on
from textual.widget import Widget
from textual.widgets import Input

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.widgets.themes import theme_words


class ThemePicker(Dialog[str]):
    """Dismissed with the name of the theme, None by esc."""

    HEADING = "Theme"
    KEYS = "type to filter   enter Keep   esc As before"
    HELP = (
        "Every theme is shown while the cursor is on it. Colours are moved apart where a theme's "
        "own could not be read; the two ansi themes use your terminal's own colours."
    )

    def __init__(self, now: str) -> None:
        super().__init__()
        self._before = now

    def body(self) -> Iterable[Widget]:
        yield Field("theme", "Filter", LineInput(widget_id="theme-name"))
        rows = RowList(id="themes", empty=" No theme fits.")
        rows.can_focus = False
        rows.styles.height = 12
        yield rows

    @property
    def _rows(self) -> RowList:
        return self.query_one("#themes", RowList)

    def on_mount(self) -> None:
        """The cursor is on the one in use."""
        self.query_one("#theme-name").focus()
        self._show()
        self._rows.move_to(self._before)

    @on(Input.Changed)
    def _show(self) -> None:
        typed = self.query_one("#theme-name", LineInput).value.strip().lower()
        names = [name for name in theme_words() if typed in name]
        rows = [
            Row(
                name,
                (
                    RowLine(
                        (Piece(f" {name}{'   now' if name == self._before else ''}"),),
                        theme_words()[name],
                    ),
                ),
            )
            for name in names
        ]
        self._rows.show_rows(tuple(rows))
        self._preview()

    @on(RowList.Moved)
    def _preview(self) -> None:
        name = self._rows.cursor_key
        if name is not None and name != self.app.theme:
            self.app.theme = name

    def on_key(self, event: events.Key) -> None:
        """Arrows move in the list while the name is being typed."""
        moves = {
            "down": self._rows.action_cursor_down, "up": self._rows.action_cursor_up,
            "pagedown": self._rows.action_half_down, "pageup": self._rows.action_half_up,
        }  # fmt: skip
        if event.key in moves:
            event.stop()
            moves[event.key]()

    def action_run(self, action_id: str) -> None:
        """esc brings the old one back."""
        if action_id == "nav.back":
            self.app.theme = self._before
        super().action_run(action_id)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()

    def submit(self) -> None:
        """Keeps the one under the cursor."""
        if (name := self._rows.cursor_key) is not None:
            self.dismiss(name)
