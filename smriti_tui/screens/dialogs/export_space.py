"""Where the export of a Space goes, and in which form."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal_line
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.services.export_watch import Watch

TICK_S = 0.2
IN_THE_WAY = "in_the_way"
FORMS: Sequence[tuple[str, str, str]] = (
    ("md", ".md", "Markdown, a document to read"),
    ("json", ".json", "JSON, one document with state and events"),
    ("jsonl", ".jsonl", "JSON lines, the events one by one"),
    ("bundle", "", "Bundle, a folder made for git"),
)
"""Format, ending and words."""


@dataclass(frozen=True)
class Exported:
    """What was written where."""

    path: Path
    files: int = 1
    removed: int = 0


Export = Callable[[str, Path, "Watch"], Exported]
"""Writes a format to a place, in a thread."""


class ExportDialog(Dialog[Exported]):
    """A place and a format; dismissed once all of it is written. Nothing is replaced unasked."""

    HELP = (
        "The export holds the state and the log of a Space, byte for byte the same each time. "
        "What is there already is replaced only after you say so again. "
        "esc stops a running export; nothing is left of it then."
    )
    KEYS = "enter Export   tab Format   esc Back"

    def __init__(self, what: str, stem: str, folder: Path, export: Export) -> None:
        """`stem` is the name that is proposed, in `folder`; relative paths count from there."""
        super().__init__()
        self._what = what
        self._stem = stem
        self._folder = folder
        self._export = export
        self._watch: Watch | None = None
        self._asked: tuple[str, str] | None = None
        self._agreed: tuple[str, str] | None = None
        """Format and place, as typed, of which the person knows what stands there."""
        self._ticking: Timer | None = None

    def heading(self) -> str:
        return f"Export {self._what}"

    def body(self) -> Iterable[Widget]:
        yield Field("dest", "Where to", LineInput(self._proposed("md"), widget_id="export-to"))
        rows = RowList(id="export-form")
        rows.styles.height = len(FORMS)
        yield Field("format", "Format", rows)

    def on_mount(self) -> None:
        """Markdown is chosen; the focus is in the path."""
        rows = self.query_one("#export-form", RowList)
        forms = ((name, RowLine((Piece(f" {words}"),))) for name, _, words in FORMS)
        rows.show_rows(tuple(Row(name, (line,)) for name, line in forms))
        field = self.query_one("#export-to", LineInput)
        field.focus()
        field.cursor_position = len(field.value)

    def _proposed(self, form: str) -> str:
        ending = next(ending for name, ending, _ in FORMS if name == form)
        return str(self._folder / f"{self._stem}{ending}")

    @property
    def _form(self) -> str:
        return self.query_one("#export-form", RowList).cursor_key or "md"

    @on(RowList.Moved)
    def _form_chosen(self, message: RowList.Moved) -> None:
        """A proposed name follows the format; one that was typed stays."""
        message.stop()
        field = self.query_one("#export-to", LineInput)
        if field.value in {self._proposed(name) for name, _, _ in FORMS}:
            field.fill(self._proposed(message.key))

    @on(RowList.Opened)
    def _form_opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()

    def submit(self) -> None:
        """Writes it in a thread; asks again where something is in the way."""
        if self._busy:
            return
        self._clear()
        typed, form = self.query_one("#export-to", LineInput).value.strip(), self._form
        if not typed:
            self.show_error(Invalid("There is no place to write to.", "Type one.", field="dest"))
            return
        from smriti_tui.services.export_watch import Watch

        self._watch = watch = Watch()
        self._asked = asked = (form, typed)
        agreed = asked == self._agreed

        def write() -> Exported:
            path = self._folder / os.path.expanduser(typed)  # noqa: PTH111 (never raises)
            if not agreed and (there := _in_the_way(path, form)):
                hint = "enter again replaces it; another name keeps it."
                raise Invalid(there, hint, field="dest", code=IN_THE_WAY)
            return self._export(form, path, watch)

        self.work(write, "Exporting")
        self._ticking = self.set_interval(TICK_S, lambda: self._tell(watch))

    def _tell(self, watch: Watch) -> None:
        if self._busy:
            words = f"{watch.count:,} turns, events and checkpoints written   esc Stop"
            self.query_one("#dialog-keys", Static).update(literal_line(words))

    def show_error(self, error: SmritiError) -> None:
        """At its field, where there is one."""
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if error.code == IN_THE_WAY:
            self._agreed = self._asked
        super().show_error(error)

    def action_run(self, action_id: str) -> None:
        """esc stops a running export first."""
        if action_id == "nav.back" and self._busy and self._watch is not None:
            self._watch.stop()
        else:
            super().action_run(action_id)


def _in_the_way(path: Path, form: str) -> str:
    """What stands where the export would go, in words; empty for nothing."""
    try:
        if path.is_dir():
            full = any(not entry.name.startswith(".") for entry in path.iterdir())
            return f"The folder {path} holds something." if form == "bundle" and full else ""
        return f"There is a file {path}." if path.exists() and form != "bundle" else ""
    except OSError:
        return ""  # Whoever writes there tells more.
