"""Time travel: which event is meant, and what happened around it; and what happened just now."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.ids import SpaceId
from smriti_tui.services.caller import Caller
from smriti_tui.store import steps
from smriti_tui.store.moments import Moment, moment
from smriti_tui.store.steps import Around, Mark, Recent, Step

__all__ = ["Around", "Mark", "Moment", "MomentService", "Recent", "Step"]

MARKS = 8
"""Checkpoints that are told on either side of a place."""


@dataclass(frozen=True)
class MomentService:
    caller: Caller

    def find(self, wanted: str) -> Moment:
        """The moment that an event, a time or a checkpoint names.

        Raises:
            NotFound, Invalid, Ambiguous.
        """
        with self.caller.read() as tx:
            return moment(tx, wanted)

    def around(self, space: SpaceId, position: int, before: int, after: int) -> Around:
        """The event of a Space at a position (the one before it, where another Space has that), up
        to `before` and `after` events around it, and the checkpoints on either side.

        Raises:
            NotFound: there is no such Space.
        """
        with self.caller.read() as tx:
            return steps.around(tx, space, position, before=before, after=after, marks=MARKS)

    def newer(self, space: SpaceId, position: int) -> int:
        """How many events of a Space came after a position."""
        with self.caller.read() as tx:
            return steps.count_after(tx, space, position)

    def recent(self, space: SpaceId, after: int, most: int) -> Recent:
        """The newest events of a Space behind a position, at most so many, the newest first."""
        with self.caller.read() as tx:
            return steps.recent(tx, space, after=after, most=most)
