"""A pane of rows: a filter that hides what does not fit, and marks. Both outlive new rows."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from smriti_tui.domain.clean import clean_line
from smriti_tui.text import literal_line
from smriti_tui.widgets.row_filter import Sifted, sift
from smriti_tui.widgets.row_list import Row, RowList, cut

TITLE_WORDS = 16
"""Cells of a filter's words on the border."""


class PaneRows(RowList, inherit_bindings=False):
    """Rows of a pane, under a title that says what is hidden and what is marked."""

    TITLE = ""

    @dataclass
    class Changed(Message):
        """Filter, hits or marks are not what they were."""

        rows: PaneRows

    def __init__(self, *, empty: str = "", id: str | None = None) -> None:  # noqa: A002
        super().__init__(empty=empty, id=id)
        self._whole: tuple[Row, ...] = ()
        self._words = ""
        self._sifted = Sifted((), frozenset(), 0)
        self._marks: frozenset[str] = frozenset()
        self._anchor: str | None = None
        self._none = empty
        self._instead = ""
        self.border_title = self.TITLE

    def show_rows(self, rows: tuple[Row, ...], *, empty: str | None = None) -> None:
        """Takes other rows; cursor, filter and marks stay with what they were on."""
        if empty is not None:
            self._none = empty
        self._whole = rows
        marks = self._marks & {row.key for row in rows}
        self._set_marks(marks, self._anchor if self._anchor in marks else None)
        self._sift()

    def say_instead(self, words: str) -> None:
        """Words for a pane that cannot know its rows yet; "" once it can."""
        self._instead = words
        self._sift()
        self.refresh()

    def _sift(self) -> None:
        before = self._sifted
        self._sifted = sift(self._whole, self._words)
        none = "Nothing here holds these words." if self.filtered else self._none
        none = self._instead or none
        super().show_rows(self._sifted.rows, empty=none)
        if (before.hits, before.of) != (self._sifted.hits, self._sifted.of):
            self._changed()

    def _changed(self) -> None:
        said = [self.TITLE]
        if self.filtered:
            said.append(f"/{cut(self._words, TITLE_WORDS).rstrip()}")
        if self._marks:
            said.append(f"{len(self._marks)} marked")
        self.border_title = literal_line("   ".join(said))
        self.post_message(self.Changed(self))

    # The filter

    @property
    def filtered(self) -> bool:
        """Whether a filter hides rows."""
        return bool(self._words.strip())

    @property
    def hit_count(self) -> int:
        """How many rows fit the filter."""
        return len(self._sifted.hits)

    @property
    def whole_count(self) -> int:
        """How many rows the filter chooses from."""
        return self._sifted.of

    def set_filter(self, words: str) -> None:
        """Shows only rows that hold all these words, and what they hang under; none shows all."""
        words = clean_line(words)
        if words == self._words:
            return
        self._words = words
        self._sift()
        if self.filtered and self.cursor_key not in self._sifted.hits:
            self.step_hit(1)
        self._changed()

    def step_hit(self, by: int) -> bool:
        """To the next or previous hit, around the ends; False without one."""
        keys = [row.key for row in self._sifted.rows]
        size = len(keys)
        at = self.cursor_row
        for step in range(1, size + 1):
            key = keys[(at + by * step) % size]
            if key in self._sifted.hits:
                return self.move_to(key)
        return False

    # Marks

    @property
    def marks(self) -> tuple[str, ...]:
        """Keys of the marked rows, in the order of the list."""
        return tuple(row.key for row in self._whole if row.key in self._marks)

    def action_mark(self) -> None:
        """Marks the row under the cursor, with all from the mark before; takes a mark away."""
        key = self.cursor_key
        if key is None:
            return
        if key in self._marks:
            self._set_marks(self._marks - {key}, None)
        else:
            self._set_marks(self._marks | self._reach(key), key)

    def _reach(self, key: str) -> set[str]:
        """The rows from the last mark to `key`, of those that are shown."""
        keys = [row.key for row in self._sifted.rows if row.rests]
        if self._anchor not in keys:
            return {key}
        ends = sorted((keys.index(self._anchor), keys.index(key)))
        return set(keys[ends[0] : ends[1] + 1])

    def clear_marks(self) -> bool:
        """Takes all marks away; False without one."""
        had = bool(self._marks)
        self._set_marks(frozenset(), None)
        return had

    def _set_marks(self, marks: frozenset[str] | set[str], anchor: str | None) -> None:
        self._anchor = anchor
        if marks != self._marks:
            self._marks = frozenset(marks)
            self.marks_changed()
            self._changed()

    def marks_changed(self) -> None:
        """Draws them, where rows show marks."""
