"""Going through the events of a Space: the strip follows at once, the panes once a key rests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.timer import Timer

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.past.course import KNOWN, Course
from smriti_tui.screens.past.opened import OpenMoment, OpenMoments
from smriti_tui.screens.past.panes import PastPanes, PastPlace, session_then
from smriti_tui.widgets.time_strip import TimeStrip
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.screens.past.time_travel import TimeTravel
    from smriti_tui.services import Services
    from smriti_tui.services.moments import Around

REST_S = 0.04
"""How long a key rests before the panes are read: a held one moves the strip alone."""
NOW = 2**62
"""A position behind every event."""


@dataclass(frozen=True)
class _Read:
    """The events around a position; with them the moment itself, unless it was not wanted any
    more."""

    around: Around
    moment: OpenMoment | None = None
    session: SessionId | None = None


class Travel:
    """Knows the events around, the place among them, and what is open of it."""

    def __init__(
        self,
        screen: TimeTravel,
        services: Services,
        config: Config,
        voice: Voice,
        place: PastPlace,
    ) -> None:
        self._screen = screen
        self._services = services
        self._voice = voice
        self._moments = OpenMoments(config)
        self._place = place
        self._unfolded = frozenset({str(place.space)})
        self.course: Course | None = None
        self.panes: PastPanes | None = None
        self._began: int | None = None
        """The newest event of the Space when one began to look back."""
        self._wanted = 0
        """Counts the reads: what an older one brings is dropped."""
        self._owed = 0
        """Events to go on by, once more of them are known."""
        self._rest: Timer | None = None

    @property
    def space(self) -> str:
        """Whose events these are."""
        return self._place.space

    # ---- moving ----------------------------------------------------------------------------------

    def begin(self, checkpoint: CheckpointId | None) -> None:
        """To the event that saved a checkpoint, else to the newest one."""
        if checkpoint is None:
            self.to(NOW)
            return
        find = self._services.moments.find
        hop(
            self._screen, lambda: find(checkpoint), lambda found: self.to(found.position),
            self._failed, group="past.find",
        )  # fmt: skip

    def step(self, by: int) -> None:
        """Some events back or forward."""
        course = self.course
        if course is None or self._owed:
            self._owed += by
            return
        if course.at_end(by):
            self._voice.say("This is the first event of the Space." if by < 0 else "This is now.")
            return
        self.course, self._owed = course.stepped(by)
        if self._owed:
            self._read(self.course.at)
        else:
            self._read_soon()
        self._show()

    def to_checkpoint(self, by: int) -> None:
        """To the checkpoint before or behind."""
        place = self.course.checkpoint(by) if self.course is not None else None
        if place is not None:
            self.to(place)
        else:
            self._voice.say(f"There is no checkpoint {'before' if by < 0 else 'after'} this.")

    def to_end(self, by: int) -> None:
        """To the first or the newest event."""
        if (course := self.course) is not None:
            self.to(course.around.first if by < 0 else course.around.last)

    def to(self, position: int) -> None:
        """To the event at a position, or the one before it."""
        self._owed = 0
        if self.course is not None and self.course.knows(position):
            self.course = replace(self.course, at=position)
            self._show()
            self._read_soon()
        else:
            self._read(position)

    def to_session(self, session: SessionId) -> None:
        """Another session, at the same moment."""
        self._place = replace(self._place, session=session, low=None)
        self._read_here()

    # ---- reading ---------------------------------------------------------------------------------

    def _read_soon(self) -> None:
        if self._rest is not None:
            self._rest.stop()
        self._wanted += 1  # What is on its way is late already.
        self._rest = self._screen.set_timer(REST_S, self._read_here)

    def _read_here(self) -> None:
        if self.course is not None:
            self._read(self.course.at)

    def _read(self, position: int) -> None:
        """Reads the events around a position, and opens that moment unless another is wanted by
        then."""
        self._wanted += 1
        wanted, place, owed = self._wanted, self._place, self._owed
        moments, opened = self._services.moments, self._moments

        def work() -> _Read:
            from smriti_tui.services.moments import Moment

            around = moments.around(place.space, position, KNOWN, KNOWN)
            if owed or wanted != self._wanted:
                return _Read(around)
            here = around.here
            moment = opened.open(Moment(here.position, here.recorded_at))
            try:
                with moment.reading():
                    return _Read(around, moment, session_then(moment.services, place))
            except BaseException:
                opened.end(moment)
                raise

        def then(found: _Read) -> None:
            if wanted != self._wanted:
                self._leave(found.moment)
                return
            self._take(found.around)
            if found.moment is not None:
                self._enter(found.moment, found.session)

        def failed(error: SmritiError) -> None:
            if wanted == self._wanted:
                self._failed(error)

        hop(self._screen, work, then, failed, group="past.read")

    def _failed(self, error: SmritiError) -> None:
        self._owed = 0
        self._voice.fail(error, "past")

    def _take(self, around: Around) -> None:
        self._voice.settle("past")
        if self._began is None:
            self._began = around.last
        newer = self.course.newer if self.course is not None else 0
        self.course = Course(around, around.here.position, newer)
        if self._owed:
            owed, self._owed = self._owed, 0
            self.course, _ = self.course.stepped(owed)
            self._read_soon()
        self._show()

    def _enter(self, moment: OpenMoment, session: SessionId | None) -> None:
        before, wanted = self.panes, self._place
        low = wanted.low
        if before is not None:
            low = before.low if before.here.now.session == session else None
            self._unfolded = before.tree.unfolded or self._unfolded
            self._leave(before.moment)
        place = replace(wanted, session=session, low=low)
        self.panes = PastPanes(self._screen, self._voice, moment, place, self._unfolded)
        self.panes.read()

    # ---- the present goes on ---------------------------------------------------------------------

    def recount(self) -> None:
        """Something was committed: it is counted, and nothing here moves."""
        course, began = self.course, self._began
        if course is None or began is None:
            return
        moments, space = self._services.moments, self._place.space

        def work() -> tuple[Around, int]:
            around = moments.around(space, course.at, KNOWN, KNOWN)
            return around, moments.newer(space, began)

        def then(found: tuple[Around, int]) -> None:
            now = self.course
            if now is not None:
                known = found[0] if found[0].here.position == now.at else now.around
                self.course = Course(known, now.at, found[1])
                self._show()

        hop(self._screen, work, then, lambda _: None, group="past.feed")

    def _show(self) -> None:
        if self.course is not None:
            me = self._services.caller.actor
            self._screen.query_one(TimeStrip).view = self.course.view(me)

    # ---- leaving ---------------------------------------------------------------------------------

    def _leave(self, moment: OpenMoment | None) -> None:
        if moment is not None:
            end = self._moments.end
            self._screen.run_worker(
                lambda: end(moment), group="past.end", thread=True, exit_on_error=False
            )

    def close(self) -> None:
        """Nothing of the past stays open. Waits for its turn at the database: in a thread, if there
        is time for one."""
        self._wanted += 1
        self.panes = None
        self._moments.close()
