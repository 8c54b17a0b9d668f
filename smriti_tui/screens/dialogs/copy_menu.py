"""What there is to copy, each with its size: into the clipboard, or into a new file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.clipboard import size_words
from smriti_tui.domain.clean import clean_line
from smriti_tui.screens.copyables import Copyable
from smriti_tui.screens.dialogs.choice import digits
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

MOST_ROWS = 14
DIGITS = 9


@dataclass(frozen=True)
class Written:
    """A copy went into this file."""

    path: Path
    what: Copyable


class CopyMenu(Dialog[Copyable | Written]):
    """Dismissed with what is to be copied, or with the file that was written."""

    HEADING: ClassVar[str] = "Copy"

    def __init__(self, copies: Sequence[Copyable], *, folder: Path | None = None) -> None:
        """`folder` is where a file's name without a folder leads; by default the current one."""
        super().__init__()
        self._copies = tuple(copies)
        self._folder = folder or Path.cwd()
        self._asks_file = False

    def body(self) -> Iterable[Widget]:
        rows = RowList(id="copies")
        rows.styles.height = min(len(self._copies), MOST_ROWS)
        yield rows
        field = Field("path", "New file, for you alone", LineInput(widget_id="copy-path"))
        field.display = False
        yield field
        yield Static(literal(f"in {self._folder}"), classes="dialog--note", id="copy-folder")

    def on_mount(self) -> None:
        """The cursor stands on the first."""
        self.query_one("#copy-folder").display = False
        rows = self.query_one("#copies", RowList)
        rows.show_rows(tuple(_row(at, copy) for at, copy in enumerate(self._copies)))
        rows.focus()

    def keys_line(self) -> str:
        if self._asks_file:
            return "enter Write   esc Back to the list"
        return f"{digits(len(self._copies))}enter Copy   w Write to a file   esc Back"

    # ---- choosing ------------------------------------------------------------------------------

    @property
    def chosen(self) -> Copyable | None:
        """What is under the cursor."""
        at = self.query_one("#copies", RowList).cursor_row
        return self._copies[at] if 0 <= at < len(self._copies) else None

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.dismiss(self._copies[int(message.key)])

    def on_key(self, event: events.Key) -> None:
        """A digit copies, `w` asks for a file."""
        if self._asks_file:
            return
        number = int(event.key) if event.key.isdecimal() else 0
        if 0 < number <= min(len(self._copies), DIGITS):
            event.stop()
            self.dismiss(self._copies[number - 1])
        elif event.key == "w":
            event.stop()
            self._ask_file()

    def action_run(self, action_id: str) -> None:
        """`esc` leads from the file's name back to the list first."""
        if action_id == "nav.back" and self._asks_file:
            self._ask_file(False)
        else:
            super().action_run(action_id)

    # ---- a file --------------------------------------------------------------------------------

    def _ask_file(self, asks: bool = True) -> None:
        if (chosen := self.chosen) is None:
            return
        if chosen.more is not None:
            self.dismiss(chosen)
            return
        self._asks_file = asks
        field = self.query_one(Field)
        field.display = asks
        field.fault("")
        self.query_one("#copy-folder").display = asks
        self.query_one("#dialog-keys", Static).update(self.keys_line())
        line = self.query_one("#copy-path", LineInput)
        if asks:
            line.fill(chosen.name)
            line.focus()
        else:
            self.query_one("#copies").focus()

    def submit(self) -> None:
        """Copies, or writes the file that is named."""
        chosen = self.chosen
        if chosen is None or not self._asks_file:
            self.dismiss(chosen)
            return
        name, folder = self.query_one("#copy-path", LineInput).value, self._folder

        def work() -> Written:
            from smriti_tui.services.private_files import write_new

            return Written(write_new(name, chosen.text, folder), chosen)

        self.work(work, "Writing")


def _row(at: int, copy: Copyable) -> Row:
    number = f" {at + 1}  " if at < DIGITS else "    "
    size = "" if copy.more else size_words(len(copy.text.encode("utf-8", "replace")))
    begin = clean_line(copy.text[:80]).strip()
    left = (Piece(f"{number}{copy.words}  "), Piece(begin, "muted"))
    return Row(str(at), (RowLine(left, size),))
