"""The way through the events of a Space: which ones are known, and where one is among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import short
from smriti_tui.domain.render.event_words import event_actor, event_words
from smriti_tui.domain.render.short_times import day_clock
from smriti_tui.widgets.time_strip import StripMark, StripStep, StripView

if TYPE_CHECKING:
    from smriti_tui.services.moments import Around, Step

KNOWN = 24
"""Events on either side that are read at once, so that a held key need not wait."""
SHOWN = 6
"""Events on either side that the strip may show."""


@dataclass(frozen=True)
class Course:
    """The events around a place, as they were read, and the place now."""

    around: Around
    at: int
    """Position of one of the events."""
    newer: int = 0
    """Events of the Space that came since one looks back."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The known events, ascending."""
        return (*self.around.before, self.around.here, *self.around.after)

    @property
    def _index(self) -> int:
        return next(i for i, step in enumerate(self.steps) if step.position == self.at)

    @property
    def step(self) -> Step:
        """The event of now."""
        return self.steps[self._index]

    def stepped(self, by: int) -> tuple[Course, int]:
        """Moves by some events, as far as they are known; and how many are still owed."""
        wanted = self._index + by
        reached = min(max(wanted, 0), len(self.steps) - 1)
        return replace(self, at=self.steps[reached].position), wanted - reached

    def at_end(self, by: int) -> bool:
        """Whether there is nothing further in a direction."""
        return self.at == (self.around.first if by < 0 else self.around.last)

    def checkpoint(self, by: int) -> int | None:
        """Position of the previous or next checkpoint, None without one."""
        marks = [mark.position for mark in self._marks()]
        if by < 0:
            return max((place for place in marks if place < self.at), default=None)
        return min((place for place in marks if place > self.at), default=None)

    def knows(self, position: int) -> bool:
        """Whether an event is among those that were read."""
        return any(step.position == position for step in self.steps)

    def _marks(self) -> Sequence[StripMark]:
        around = self.around
        own = (around.mark,) if around.mark is not None else ()
        found = (*around.marks_before, *own, *around.marks_after)
        return [StripMark(mark.position, short(mark.checkpoint)) for mark in found]

    def view(self, me: str) -> StripView:
        """As the strip shows it to the person `me`."""
        at = self._index
        told = [
            StripStep(
                step.position,
                event_actor(step.type, step.facts, step.actor, me),
                event_words(step.type, step.facts, self.around.branches),
            )
            for step in self.steps[max(at - SHOWN, 0) : at + SHOWN + 1]
        ]
        here = min(at, SHOWN)
        by = replace(told[here], actor="you") if self.step.actor == me else told[here]
        return StripView(
            here=by,
            before=tuple(told[:here]),
            after=tuple(told[here + 1 :]),
            marks=tuple(self._marks()),
            when=day_clock(self.step.recorded_at),
            newest=self.around.newest,
            last=self.around.last,
            newer=self.newer,
        )
