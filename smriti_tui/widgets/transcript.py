"""The chat pane: a cursor over turns, the mouse, and what is asked of the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.message import Message

from smriti_tui.widgets.markdown_model import UNICODE_THEME, MarkdownTheme
from smriti_tui.widgets.transcript_model import FOLD_PREFIX, Entry, Folded, TurnView
from smriti_tui.widgets.transcript_paint import copied
from smriti_tui.widgets.transcript_view import TranscriptView


class Transcript(TranscriptView, can_focus=True, inherit_bindings=False):
    """Turns, boundaries and folds, drawn from values; the newest turn may be streaming in.

    The cursor rests on a turn or a fold and stays on the newest until it is moved. Keys are bound
    elsewhere, to the actions below.
    """

    DEFAULT_CSS = """
    Transcript {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
    }
    """
    HELP = (
        "The conversation as it is stored: every turn of this line, in order. "
        "Turns that stay out are folded; they can be read but are never sent. "
        "enter opens a fold or a model's reasoning, x shows what an answer was made of."
    )

    @dataclass
    class TurnSelected(Message):
        """The cursor was moved to a turn."""

        number: int

    @dataclass
    class FoldToggled(Message):
        """A fold or a turn's reasoning was opened or closed."""

        key: str
        opened: bool

    @dataclass
    class ContextAsked(Message):
        """Somebody wants to see what an answer was made of.

        `number` is None on a fold: why do its turns stay out?
        """

        number: int | None
        key: str

    def __init__(
        self,
        *,
        theme: MarkdownTheme = UNICODE_THEME,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(theme=theme, name=name, id=id, classes=classes)
        self._cursor: str | None = None

    def forget_place(self) -> None:
        """Another scope starts with the cursor on its newest turn."""
        super().forget_place()
        self._cursor = None

    @property
    def selected_number(self) -> int | None:
        """The number of the turn under the cursor."""
        index = self.cursor_index()
        entry = self._document.entry(index) if index >= 0 else None
        return entry.number if isinstance(entry, TurnView) else None

    @property
    def selected_entry(self) -> Entry | None:
        """What the cursor rests on."""
        index = self.cursor_index()
        return self._document.entry(index) if index >= 0 else None

    def selected_text(self) -> str:
        """The source words under the mouse selection, or nothing."""
        selection = self.text_selection
        return copied(self._document, selection) if selection is not None else ""

    def turn_text(self, number: int | None = None) -> str | None:
        """A turn's text as stored (of the streaming turn: what came), by default the selected
        one's."""
        number = self.selected_number if number is None else number
        live = self._document.live
        if live is not None and live.turn.number == number:
            return live.text + "".join(self._pending)
        index = -1 if number is None else self._place_of(number)
        entry = self._document.entry(index) if index >= 0 else None
        return entry.text if isinstance(entry, TurnView) else None

    def has_details(self, number: int) -> bool:
        """Whether something stands beside the words of a turn."""
        index = self._place_of(number)
        entry = self._document.entry(index) if index >= 0 else None
        return isinstance(entry, TurnView) and entry.details > 0

    def numbers_of(self, holds: Callable[[str], bool]) -> tuple[int, ...]:
        """Numbers of the turns that are shown whose text holds something; folded ones are not
        looked at, because that would read them."""
        entries = map(self._document.entry, range(len(self._document)))
        return tuple(
            entry.number
            for entry in entries
            if isinstance(entry, TurnView) and not entry.stays_out and holds(entry.text)
        )

    def reveal(self, number: int) -> bool:
        """Brings a turn into view and the cursor to it, opening its fold; False if it is not
        here."""
        index = self._place_of(number)
        if index < 0:
            for at, fold in self._document.folds():
                if fold.first <= number <= fold.last and self._document.toggle(at):
                    index = self._sub_place(at, fold, number)
                    break
        if index < 0:
            return False
        self._move_to(index)
        return True

    # Moving

    def action_cursor_down(self) -> None:
        """To the next turn."""
        self._step(1)

    def action_cursor_up(self) -> None:
        """To the previous turn."""
        self._step(-1)

    def action_top(self) -> None:
        """To the first turn."""
        self._move_to(self._near(0, 1))

    def action_bottom(self) -> None:
        """To the newest turn; the view follows the end from here on."""
        self._move_to(self._near(len(self._document) - 1, -1))
        self._at_end = True
        self._settle(None, 0)

    def action_half_down(self) -> None:
        """Half a page down; the cursor comes along if it would leave the view."""
        self._page(self._view // 2)

    def action_half_up(self) -> None:
        """Half a page up."""
        self._page(-(self._view // 2))

    def action_toggle_fold(self) -> None:
        """Opens or closes the fold, or the reasoning, under the cursor."""
        self._toggle(self.cursor_index())

    def action_context(self) -> None:
        """Asks for what the selected answer was made of."""
        index = self.cursor_index()
        if index >= 0:
            self.post_message(self.ContextAsked(self.selected_number, self._document.key(index)))

    def _step(self, by: int) -> None:
        index = self.cursor_index()
        if index >= 0:
            self._move_to(self._near(index + by, by))

    def _near(self, index: int, by: int) -> int:
        """The next place from `index` on where the cursor may rest, or -1."""
        while 0 <= index < len(self._document):
            if self._document.selectable(index):
                return index
            index += by
        return -1

    def cursor_index(self) -> int:
        """The entry with the cursor: the newest turn or fold until it is moved; -1 if none."""
        index = self._document.place(self._cursor) if self._cursor is not None else -1
        return index if index >= 0 else self._near(len(self._document) - 1, -1)

    def cursor_row(self) -> int | None:
        """The row of the view where the entry with the cursor begins; None out of view."""
        index = self.cursor_index()
        if index < 0:
            return None
        start, height = self._document.span(index)
        row = start - self.scroll_offset.y
        return max(row, 0) if -height < row < self._view else None

    def _place_of(self, number: int) -> int:
        return self._document.place(f"turn:{number}")

    def _sub_place(self, at: int, fold: Folded, number: int) -> int:
        for sub, turn in enumerate(fold.turns):
            if turn.number == number:
                return at + 1 + sub
        return -1

    def _point_at(self, index: int) -> None:
        """Puts the cursor on an entry; on the newest it stays with the newest."""
        before = self.cursor_index()
        newest = self._near(len(self._document) - 1, -1)
        self._cursor = None if index == newest else self._document.key(index)
        if index != before:
            entry = self._document.entry(index)
            if isinstance(entry, TurnView):
                self.post_message(self.TurnSelected(entry.number))
            self.refresh()

    def _move_to(self, index: int) -> None:
        if index < 0:
            return
        self._point_at(index)
        if not self._view:
            return
        self._document.measure(index)
        start, height = self._document.span(index)
        top = self.scroll_offset.y
        if height > self._view or start < top:
            top = start
        elif start + height > top + self._view:
            top = start + height - self._view
        self._place(self._document.settle(top, self._view))

    def _page(self, rows: int) -> None:
        if not self._view:
            return
        top = self._document.settle(self.scroll_offset.y + rows, self._view)
        self._place(top)
        index = self.cursor_index()
        start, height = self._document.span(index) if index >= 0 else (0, 0)
        if index >= 0 and start + height > top and start < top + self._view:
            return
        edge = top if rows > 0 else min(top + self._view, self._document.total) - 1
        found = self._document.locate(edge)
        if found is not None:
            near = self._near(found[0], 1 if rows > 0 else -1)
            if near >= 0:
                self._point_at(near)

    def _toggle(self, index: int) -> None:
        if index < 0:
            return
        anchor, top = self._where()
        key = self._document.key(index)
        line = self._document.span(index)[0] - top
        opened = self._document.toggle(index)
        if opened is None:
            return
        self.screen.clear_selection()
        self._at_end = False
        if key.startswith(FOLD_PREFIX):
            self._cursor = key
            self._keep_line(index, line, opened=opened)
        else:
            self._settle(anchor, top)
        self.mark_seen(key)
        self.post_message(self.FoldToggled(key, opened))

    def _keep_line(self, index: int, line: int, *, opened: bool) -> None:
        """Puts a fold on row `line` of the view; higher up if its first turns would not be seen."""
        view = self._view
        if not view:
            return
        line = max(0, min(line, view - 1))
        if opened:
            line = max(0, min(line, view - 1 - self._document.first_rows(index, view // 2)))
        top = self._document.span(index)[0] - line
        self._place(self._document.settle(top, view))

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Selects the turn, opens a fold or reasoning, or asks for a context, by where the click
        fell."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y == self._view - 1 and offset.x >= self.new_lines_at:
            self.action_bottom()
            return
        found = self._document.locate(self.scroll_offset.y + offset.y) if offset else None
        if offset is None or found is None or self.text_selection is not None:
            return
        index, row = found
        if not self._document.selectable(index):
            return
        self._point_at(index)
        block = self._document.block(index)
        text = block.line(row).text
        entry = self._document.entry(index)
        asks = "x: " if isinstance(entry, Folded) else "ctx "
        at = text.rfind(asks) if row == 0 else -1
        if at >= 0 and at <= offset.x < at + max(len(text[at:].split("  ")[0]), 1):
            self.action_context()
        elif row == block.toggle_row:
            self._toggle(index)
