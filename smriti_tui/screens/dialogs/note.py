"""A note on a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from textual import on
from textual.widget import Widget
from textual.widgets import TextArea

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, TextField
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.domain.model import Note, NoteKind

KINDS = (
    ("note", "Note"),
    ("milestone", "Milestone: named in the tree"),
    ("noise", "Noise: dimmed in the tree; needs no text"),
)


class NoteDialog(Dialog["Note"]):
    """Text and kind; dismissed with the note as it is stored."""

    HELP = (
        "A note says something about a checkpoint without changing it. "
        "A milestone is named in the tree; what is marked as noise is dimmed there. "
        "Notes stay: they are added, never changed."
    )
    KEYS = "^s Save   tab Kind   esc Back"

    def __init__(self, name: str, typed: str, add: Callable[[str, NoteKind], Note]) -> None:
        """`typed` is what was typed before. `add` is called in a thread and may raise Invalid."""
        super().__init__()
        self._name = name
        self._add = add
        self.typed = typed
        """The text as it stands there now."""

    def heading(self) -> str:
        return f"Note on {self._name}"

    def body(self) -> Iterable[Widget]:
        yield Field("text", "Text", TextField(widget_id="note-text"))
        rows = RowList(id="note-kind")
        rows.styles.height = len(KINDS)
        yield Field("kind", "Kind", rows)

    def on_mount(self) -> None:
        """The focus is in the text; a plain note is chosen."""
        rows = self.query_one("#note-kind", RowList)
        rows.show_rows(tuple(Row(kind, (RowLine((Piece(f" {words}"),)),)) for kind, words in KINDS))
        text = self.query_one("#note-text", TextField)
        text.load_text(self.typed)
        text.focus()

    @on(TextArea.Changed)
    def _typed(self) -> None:
        self.typed = self.query_one("#note-text", TextField).text

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()

    def submit(self) -> None:
        """Stores it in a thread."""
        kind = cast("NoteKind", self.query_one("#note-kind", RowList).cursor_key or "note")
        text = self.typed
        self.work(lambda: self._add(text, kind), "Saving the note")
