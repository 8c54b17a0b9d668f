"""Time travel: which event is meant, and what happened around it."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.services.caller import Caller
from smriti_tui.store.moments import Moment, moment


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
