"""Undo and redo: what came back is said, and shown by the feed like any other write."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict, NotFound, SmritiError
from smriti_tui.domain.ids import SpaceId
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.unsent import UnsentKeeper
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.undoing import Undone

GROUP = "undo"


class Undoing:
    """Undoes the person's newest action, in whatever pane it was done, or does it again."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        draft: DraftPart,
        unsent: UnsentKeeper,
        going: Going,
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._draft = draft
        self._unsent = unsent
        self._going = going
        self._asked: deque[bool] = deque()
        """Undo (False) and redo (True) in the order of the keys; the first is on its way."""

    def undo(self) -> None:
        """The newest action is undone."""
        self._ask(False)

    def redo(self) -> None:
        """What was undone last is done again."""
        self._ask(True)

    def _ask(self, again: bool) -> None:
        self._asked.append(again)
        if len(self._asked) == 1:
            self._draft.keep()
            self._next()

    def _next(self) -> None:
        again = self._asked[0]
        undoing = self._services.undoing

        def work() -> tuple[Undone | None, SpaceId | None]:
            self._unsent.write()  # A session in which something is typed is not taken away.
            done = undoing.redo() if again else undoing.undo()
            return done, self._space_of(done)

        def then(found: tuple[Undone | None, SpaceId | None]) -> None:
            self._told(found[0], found[1], again)
            self._go_on()

        def failed(error: SmritiError) -> None:
            if isinstance(error, Conflict):
                self._voice.say(" ".join(filter(None, (error.message, error.hint))))
            else:
                self._voice.fail(error, GROUP)
            self._go_on()

        self._work.run(work, then, failed, group=GROUP)

    def _go_on(self) -> None:
        self._asked.popleft()
        if self._asked:
            self._next()

    def _space_of(self, done: Undone | None) -> SpaceId | None:
        """Where a session lies that is there again."""
        if done is None or done.session is None or not done.there:
            return None
        try:
            return self._services.sessions.get(done.session).space
        except NotFound:  # Somebody was quicker.
            return None

    def _told(self, done: Undone | None, space: SpaceId | None, again: bool) -> None:
        if done is None:
            stays = "Nothing to undo: what was sent, saved or deleted stays."
            nothing = "Nothing to do again." if again else stays
            self._voice.say(nothing)
            return
        place = self._here.now
        if done.there is True:
            self._going.to_session(done.session, space)
        elif done.there is False and done.session is not None and done.session == place.session:
            self._going.leave_session(done.session, place.space)
        if again:
            self._voice.done(f"Done again: {done.what}.")
        else:
            self._voice.done(f"Undone: {done.what}.", undo="edit.redo")
