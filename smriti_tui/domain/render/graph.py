"""The lanes of a history: which lines run beside a checkpoint, where they split and join.

Drawn from the newest down, like the log of a version control tool. A row needs only the rows above
it, so a long history is drawn page by page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_LANES = 8
"""Lanes that are drawn; further ones are told by a `+` behind the last."""
SIGN = "o"


@dataclass(frozen=True, slots=True)
class Knot:
    """One checkpoint's place in the picture; each text is two cells for a lane."""

    id: str
    lane: int
    head: str
    """Beside the checkpoint's own line: its sign in its lane, behind the `+` where that lane is not
    drawn."""
    at: int
    """Where its sign stands in `head`."""
    body: str
    """Beside its further lines."""
    above: str
    """A line above it where lanes join into it; empty where none does."""
    below: str
    """A line below it where it leads into other lanes; empty where it does not."""

    def signed(self, sign: str) -> str:
        """`head` with another sign of one cell."""
        return f"{self.head[: self.at]}{sign}{self.head[self.at + 1 :]}"


@dataclass
class Lanes:
    """The lanes that run at the lower edge of what was drawn so far."""

    waiting: list[str | None]
    """By lane the checkpoint that comes next in it; None for a free one."""
    most: int = MOST_LANES
    """How many lanes are drawn."""

    @classmethod
    def empty(cls, most: int = MOST_LANES) -> Lanes:
        """Above the newest checkpoint."""
        return cls([], most)

    def draw(self, rows: Iterable[tuple[str, Sequence[str]]]) -> list[Knot]:
        """The next rows, newest first: ids with their parents. A parent that never comes, because
        it is gone, keeps its lane to the end."""
        return [self._knot(name, parents) for name, parents in rows]

    def _knot(self, name: str, parents: Sequence[str]) -> Knot:
        mine = [lane for lane, each in enumerate(self.waiting) if each == name]
        above = self._joins(mine[0], mine[1:]) if mine[1:] else ""
        for other in mine[1:]:
            self.waiting[other] = None
        lane = mine[0] if mine else self._free(name)
        head = self._cells(lane, SIGN)
        drawn = lane < self.most
        if not drawn:
            head += SIGN
        body = self._cells(-1 if parents else lane, " ")
        before = list(self.waiting)
        ways = self._follow(lane, parents)
        opened = [way for way in ways if way >= len(before) or before[way] is None]
        below = self._joins(lane, ways, opened) if ways else ""
        while self.waiting and self.waiting[-1] is None:
            self.waiting.pop()
        return Knot(name, lane, head, 2 * lane if drawn else len(head) - 1, body, above, below)

    def _follow(self, lane: int, parents: Sequence[str]) -> list[int]:
        """Puts the parents into lanes; returns those that a line leads to from here."""
        self.waiting[lane] = None
        opening = []
        for rank, parent in enumerate(parents):
            known = next((at for at, each in enumerate(self.waiting) if each == parent), None)
            if rank == 0 and (known is None or known > lane):
                # Its lane goes on; one further right that waits for the same joins when it comes.
                self.waiting[lane] = parent
            elif known is not None:
                opening.append(known)
            else:
                opening.append(self._free(parent))
        return opening

    def _free(self, name: str) -> int:
        for lane, each in enumerate(self.waiting):
            if each is None:
                self.waiting[lane] = name
                return lane
        self.waiting.append(name)
        return len(self.waiting) - 1

    def _cells(self, special: int, sign: str) -> str:
        """The lanes, one of them with another sign than that of a line."""
        signs = ["|" if each is not None else " " for each in self.waiting[: self.most]]
        if 0 <= special < len(signs):
            signs[special] = sign
        return self._cut(" ".join(signs).rstrip(), len(self.waiting))

    def _joins(self, lane: int, others: Sequence[int], opened: Sequence[int] = ()) -> str:
        """A line between two rows on which `others` are connected with `lane`; empty where none of
        them is drawn."""
        if lane >= self.most and min(others) >= self.most:
            return ""
        width = max(len(self.waiting), lane + 1)
        cells = [" "] * (2 * width)
        for at, each in enumerate(self.waiting):
            if each is not None and at not in opened and (at not in others or at < lane or opened):
                cells[2 * at] = "|"
        for other in others:
            low, high = sorted((lane, other))
            for at in range(2 * low + 1, 2 * high - 1):
                if cells[at] == " ":
                    cells[at] = "_"
            cells[2 * high - 1] = "\\" if other in opened and other > lane else "/"
        return self._cut("".join(cells[: 2 * self.most]).rstrip(), width)

    def _cut(self, text: str, lanes: int) -> str:
        return f"{text.ljust(2 * self.most - 1)}+" if lanes > self.most else text
