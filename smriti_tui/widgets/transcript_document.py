"""The chat as one tall column of rows of which only the visible ones are ever laid out.

Heights are guessed until an entry comes into view and corrected then, in such a way that what is
already on the screen stays where it is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from smriti_tui.widgets.markdown_model import MarkdownTheme
from smriti_tui.widgets.transcript_heights import HeightIndex
from smriti_tui.widgets.transcript_live import LiveTurn
from smriti_tui.widgets.transcript_model import (
    FOLD_PREFIX,
    Entry,
    Folded,
    TranscriptSource,
    TupleSource,
    TurnView,
    estimated_rows,
)
from smriti_tui.widgets.transcript_turns import Rendered, render_entry

CACHED_ENTRIES = 160
_FOLDED_TURN_ROWS = 5

Block = Rendered | LiveTurn


class Item(NamedTuple):
    """One entry of the column: `at` in the source (-1: not there yet), `sub` within an opened
    fold or -1."""

    key: str
    at: int
    sub: int = -1


class Anchor(NamedTuple):
    """A place that survives a change of entries, heights and width."""

    key: str
    row: int
    height: int


class Document:
    """Entries, heights, folds, the live turn and a cache of laid out entries."""

    def __init__(self, theme: MarkdownTheme) -> None:
        self.theme = theme
        self.width = 0
        self.scope = ""
        self.live: LiveTurn | None = None
        self._source: TranscriptSource = TupleSource(())
        self._keys: list[str] = []
        self._items: list[Item] = []
        self._stamps: dict[str, Hashable] = {}
        self._places: dict[str, int] = {}
        self._heights = HeightIndex()
        self._measured = bytearray()
        self._opened: set[str] = set()
        self._late: dict[str, TurnView] = {}
        self._cache: OrderedDict[str, Block] = OrderedDict()

    # What is there

    def __len__(self) -> int:
        return len(self._items)

    @property
    def total(self) -> int:
        """Rows of everything, partly guessed."""
        return self._heights.total

    def key(self, index: int) -> str:
        """The key of an item."""
        return self._items[index].key

    def place(self, key: str) -> int:
        """The index of the item with this key, or -1."""
        return self._places.get(key, -1)

    def entry(self, index: int) -> Entry:
        """The value behind an item."""
        item = self._items[index]
        if self.live is not None and item.key == self.live.turn.key:
            return self.live.turn
        if item.key in self._late:
            return self._late[item.key]
        entry = self._source.entry(item.at)
        if item.sub >= 0 and isinstance(entry, Folded):
            return entry.turns[item.sub]
        return entry

    def folds(self) -> Iterator[tuple[int, Folded]]:
        """The folds and where they stand."""
        for index, item in enumerate(self._items):
            if item.sub < 0 and item.key.startswith(FOLD_PREFIX):
                entry = self.entry(index)
                if isinstance(entry, Folded):
                    yield index, entry

    def selectable(self, index: int) -> bool:
        """Whether the cursor stops here: at turns and folds."""
        return self._items[index].key.startswith((FOLD_PREFIX, "turn:"))

    # Changes

    def load(self, source: TranscriptSource, scope: str) -> None:
        """Takes new entries. In the same scope folds, heights and a live turn are kept where they
        still hold."""
        if scope != self.scope:
            self.scope = scope
            self.live = None
            self._opened.clear()
            self._late.clear()
            self._cache.clear()
            self._stamps.clear()
        self._source = source
        self._keys = [source.key(index) for index in range(source.count())]
        old = self._stamps
        self._stamps = {key: source.stamp(index) for index, key in enumerate(self._keys)}
        self._late = {key: turn for key, turn in self._late.items() if key not in self._stamps}
        kept = {key for key, stamp in self._stamps.items() if key in old and old[key] == stamp}
        kept.update(self._late)
        for key in [key for key in self._cache if _owner(key) not in kept]:
            del self._cache[key]
        self._arrange(kept)

    def toggle(self, index: int) -> bool | None:
        """Opens or closes a fold, or a turn's reasoning; None where there is nothing to open."""
        entry = self.entry(index)
        key = self._items[index].key
        if self.live is not None and key == self.live.turn.key:
            if self.live.toggle_row < 0:
                return None
            self.live.opened = not self.live.opened
            self.measure(index, again=True)
            return self.live.opened
        if not (isinstance(entry, Folded) or (isinstance(entry, TurnView) and entry.reasoning)):
            return None
        self._opened ^= {key}
        self._cache.pop(key, None)
        if isinstance(entry, Folded):
            self._arrange({*self._stamps, *self._late})
        else:
            self.measure(index, again=True)
        return key in self._opened

    def resize(self, width: int) -> None:
        """Takes another width; every height is a guess again."""
        self.width = width
        self.relayout()

    def relayout(self) -> None:
        """Forgets everything laid out: the width or the signs have changed."""
        self._cache.clear()
        if self.live is not None:
            self.live.resize(self.width, self.theme)
        self._arrange(set())

    def begin(self, turn: TurnView) -> None:
        """Starts the live turn, in the place of the entry with its key or at the end."""
        self.live = LiveTurn(turn, max(self.width, 1), self.theme)
        self._cache.pop(turn.key, None)
        self._late.pop(turn.key, None)
        if turn.key not in self._places:
            self._append(Item(turn.key, -1))
        self.measure(self._places[turn.key], again=True)

    def grow(self, text: str, thoughts: str) -> int:
        """Appends to the live turn; returns how many rows of all stand as they stood."""
        if self.live is None:
            return self.total
        same = self.live.grow(text, thoughts)
        index = self._places[self.live.turn.key]
        self.measure(index, again=True)
        return self._heights.offset(index) + same

    def _remeasure(self) -> None:
        """Takes over the height of the live turn."""
        if self.live is not None:
            self.measure(self._places[self.live.turn.key], again=True)

    def end(self, turn: TurnView) -> None:
        """Ends the live turn as `turn`; without one, it is only an entry that `load` will bring."""
        live = self.live
        if live is None or live.turn.key != turn.key:
            return
        self.live = None
        self._cache[turn.key] = live.finish(turn)
        if live.opened:
            self._opened.add(turn.key)
        self._late[turn.key] = turn
        self._stamps[turn.key] = TupleSource((turn,)).stamp(0)
        self.measure(self._places[turn.key], again=True)

    # Rows

    def block(self, index: int) -> Block:
        """The rows of one item, laid out now if they were not."""
        key = self._items[index].key
        if self.live is not None and key == self.live.turn.key:
            return self.live
        found = self._cache.get(key)
        if found is None:
            opened = key in self._opened
            found = render_entry(self.entry(index), self.width, self.theme, opened=opened)
            if self._items[index].sub >= 0 and not found.tone:
                found = Rendered(found.lines, "out", found.toggle_row)
            self._cache[key] = found
            while len(self._cache) > CACHED_ENTRIES:
                self._cache.popitem(last=False)
        else:
            self._cache.move_to_end(key)
        return found

    def locate(self, row: int) -> tuple[int, int] | None:
        """The item and the row within it at a row of the column."""
        if not 0 <= row < self.total:
            return None
        return self._heights.find(row)

    def span(self, index: int) -> tuple[int, int]:
        """First row and height of an item."""
        return self._heights.offset(index), self._heights.height(index)

    def measure(self, index: int, *, again: bool = False) -> int:
        """Replaces the guess for an item's height; returns by how much it was wrong."""
        if self._measured[index] and not again:
            return 0
        self._measured[index] = 1
        return self._heights.set(index, self.block(index).height)

    def settle(self, top: int, view: int) -> int:
        """Measures what a view of `view` rows at `top` shows; returns where the same rows stand
        now.

        The first entry whose height was known already stays at its place on the screen.
        """
        top = self._clamped(top, view)
        while self._items:
            shown = list(self._shown(top, view))
            known = [index for index in shown if self._measured[index]]
            if len(known) == len(shown):
                break
            if known:
                before = self._heights.offset(known[0])
                for index in shown:
                    self.measure(index)
                top += self._heights.offset(known[0]) - before
            else:
                start, height = self.span(shown[0])
                self.measure(shown[0])
                top = start + min(top - start, height - 1, self._heights.height(shown[0]) - 1)
            top = self._clamped(top, view)
        return top

    def bottom(self, view: int) -> int:
        """Measures the last entries; returns the top row of a view at the end."""
        index, room = len(self._items) - 1, view
        while index >= 0 and room > 0:
            self.measure(index)
            room -= self._heights.height(index)
            index -= 1
        return self._clamped(self.total, view)

    def first_rows(self, index: int, most: int) -> int:
        """Measures the first turns of an opened fold; returns their rows, `most` at most."""
        inside, count = f"{self._items[index].key}/", 0
        while count < most:
            index += 1
            if index >= len(self._items) or not self._items[index].key.startswith(inside):
                break
            self.measure(index)
            count += self._heights.height(index)
        return min(count, most)

    def anchor(self, top: int) -> Anchor | None:
        """The place of row `top`, to be found again after a change."""
        found = self.locate(top)
        if found is None:
            return None
        index, row = found
        return Anchor(self._items[index].key, row, self._heights.height(index))

    def find(self, anchor: Anchor | None, fallback: int, *, scaled: bool = False) -> int:
        """The row of an anchor now; `scaled`, after a new width, at the same part of its entry."""
        index = -1 if anchor is None else self.place(anchor.key)
        if anchor is None or index < 0:
            return fallback
        if anchor.row:
            self.measure(index)
        start, height = self.span(index)
        row = anchor.row
        if scaled:
            row = row * height // max(anchor.height, 1)
        return start + min(row, height - 1)

    # Inside

    def _clamped(self, top: int, view: int) -> int:
        return max(0, min(top, self.total - view))

    def _shown(self, top: int, view: int) -> Iterator[int]:
        found = self.locate(top)
        if found is None:
            return
        index = found[0]
        row = self._heights.offset(index)
        while index < len(self._items) and row < top + view:
            yield index
            row += self._heights.height(index)
            index += 1

    def _append(self, item: Item) -> None:
        self._places[item.key] = len(self._items)
        self._items.append(item)
        self._heights.append(3)
        self._measured.append(0)

    def _arrange(self, kept: set[str]) -> None:
        """Lines the items up anew; heights of `kept` keys stay, the others are guessed."""
        known = {
            item.key: self._heights.height(index)
            for index, item in enumerate(self._items)
            if self._measured[index] and _owner(item.key) in kept
        }
        self._items = list(self._lined_up())
        self._places = {item.key: index for index, item in enumerate(self._items)}
        self._measured = bytearray(item.key in known for item in self._items)
        self._heights = HeightIndex(
            known[item.key] if item.key in known else self._guess(item) for item in self._items
        )
        self._remeasure()

    def _lined_up(self) -> Iterator[Item]:
        source = self._source
        for index, key in enumerate(self._keys):
            yield Item(key, index)
            if key in self._opened and key.startswith(FOLD_PREFIX):
                entry = source.entry(index)
                count = len(entry.turns) if isinstance(entry, Folded) else 0
                for sub in range(count):
                    yield Item(f"{key}/{sub}", index, sub)
        present = set(self._keys)
        for key in self._late:
            if key not in present:
                yield Item(key, -1)
        if self.live is not None and self.live.turn.key not in present:
            yield Item(self.live.turn.key, -1)

    def _guess(self, item: Item) -> int:
        if item.at < 0 or item.sub >= 0:
            return _FOLDED_TURN_ROWS
        return estimated_rows(self._source.size(item.at), self.width)


def _owner(key: str) -> str:
    """The key in the source: a turn of an opened fold belongs to its fold."""
    return key.split("/", 1)[0]
