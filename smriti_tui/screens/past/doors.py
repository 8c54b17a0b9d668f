"""From a moment to what is shown in full, and to a fork that is made now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.past.panes import PastPanes
from smriti_tui.screens.past.travel import Travel
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.past.time_travel import TimeTravel
    from smriti_tui.services import Services
    from smriti_tui.services.forking import Forked, ForkService


class PastDoors:
    """Opens rows, the context inspector and the way to another moment; each screen is imported
    when it is first opened."""

    def __init__(
        self, screen: TimeTravel, services: Services, voice: Voice, travel: Travel, typed: str
    ) -> None:
        self._screen = screen
        self._services = services
        self._voice = voice
        self._travel = travel
        self._typed = typed
        self._forking = False

    def row_opened(self, key: str) -> None:
        """A Space unfolds, a session of this Space opens, a checkpoint is shown."""
        kind, _, owner = key.partition(":")
        panes = self._travel.panes
        if panes is None:
            return
        if kind in ("space", "archived"):
            panes.tree.toggle(key)
        elif kind == "session":
            self._open_session(SessionId(owner))
        else:
            from smriti_tui.screens.checkpoint_view import CheckpointView

            view = CheckpointView(panes.moment.services, CheckpointId(key))
            self._screen.open_screen(view, self._viewed)

    def _viewed(self, wanted: object) -> None:
        if wanted is not None:
            self._screen.action_run("checkpoint.mount")

    def _open_session(self, session: SessionId) -> None:
        panes = self._travel.panes
        if panes is not None and panes.tree.space_of(session) == self._travel.space:
            self._screen.go("chat")
            self._travel.to_session(session)
        else:
            self._voice.say("These are the events of one Space; open that session from now.")

    def go_to(self) -> None:
        """To a moment that is named."""
        from smriti_tui.screens.past.go_to import GoTo

        def then(position: int | None) -> None:
            if position is not None:
                self._travel.to(position)

        self._screen.open_screen(GoTo(self._services), then)

    def context(self) -> None:
        """The context of the answer or checkpoint under the cursor, else of a send at that time."""
        from smriti_tui.screens.context import ContextScreen
        from smriti_tui.screens.context_reading import ContextAsked

        panes, place = self._travel.panes, self._screen.place
        if panes is None:
            return
        mounting = panes.checkpoints.marked if place == "checkpoints" else None
        answer = panes.chat.marked_answer() if place == "chat" else None
        now = panes.here.now
        if now.session is None and mounting is None:
            self._voice.say("There was no session then, so nothing would have been sent.")
            return
        asked = ContextAsked(
            session=now.session,
            space=panes.tree.space_name,
            answer=answer,
            mounting=mounting,
            message=self._typed,
            model=now.model,
        )
        screen = ContextScreen(panes.moment.services, asked)
        self._screen.open_screen(screen, lambda number: _reveal(panes.chat, number))

    # ---- a fork ----------------------------------------------------------------------------------

    def fork(self) -> None:
        """Made now, from what was there then."""
        panes, course = self._travel.panes, self._travel.course
        if panes is None or course is None or self._forking:
            return
        if panes.moment.position != course.at or not panes.is_read:
            self._voice.say("That moment is still being read.")
            return
        self._forking = True
        forking = self._services.forking

        def then(forked: Forked | None) -> None:
            self._forking = False
            if forked is None:
                self._voice.say("There was neither a turn nor a checkpoint then to fork from.")
            else:
                self._screen.leave_with(forked)

        def failed(error: SmritiError) -> None:
            self._forking = False
            self._voice.fail(error, "fork")

        hop(self._screen, lambda: _fork(forking, panes), then, failed, group="past.fork")


def _reveal(chat: ChatPart, number: int | None) -> None:
    if number is not None:
        chat.reveal(number)


def _fork(forking: ForkService, panes: PastPanes) -> Forked | None:
    point = panes.fork_point()
    if isinstance(point, tuple):
        return forking.after_turn(*point)
    return forking.from_checkpoint(point) if point is not None else None
