"""What the panes show of one moment: the parts of the desk, on its services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.model import MAIN
from smriti_tui.domain.window import reasons
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.copying import Copying
from smriti_tui.screens.desk.place import Here, Place
from smriti_tui.screens.desk.preview import PreviewPart
from smriti_tui.screens.desk.reading import ReadingOutside
from smriti_tui.screens.desk.session import Heard, SessionPart
from smriti_tui.screens.desk.start import newest_session
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.past.opened import MomentWork, OpenMoment
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.preview_pane import PreviewPane
from smriti_tui.widgets.spaces_pane import SpacesPane
from smriti_tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from smriti_tui.screens.past.time_travel import TimeTravel
    from smriti_tui.services import Services


@dataclass(frozen=True)
class PastPlace:
    """Where one looks, whatever the moment."""

    space: SpaceId
    session: SessionId | None
    low: int | None = None
    """From which turn on it was read, where one has gone up."""


ForkPoint = tuple[SessionId, int] | CheckpointId
"""What a fork from a moment stands on: a turn of a session, else a checkpoint."""


def session_then(services: Services, place: PastPlace) -> SessionId | None:
    """The session that is looked at, if it was there; else the one of its Space that was changed
    last. In a thread."""
    if place.session is not None:
        try:
            return services.sessions.get(place.session).id
        except NotFound:
            pass
    return newest_session(services, place.space)


class PastPanes:
    """One moment in the panes. The next moment has another one, on the same widgets."""

    def __init__(
        self,
        screen: TimeTravel,
        voice: Voice,
        moment: OpenMoment,
        place: PastPlace,
        unfolded: frozenset[str],
    ) -> None:
        """`place` names a session that was there then."""
        self.moment = moment
        services = moment.services
        self.here = here = Here(Place(place.space, place.session))
        self._work = work = MomentWork(screen, voice, moment)
        self._header = header = screen.query_one(HeaderBar)
        transcript = screen.query_one(Transcript)
        self.tree = TreePart(
            here, services, work, screen.query_one(SpacesPane), header, frozenset, loads.Tree(),
            unfolded,
        )  # fmt: skip
        self.checkpoints = CheckpointsPart(here, services, work, screen.query_one(CheckpointsPane))
        self.chat = ChatPart(here, services, work, voice, screen.query_one(ChatPane), transcript)
        heard = Heard(_nothing, self.checkpoints.read, self._count)
        self.session = SessionPart(here, services, work, header, self.chat, heard)
        self.session.begin_at(place.low)
        self.preview = PreviewPart(services, work, self.checkpoints, screen.query_one(PreviewPane))
        self.checkpoints.shown = self.preview.follow
        self.copying = Copying(
            screen, here, services, work, voice, self.tree, self.checkpoints, transcript
        )
        self.outside = ReadingOutside(here, services, work, voice, transcript)

    def read(self) -> None:
        """Reads all of it; what the panes show stays until it is there."""
        place = self.here.now
        live = f"AT EVENT {self.moment.position}"
        self._header.change(live=live, clock="", branch="", mode="", out=0, model="", moved=False)
        self.tree.read()
        if place.session is None:
            self.chat.show()
            self.checkpoints.read()
        else:
            self.session.read()

    def _count(self) -> None:
        """The next send as it would have been, in the top line."""
        session, services = self.here.now.session, self.moment.services
        if session is None:
            return

        def then(look: loads.NextLook) -> None:
            again = self.here.now.window != look.window
            self.here.counted(look)
            self._header.change(
                tokens=look.tokens, limit=look.limit, assumed=look.assumed, model=look.model,
                out=look.out,
            )  # fmt: skip
            if again:
                self.chat.show()

        model = self.here.now.model
        self._work.read(
            lambda: loads.look_ahead(services, session, "", model, MentionRule()),
            then,
            group="ahead",
        )

    @property
    def low(self) -> int | None:
        """From which turn on the session is read; None while one is at its end."""
        look = self.here.now.look
        return None if look is None or self.chat.follows else look.low

    @property
    def is_read(self) -> bool:
        """Whether the session of then is there, if there was one."""
        return self.here.now.session is None or self.here.now.look is not None

    def _head_of(self, space: SpaceId | None) -> CheckpointId | None:
        """Without a session, what one would have begun with."""
        if space is None:
            return None
        with self.moment.reading():
            branches = self.moment.services.spaces.branches(space)
        return next((branch.tip for branch in branches if branch.name == MAIN), None)

    def fork_point(self) -> ForkPoint | None:
        """Where a fork from here would begin: behind the last turn that a model would have got
        then, else on the state of then. None where there was neither. In a thread."""
        place = self.here.now
        look = place.look
        if look is None:
            return self._head_of(place.space)
        view = look.view
        line = [turn for turn in look.turns if turn.line == view.line.line]
        above = [turn for turn in line if turn.sequence_number > view.floor]
        sent = [number for number, why in reasons(above).items() if why is None]
        if sent:
            return look.session.id, max(sent)
        return view.anchor.id if view.anchor is not None else None


def _nothing() -> None:
    """Nobody needs to know."""
