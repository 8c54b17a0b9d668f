"""A question in other words, asked on a fork."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual import on
from textual.widget import Widget
from textual.widgets import Static, TextArea

from smriti_tui.domain.errors import Invalid
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, TextField

if TYPE_CHECKING:
    from smriti_tui.services.forking import Forked


class EditDialog(Dialog["Forked"]):
    """The question's text; dismissed with the fork on which it is to be asked."""

    HELP = (
        "No turn is ever edited: the question in its new words is asked in a new session, "
        "which has all the model had before it. The session you come from stays as it is. "
        "What you type here is still there when you come back."
    )
    KEYS = "^s Ask on a fork   esc Back"

    def __init__(self, words: str, text: str, fork: Callable[[], Forked]) -> None:
        """`fork` is called in a thread."""
        super().__init__()
        self._words = words
        self._fork = fork
        self.typed = text
        """The question as it stands there now."""

    def heading(self) -> str:
        return "Edit and ask on a fork"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        yield Field("text", "Question", TextField(widget_id="question-text"))

    def on_mount(self) -> None:
        """The focus is at the end of the text."""
        text = self.query_one("#question-text", TextField)
        text.load_text(self.typed)
        text.focus()

    @on(TextArea.Changed)
    def _typed(self) -> None:
        self.typed = self.query_one("#question-text", TextField).text

    def submit(self) -> None:
        """Forks in a thread; whoever opened the dialog asks there."""
        if not self.typed.strip():
            self.show_error(Invalid("The question has no text.", "Type one.", field="text"))
            return
        self.work(self._fork, "Forking")
