"""One of a few ways to go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import events, on
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

MOST_DIGITS = 9


def digits(count: int) -> str:
    """The digits that choose one of so many rows, for a line of keys: `1-3 or `; with one row there
    is nothing to count."""
    return f"1-{min(count, MOST_DIGITS)} or " if count > 1 else ""


class ChoiceDialog(Dialog[str]):
    """Says what happened and offers ways; dismissed with the name of the chosen one."""

    def __init__(self, heading: str, words: str, ways: Sequence[tuple[str, str]]) -> None:
        """`ways` are names and what they do, in words; the first is under the cursor."""
        super().__init__()
        self._heading = heading
        self._words = words
        self._ways = tuple(ways)

    def heading(self) -> str:
        return self._heading

    def keys_line(self) -> str:
        return f"{digits(len(self._ways))}enter Choose   esc Back"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        rows = RowList(id="ways")
        rows.styles.height = len(self._ways)
        yield rows

    def on_mount(self) -> None:
        """The cursor stands on the first way."""
        rows = self.query_one("#ways", RowList)
        rows.show_rows(
            tuple(
                Row(name, (RowLine((Piece(f" {number}  {words}"),)),))
                for number, (name, words) in enumerate(self._ways, 1)
            )
        )
        rows.focus()

    def submit(self) -> None:
        """As enter."""
        self.query_one("#ways", RowList).action_open()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.dismiss(message.key)

    def on_key(self, event: events.Key) -> None:
        """A digit chooses."""
        number = int(event.key) if event.key.isdecimal() else 0
        if 0 < number <= len(self._ways):
            event.stop()
            self.dismiss(self._ways[number - 1][0])
