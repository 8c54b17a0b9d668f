"""Mounting a checkpoint in the open session, and going back to HEAD."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId, short
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.sessions import Mounted

GROUP = "mount"


class Mounts:
    """Each mount opens a new line of the session."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        answering: Callable[[SessionId | None], bool],
        read_session: Callable[[], None],
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._answering = answering
        self._read_session = read_session

    def mount(self, checkpoint: CheckpointId | None) -> None:
        """Opens a new line on a checkpoint."""
        session = self._here.now.session
        if checkpoint is None:
            self._voice.say("There is no checkpoint to mount here.")
        elif session is None:
            self._voice.say("Open a session first: ctrl+n makes one.")
        elif self._answering(session):
            self._voice.say("An answer is still running. esc stops it, then mount.")
        else:
            mount = self._services.sessions.mount
            self._work.run(lambda: mount(session, checkpoint), self._mounted, group=GROUP)

    def _mounted(self, mounted: Mounted) -> None:
        name = short(mounted.checkpoint or "")
        out = mounted.history_base_seq
        turns = "no turn was there" if not out else f"turns 1-{out} stay out"
        self._voice.done(f"Mounted {name}: {turns}.")
        self._read_session()

    def unmount(self) -> None:
        """Back to the HEAD line."""
        session, look = self._here.now.session, self._here.now.look
        if session is None or look is None or look.session.current_line == 1:
            self._voice.say("Nothing is mounted in this session.")
        elif self._answering(session):
            self._voice.say("An answer is still running. esc stops it, then unmount.")
        else:
            unmount = self._services.sessions.unmount
            self._work.run(lambda: unmount(session), self._unmounted, group=GROUP)

    def _unmounted(self, mounted: Mounted) -> None:
        self._voice.done("Back on HEAD: the turns of the mounted line stay out.")
        self._read_session()
