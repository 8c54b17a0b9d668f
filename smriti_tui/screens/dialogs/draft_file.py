"""Asks for a file below the project root: by its path, or from the list that it filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.widget import Widget
from textual.widgets import Input, Static

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.services.draft_artifacts import Taken
    from smriti_tui.services.project_files import FileNames

MOST_ROWS = 8


class FileDialog(Dialog["Taken"]):
    """Dismissed with what was taken of the file."""

    HELP = (
        "A text file below this Space's project root, its first 64 KB as they are now. "
        "What you type filters the list; a path that is not listed can be typed whole."
    )
    HEADING: ClassVar[str] = "Artifact from a file"
    KEYS = "enter Take   up down Choose   esc Back"

    def __init__(self, names: Callable[[], FileNames], take: Callable[[str], Taken]) -> None:
        """Both are called in threads and may raise Invalid (field `file`)."""
        super().__init__()
        self._list = names
        self._take = take
        self._names: tuple[str, ...] = ()

    def body(self) -> Iterable[Widget]:
        hint = "type to filter, or a path"
        yield Field("file", "File", LineInput(widget_id="artifact-file", hint=hint))
        rows = RowList(id="files", empty=" Reading ...")
        rows.can_focus = False
        rows.styles.height = MOST_ROWS
        yield rows
        yield Static(id="files-note", classes="dialog--note")

    def on_mount(self) -> None:
        """Reads the names behind the first frame."""
        self.query_one("#artifact-file").focus()
        hop(self, self._list, self._read, self._not_read, group="artifact.files")

    def _read(self, found: FileNames) -> None:
        self._names = found.names
        more = "Not all are listed: a path can be typed whole." if found.more else ""
        self.query_one("#files-note", Static).update(literal(more))
        self._show()

    def _not_read(self, error: SmritiError) -> None:
        self._rows.show_rows((), empty=" There is no list.")
        self.show_error(error)

    # ---- choosing ------------------------------------------------------------------------------

    @property
    def _rows(self) -> RowList:
        return self.query_one("#files", RowList)

    @property
    def _typed(self) -> str:
        return self.query_one("#artifact-file", LineInput).value.strip()

    @on(Input.Changed)
    def _filter(self) -> None:
        if self._names:
            self._clear()
            self._show()

    def _show(self) -> None:
        """Those that hold what is typed; names that begin with it stand first."""
        typed = self._typed.lower()
        found = sorted(
            (name for name in self._names if typed in name.lower()),
            key=lambda name: not name.lower().rpartition("/")[2].startswith(typed),
        )
        rows = tuple(Row(name, (RowLine((Piece(f" {name}"),)),)) for name in found)
        empty = " No listed file fits; enter takes the path as typed." if typed else " No file."
        self._rows.show_rows(rows, empty=empty)
        self._rows.action_top()

    def on_key(self, event: events.Key) -> None:
        """Arrows move in the list while the name is being typed."""
        moves = {"down": self._rows.action_cursor_down, "up": self._rows.action_cursor_up}
        if event.key in moves:
            event.stop()
            moves[event.key]()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()

    def submit(self) -> None:
        """Takes what is typed where that is a whole path, else the one under the cursor."""
        typed, chosen = self._typed, self._rows.cursor_key
        name = typed if typed in self._names or chosen is None else chosen
        if name:
            self.work(lambda: self._take(name), "Reading the file")
        else:
            self.show_error(Invalid("No file is named.", "Type its path.", field="file"))
