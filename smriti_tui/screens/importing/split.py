"""Where a transcript is cut into messages, changed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.split_text import Message, messages_of, split_of
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, TextField


class SplitDialog(Dialog[tuple[Message, ...]]):
    """The text with its cuts; dismissed with the messages."""

    HELP = (
        "Each message begins with a line of its own that names who speaks: user, assistant or "
        "system. Take such a line away and two messages are one; write one and a message is cut. "
        "Nothing is written before you import."
    )
    KEYS = "^s Take these   esc Leave it"

    def __init__(self, messages: Sequence[Message]) -> None:
        super().__init__()
        self._split = split_of(messages)

    def heading(self) -> str:
        return "Cuts between messages"

    def body(self) -> Iterable[Widget]:
        words = "Take a line with = away to join, write one to cut."
        yield Static(literal(words), classes="dialog--words")
        yield Field("text", "Messages", TextField(widget_id="split-text"))

    def on_mount(self) -> None:
        """The focus is at the start of the text."""
        text = self.query_one("#split-text", TextField)
        text.load_text(self._split.text)
        text.focus()

    def submit(self) -> None:
        """Reads the messages; a fault is shown at the field."""
        try:
            made = messages_of(self.query_one("#split-text", TextField).text, self._split.width)
        except Invalid as error:
            self.show_error(error)
            return
        self.dismiss(made)
