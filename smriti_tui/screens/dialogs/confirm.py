"""Asks before what cannot be undone. The default answer is no."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from textual import events, on
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList


class ConfirmDialog(Dialog[bool]):
    """Dismissed with True for yes; no, esc and enter without a move all say no."""

    def __init__(
        self, question: str, detail: str = "", *, yes: str = "Yes", typed: str = ""
    ) -> None:
        """`yes` says what happens; with `typed`, that name must be typed out first."""
        super().__init__()
        self._question = question
        self._detail = detail
        self._yes = yes
        self._typed = typed

    def heading(self) -> str:
        return self._question

    def keys_line(self) -> str:
        if self._typed:
            return "enter Confirm   esc No"
        return f"y {self._yes}   n or esc No   enter Choose"

    def body(self) -> Iterable[Widget]:
        if self._detail:
            yield Static(literal(self._detail), classes="dialog--words")
        if self._typed:
            label = f"Type {self._typed} to confirm"
            yield Field("typed", label, LineInput(widget_id="typed"))
        else:
            rows = RowList(id="answers")
            rows.styles.height = 2
            yield rows

    def on_mount(self) -> None:
        """No is under the cursor."""
        if self._typed:
            self.query_one("#typed").focus()
            return
        rows = self.query_one("#answers", RowList)
        answers = (("no", "No"), ("yes", self._yes))
        rows.show_rows(tuple(Row(key, (RowLine((Piece(f" {words}"),)),)) for key, words in answers))
        rows.focus()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.dismiss(message.key == "yes")

    def submit(self) -> None:
        """With a name to type: yes if it is that name."""
        if not self._typed:
            self.query_one("#answers", RowList).action_open()
        elif _same(self.query_one("#typed", LineInput).value, self._typed):
            self.dismiss(True)
        else:
            self.show_error(Invalid("That is another name.", "esc leaves it.", field="typed"))

    def on_key(self, event: events.Key) -> None:
        """y and n, where nothing is typed."""
        if not self._typed and event.key in ("y", "n"):
            event.stop()
            self.dismiss(event.key == "y")


def _same(typed: str, name: str) -> bool:
    """Whether exactly this name was typed; the two ways to write an accent are one, and what cannot
    be typed is typed as it is shown."""
    normal = unicodedata.normalize("NFC", typed)
    return normal in {unicodedata.normalize("NFC", each) for each in (name, clean_line(name))}
