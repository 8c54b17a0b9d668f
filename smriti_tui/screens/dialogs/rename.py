"""Another name for something."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.widget import Widget

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput


class RenameDialog(Dialog[object]):
    """One line; dismissed with what `rename` returns."""

    def __init__(self, what: str, now: str, rename: Callable[[str], object]) -> None:
        """`rename` is called in a thread with the new name and may raise Invalid (field `name`)."""
        super().__init__()
        self._what = what
        self._now = now
        self._rename = rename

    def heading(self) -> str:
        return f"Rename {self._what}"

    def keys_line(self) -> str:
        return "enter Rename   esc Back"

    def body(self) -> Iterable[Widget]:
        yield Field("name", "Name", LineInput(self._now, widget_id="new-name"))

    def submit(self) -> None:
        """Renames in a thread."""
        name = self.query_one("#new-name", LineInput).value
        self.work(lambda: self._rename(name), "Renaming")
