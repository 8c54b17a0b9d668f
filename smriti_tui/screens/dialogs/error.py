"""What went wrong, what it means for the data, and the next step. Never a stack trace."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import SmritiError
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal


class ErrorDialog(Dialog[None]):
    """One error in full; any of enter, ctrl+s and esc closes it."""

    KEYS = "enter or esc Close"

    def __init__(self, error: SmritiError, *, what: str = "", log: str = "") -> None:
        """`what` is what was being done, `log` the path of the log where there is one."""
        super().__init__()
        self._error = error
        self._what = what
        self._log_path = log

    def heading(self) -> str:
        return f"{self._what} failed" if self._what else "Something went wrong"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._error.message), classes="dialog--words", id="error-message")
        if self._error.hint:
            yield Static(literal(self._error.hint), classes="dialog--words")
        if self._log_path:
            yield Static(literal(f"Details: {self._log_path}"), classes="dialog--note")

    def submit(self) -> None:
        """Closes it."""
        self.dismiss(None)

    def action_run(self, action_id: str) -> None:
        """Everything closes it."""
        if action_id in ("nav.open", "nav.back", "edit.save"):
            self.dismiss(None)
