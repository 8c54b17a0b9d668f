"""Going from one session or Space to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.nudging import NudgePart
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.send import Sender
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.start import beside, is_there, newest_session, write_place
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import HEAD, Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar

if TYPE_CHECKING:
    from smriti_tui.services import Services


class PlaceKeeper:
    """Remembers where one is for the next start."""

    def __init__(
        self, here: Here, services: Services, work: Work, tree: TreePart, home: Path | None
    ) -> None:
        """Without `home` nothing is kept: a demo's places end with it."""
        self._here = here
        self._services = services
        self._work = work
        self._tree = tree
        self._home = home

    def keep(self) -> None:
        """Writes the place, if there is a database at all."""
        home, place, unfolded = self._home, self._here.now, self._tree.unfolded
        if home is not None and self._services.caller.store.exists():
            self._work.run(
                lambda: write_place(home, place.space, place.session, unfolded),
                lambda _: None,
                group="place",
            )


class Going:
    """Opens a session: every part forgets the one before, then reads."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        header: HeaderBar,
        sender: Sender,
        draft: DraftPart,
        tree: TreePart,
        checkpoints: CheckpointsPart,
        chat: ChatPart,
        session: SessionPart,
        keeper: PlaceKeeper,
        nudging: NudgePart,
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._header = header
        self._sender = sender
        self._draft = draft
        self._tree = tree
        self._checkpoints = checkpoints
        self._chat = chat
        self._session = session
        self._keeper = keeper
        self._nudging = nudging

    def to_session(self, session: SessionId | None, space: SpaceId | None) -> None:
        """Goes to a session; what is typed stays with the one before."""
        self._draft.keep()
        self._here.go(session, space)
        if space is not None:
            self._tree.unfold(space)
        for part in (self._checkpoints, self._chat, self._session, self._nudging):
            part.reset()
        self._sender.shown = session
        self._voice.settle(HEAD)
        self._header.change(
            branch="", mode="", out=0, moved=False, tokens=None, limit=None, model="", cost="",
        )  # fmt: skip
        self._tree.show()
        self._chat.show()
        self._draft.take(session)
        self._tree.read()
        if session is None:
            self._checkpoints.read()
        else:
            self._session.read(first=True)
        self._keeper.keep()

    def to_space(self, space: SpaceId) -> None:
        """Goes to a Space and the session in it that was changed last."""
        self._tree.unfold(space)
        self._work.run(
            lambda: newest_session(self._services, space),
            lambda session: self.to_session(session, space),
            group="space",
        )

    def leave_session(self, gone: SessionId, space: SpaceId | None) -> None:
        """The open session is gone: to the one of its list that was changed last. What was typed
        comes along."""

        def then(found: tuple[SessionId | None, SpaceId | None]) -> None:
            if self._here.now.session == gone:
                self._take_along(*found)

        self._work.run(lambda: beside(self._services, space, gone), then, group="leave")

    def leave_space(self, gone: SpaceId, space: SpaceId | None) -> None:
        """The open Space is gone: to another one. What was typed comes along."""

        def then(found: tuple[SessionId | None, SpaceId | None]) -> None:
            if self._here.now.space == gone:
                self._take_along(*found)

        self._work.run(lambda: beside(self._services, space, None), then, group="leave")

    def leave(self, told: str) -> None:
        """A read told, in one sentence, that something is gone: if it is what is open, one leaves.

        The read may have been of what was left meanwhile.
        """
        place = self._here.now
        session = place.session
        if session is None:
            self._voice.say(told)
            self._take_along(None, None)
            return

        def then(there: bool) -> None:
            if not there and session == self._here.now.session:
                self._voice.say(told)
                self.leave_session(session, place.space)

        self._work.run(lambda: is_there(self._services, session), then, group="leave")

    @property
    def typed(self) -> bool:
        """Whether something stands in the prompt."""
        return bool(self._draft.text.strip())

    def _take_along(self, session: SessionId | None, space: SpaceId | None) -> None:
        text = self._draft.carry()
        self.to_session(session, space)
        self._draft.bring(text)
