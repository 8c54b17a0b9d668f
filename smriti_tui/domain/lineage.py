"""Which checkpoints come before which: common ancestors over several parents."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

from smriti_tui.domain.ids import CheckpointId

_A, _B, _STALE = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A checkpoint as a place in the graph."""

    id: CheckpointId
    position: int
    """Of the event that saved it: larger than that of all its parents."""
    parents: tuple[CheckpointId, ...]


Look = Callable[[CheckpointId], Ancestor | None]
"""None for a checkpoint that was deleted or that this store does not hold."""


@dataclass
class _Walk:
    """Walks from two checkpoints towards their roots, newest first, no further than needed."""

    look: Look
    flags: dict[CheckpointId, int] = field(default_factory=dict)
    queue: list[tuple[int, CheckpointId]] = field(default_factory=list)
    fresh: int = 0
    """How many in the queue may still lead to a base."""

    def mark(self, checkpoint: CheckpointId, flags: int) -> None:
        known = self.flags.get(checkpoint)
        if known is None:
            found = self.look(checkpoint)
            if found is None:
                return
            heapq.heappush(self.queue, (-found.position, checkpoint))
            self.fresh += not flags & _STALE
            self.flags[checkpoint] = flags
        elif known | flags != known:
            self.fresh -= not known & _STALE and bool(flags & _STALE)
            self.flags[checkpoint] = known | flags

    def bases(self) -> list[CheckpointId]:
        found = []
        while self.queue and self.fresh:
            _, checkpoint = heapq.heappop(self.queue)
            flags = self.flags[checkpoint]
            self.fresh -= not flags & _STALE
            if flags == _A | _B:
                found.append(checkpoint)
                flags |= _STALE
            here = self.look(checkpoint)
            for parent in here.parents if here is not None else ():
                self.mark(parent, flags)
        return found


def merge_bases(a: CheckpointId, b: CheckpointId, look: Look) -> tuple[CheckpointId, ...]:
    """The common ancestors of two checkpoints that are no ancestor of another one, newest first.

    None: the two are unrelated. Several: their histories cross. One of the two itself: it is the
    other's ancestor. Children are looked at before their parents, because positions grow from
    parent to child, so each is looked at once; older history than the bases is not touched.
    """
    walk = _Walk(look)
    walk.mark(a, _A)
    walk.mark(b, _B)
    return tuple(walk.bases())


def is_ancestor(older: CheckpointId, newer: CheckpointId, look: Look) -> bool:
    """Whether `older` is `newer` or lies behind it."""
    return older in merge_bases(older, newer, look)
