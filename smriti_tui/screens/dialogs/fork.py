"""A fork: its branch gets a name, which is offered and can be another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput

if TYPE_CHECKING:
    from smriti_tui.services.forking import Forked


class ForkDialog(Dialog["Forked"]):
    """One line; dismissed with the fork as it is stored."""

    HELP = (
        "A fork is a new session on a new branch. Of a checkpoint it begins without turns; "
        "after a turn it begins with copies of what the model had there. "
        "What you fork from does not change."
    )
    KEYS = "enter Fork   esc Back"

    def __init__(self, words: str, offered: str, fork: Callable[[str], Forked]) -> None:
        """`words` say what it starts from. `fork` is called in a thread with the branch's name and
        may raise Invalid and Conflict."""
        super().__init__()
        self._words = words
        self._offered = offered
        self._fork = fork

    def heading(self) -> str:
        return "Fork"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        yield Field("branch", "New branch", LineInput(self._offered, widget_id="fork-branch"))

    def submit(self) -> None:
        """Forks in a thread."""
        name = self.query_one("#fork-branch", LineInput).value
        self.work(lambda: self._fork(name), "Forking")
