"""What every field of several lines shares: whole signs, clean pastes, another program's edit."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.document._document import Location
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from smriti_tui.domain.clean import clean
from smriti_tui.keys import in_fields
from smriti_tui.widgets.clusters import ClusterText, cluster_around


class WritingArea(TextArea):
    """A text area in which the cursor passes what the eye sees as one sign."""

    BINDINGS: ClassVar[list[BindingType]] = [*in_fields("edit.external")]

    def one(self, line: str, column: int) -> tuple[int, int]:
        """Start and end of what counts as one sign at a column."""
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

    def on_paste(self, event: events.Paste) -> None:
        """Takes a paste in, with its control characters made visible."""
        event.text = clean(event.text)

    # Another program

    def edited_elsewhere(self, text: str) -> None:
        """Takes another text as one edit, which undo takes back; the cursor goes to its end."""
        self.history.checkpoint()
        self.replace(text, (0, 0), self.document.end, maintain_selection_offset=False)
        self.history.checkpoint()
        self.move_cursor(self.document.end)
