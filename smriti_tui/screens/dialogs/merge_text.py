"""A conflict's answer in the person's own words, and the title of a merge that is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import Conflict, Invalid, SmritiError
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput, TextField

if TYPE_CHECKING:
    from smriti_tui.domain.model import Checkpoint


@dataclass(frozen=True)
class Typed:
    """What stood in the field when the dialog was left."""

    text: str
    taken: bool
    """False where it was left with esc: the text is only remembered."""


class MergeTextDialog(Dialog[Typed]):
    """Several lines; dismissed with what was typed."""

    HELP = (
        "The text that the merge will hold, in your own words. "
        "Nothing of it is saved in a checkpoint before the merge is written. "
        "Left with esc it is remembered until the merge screen is left."
    )

    def __init__(self, what: str, text: str, fits: Callable[[str], bool]) -> None:
        """`fits` says whether a text can stand there."""
        super().__init__()
        self._what = what
        self._text = text
        self._fits = fits

    def heading(self) -> str:
        return f"Write {self._what} yourself"

    def keys_line(self) -> str:
        return "^s Take this text   ^g Editor   esc Back"

    def body(self) -> Iterable[Widget]:
        yield Field("text", "Text", TextField(self._text, widget_id="merge-text"))

    def on_mount(self) -> None:
        """One goes on writing at the end."""
        field = self.query_one("#merge-text", TextField)
        field.move_cursor(field.document.end)
        field.focus()

    def submit(self) -> None:
        """Takes the text, if it can stand there."""
        text = self.query_one("#merge-text", TextField).text
        if self._fits(text):
            self.dismiss(Typed(text, taken=True))
        else:
            self.show_error(
                Invalid("An empty text settles nothing.", "0 takes neither side.", field="text")
            )

    def action_run(self, action_id: str) -> None:
        """esc remembers what stands there."""
        if action_id == "nav.back":
            self.dismiss(Typed(self.query_one("#merge-text", TextField).text, taken=False))
        else:
            super().action_run(action_id)


class WriteMergeDialog(Dialog[object]):
    """Asks for the title and writes; dismissed with the checkpoint, or with the `Conflict` that
    came in between."""

    HELP = (
        "Writes the merge as a checkpoint with two parents. "
        "The branch moves with it, or not at all. "
        "Whoever saved on the branch meanwhile is told before anything is written."
    )

    def __init__(self, title: str, words: str, write: Callable[[str], Checkpoint]) -> None:
        """`write` is called in a thread with the title."""
        super().__init__()
        self._title = title
        self._words = words
        self._write = write

    def heading(self) -> str:
        return "Write the merge"

    def keys_line(self) -> str:
        return "enter Write   esc Back"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        yield Field("title", "Title", LineInput(self._title, widget_id="merge-title"))

    def submit(self) -> None:
        """Writes in a thread."""
        title = self.query_one("#merge-title", LineInput).value
        self.work(lambda: self._write(title), "Writing the merge")

    def show_error(self, error: SmritiError) -> None:
        """A head that moved is the screen's matter; anything else is mended here."""
        if isinstance(error, Conflict):
            self.dismiss(error)
        else:
            super().show_error(error)
