"""A list over the prompt: what can be mentioned, or which command is meant. The focus stays in the
prompt, which passes the keys on."""

from __future__ import annotations

from collections.abc import Callable

from smriti_tui.text import literal_line
from smriti_tui.widgets.row_list import Row, RowList

MOST_LINES = 8
BORDER = 2


class OfferList(RowList):
    """Rows to choose one from."""

    DEFAULT_CSS = """
    OfferList {
        display: none;
        overlay: screen;
        constrain: inside inside;
        width: 100%;
        height: auto;
    }
    OfferList.-open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__(id="offers")
        self.can_focus = False
        self.taken: Callable[[str], None] = lambda _: None
        """Called with the key of the row that was chosen."""

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    def offer(self, title: str, keys: str, rows: tuple[Row, ...]) -> None:
        """Shows rows; the cursor goes to the first."""
        self.border_title, self.border_subtitle = literal_line(title), literal_line(keys)
        self.show_rows(rows)
        self.action_top()
        lines = sum(len(row.lines) for row in rows)
        height = min(lines, MOST_LINES) + BORDER
        self.styles.height = height
        self.styles.offset = (0, -height)
        self.add_class("-open")

    def hide(self) -> bool:
        """Takes the list away; False if there was none."""
        was_open = self.is_open
        self.remove_class("-open")
        return was_open

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        """A row was clicked."""
        message.stop()
        self.taken(message.key)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Nobody's business but this list's."""
        message.stop()
