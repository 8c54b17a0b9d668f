"""What every field of several lines shares: whole signs, folded pastes, another program's edit.

A long paste is folded to one word. `text` is always the whole text; what is shown is
`document.text`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.document._document import Location
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from smriti_tui.domain.clean import clean
from smriti_tui.domain.folds import Folds, Span, folded, is_long, known_spans
from smriti_tui.keys import in_fields
from smriti_tui.widgets.clusters import ClusterText, cluster_around

JOINERS = "\u200c\u200d"


def unseen(event: events.Key) -> str:
    """The text of a key that Textual takes for none: a space of another width (`\\u3000` is the
    space key of Japanese), or a joiner, without which Persian and Hindi are spelled wrong."""
    sign = event.character or ""
    spaced = len(sign) == 1 and unicodedata.category(sign) == "Zs" and not sign.isprintable()
    return sign if spaced or (sign and sign in JOINERS) else ""


class WritingArea(TextArea):
    """A text area in which the cursor passes what the eye sees as one sign."""

    BINDINGS: ClassVar[list[BindingType]] = [*in_fields("edit.external")]
    _folds = Folds()
    """The long pastes that are folded; Textual asks for them before a widget is made."""

    def one(self, line: str, column: int) -> tuple[int, int]:
        """Start and end of what counts as one sign at a column; a folded paste does."""
        for start, end, _ in self._folds.tokens(line):
            if start <= column < end:
                return start, end
        return cluster_around(line, column)

    # Textual asks these for every move and deletion.

    def clamp_visitable(self, location: Location) -> Location:
        """Never in the middle of a sign."""
        row, column = super().clamp_visitable(location)
        line = self.document[row]
        return row, self.one(line, column)[0]

    def get_cursor_left_location(self) -> Location:
        """The start of the sign before."""
        row, column = super().get_cursor_left_location()
        return row, self.one(self.document[row], column)[0]

    def get_cursor_right_location(self) -> Location:
        """Behind the sign under the cursor."""
        row, column = self.cursor_location
        end = self.one(self.document[row], column)[1]
        return (row, end) if end > column else super().get_cursor_right_location()

    def get_cursor_word_left_location(self) -> Location:
        """Never in the middle of a sign."""
        row, column = super().get_cursor_word_left_location()
        return row, self.one(self.document[row], column)[0]

    def get_line(self, line_index: int) -> Text:
        """A line whose styles cover whole signs."""
        line = self.document.get_line(line_index)
        if line.isascii():
            return super().get_line(line_index)
        return ClusterText(line, end="", no_wrap=True)

    # Undoing. Textual scrolls to the cursor before it has put it back: below the end of a text that
    # got shorter that is a fault that would end the program.

    def undo(self) -> None:
        """Takes the last change back."""
        if self.history.undo_stack:
            self.selection = Selection.cursor((0, 0))
        super().undo()

    def redo(self) -> None:
        """Makes the change again that was taken back last."""
        if self.history.redo_stack:
            self.selection = Selection.cursor((0, 0))
        super().redo()

    # Pasting

    @property
    def text(self) -> str:
        """The whole text, with folded pastes in their places."""
        return self._folds.whole(self.document.text)

    @text.setter
    def text(self, value: str) -> None:
        self.load_text(value)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where folded pastes lie in the text."""
        return self._folds.spans(self.document.text)

    @property
    def selected_text(self) -> str:
        """What is marked, with folded pastes in full."""
        return self._folds.whole(super().selected_text)

    def on_key(self, event: events.Key) -> None:
        """Takes text that Textual would drop."""
        if sign := unseen(event):
            event.stop()
            event.prevent_default()
            self.type_in(sign)

    def on_paste(self, event: events.Paste) -> None:
        """Takes a paste in, control characters made visible, a long one folded."""
        event.text = self._fold(clean(event.text))

    def action_paste(self) -> None:
        """Takes in what was copied here."""
        self.type_in(self._fold(self.app.clipboard))

    def action_cut(self) -> None:
        """Cuts what is marked, or the line, with folded pastes in full."""
        if self.selection.is_empty:
            self.action_select_line()
        if not self.selection.is_empty:
            self.app.copy_to_clipboard(self.selected_text)
            self.type_in("")
        else:
            self.action_delete_line()

    def action_delete_word_right(self) -> None:
        """As in an editor; a folded paste goes whole."""
        row, column = self.cursor_location
        start, end = self.one(self.document[row], column)
        if self.selection.is_empty and start == column and end > column + 1:
            self.delete((row, start), (row, end), maintain_selection_offset=False)
        else:
            super().action_delete_word_right()

    def unfold(self) -> bool:
        """Shows the pastes in full, as one edit; False if none is folded."""
        if not self.spans:
            return False
        self._as_one_edit(self.text)
        return True

    def type_in(self, text: str) -> None:
        """Puts text in the place of what is marked, or at the cursor."""
        self.replace(text, *self.selection, maintain_selection_offset=False)

    def _fold(self, text: str) -> str:
        if not is_long(text):
            return text
        self._folds, word = self._folds.add(text)
        return word

    # By the program, or another one

    def load_text(self, text: str) -> None:
        """Takes another text, in full."""
        self._folds = Folds()
        super().load_text(text)

    def load_folded(self, text: str, spans: Sequence[Span]) -> None:
        """Takes another text whose pastes lie at `spans`; the cursor goes to its end."""
        shown, folds = folded(text, spans, Folds())
        self.load_text(shown)
        self._folds = folds
        self.move_cursor(self.document.end)

    def edited_elsewhere(self, text: str) -> None:
        """Takes another text as one edit, which undo takes back; pastes that were not touched stay
        folded. The cursor goes to its end."""
        spans = known_spans(text, self._folds.parts)
        shown, self._folds = folded(text, spans, self._folds)
        self._as_one_edit(shown)

    def _as_one_edit(self, shown: str) -> None:
        self.history.checkpoint()
        self.replace(shown, (0, 0), self.document.end, maintain_selection_offset=False)
        self.history.checkpoint()
        self.move_cursor(self.document.end)
