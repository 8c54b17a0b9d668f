"""Heights of many entries: which one stands at a row, and at which row one stands, in logarithmic
time."""

from __future__ import annotations

from collections.abc import Iterable


class HeightIndex:
    """A Fenwick tree over heights in rows."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        size = len(self._heights)
        self._sums = [0, *self._heights]
        for at in range(1, size + 1):
            parent = at + (at & -at)
            if parent <= size:
                self._sums[parent] += self._sums[at]
        self.total = sum(self._heights)
        """Rows of all entries together."""

    def __len__(self) -> int:
        return len(self._heights)

    def height(self, index: int) -> int:
        """Rows of one entry."""
        return self._heights[index]

    def set(self, index: int, height: int) -> int:
        """Corrects one height; returns by how much it changed."""
        change = height - self._heights[index]
        if change:
            self._heights[index] = height
            self.total += change
            at = index + 1
            while at < len(self._sums):
                self._sums[at] += change
                at += at & -at
        return change

    def append(self, height: int) -> None:
        """Adds an entry at the end."""
        self._heights.append(height)
        self.total += height
        at = len(self._heights)
        low, child, rows = at - (at & -at), at - 1, height
        while child > low:
            rows += self._sums[child]
            child -= child & -child
        self._sums.append(rows)

    def offset(self, index: int) -> int:
        """The first row of entry `index`; of the index behind the last, the total."""
        rows, at = 0, index
        while at > 0:
            rows += self._sums[at]
            at -= at & -at
        return rows

    def find(self, row: int) -> tuple[int, int]:
        """The entry at `row`, which is below the total, and the row within it."""
        at, step = 0, 1 << len(self._heights).bit_length()
        while step:
            following = at + step
            if following <= len(self._heights) and self._sums[following] <= row:
                at = following
                row -= self._sums[following]
            step >>= 1
        return at, row
