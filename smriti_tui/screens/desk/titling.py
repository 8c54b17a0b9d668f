"""Asking the background model for a session's title, beside everything else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from textual.dom import DOMNode

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Session
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.worker import OneCall, as_typed

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "title"
TITLE = "a title"


class TitlePart:
    """One call at a time; the same action again stops it."""

    def __init__(
        self, node: DOMNode, services: Services, voice: Voice, read_tree: Callable[[], None]
    ) -> None:
        self._call = OneCall(node, GROUP)
        self._services = services
        self._voice = voice
        self._read_tree = read_tree

    def title(self, session: Session) -> None:
        """Asks for a title and gives it to the session, or stops the call that runs."""
        if not self._call.stop():
            self._call.start(self._follow(session))

    async def _follow(self, session: Session) -> None:
        from smriti_tui.services.background import Asked, progress
        from smriti_tui.services.titling import Titled

        said = False
        try:
            async with aclosing(self._services.titling.title(session.id)) as steps:
                async for step in steps:
                    if isinstance(step, Titled):
                        said = True
                        self._voice.settle(GROUP)
                        self._voice.done(f"Titled: {step.session.title}.")
                    elif words := progress(step, TITLE):
                        again = ". The same command stops it." if isinstance(step, Asked) else ""
                        self._voice.say(f"{words[0].upper()}{words[1:]}{again}")
        # Whatever goes wrong on the way is told where the person looks.
        except Exception as error:  # noqa: BLE001
            said = True
            self._told(as_typed(error))
        finally:
            self._call.over()
            if not said:
                self._voice.say(f"Stopped. {session.label} keeps its title.")
            self._read_tree()

    def _told(self, error: SmritiError) -> None:
        if error.code in ("no_turns", "renamed"):
            self._voice.say(str(error))
        else:
            self._voice.fail(error, GROUP)

    async def stop(self) -> None:
        """Stops the call and waits until its end is stored."""
        await self._call.put_away()

    async def suggest(self, session: SessionId, say: Callable[[str], None]) -> str:
        """A title that is only proposed; `say` is told how far it is.

        Raises: as `TitleService.suggest`.
        """
        from smriti_tui.services.background import progress
        from smriti_tui.services.titling import Suggested

        title = ""
        async with aclosing(self._services.titling.suggest(session)) as steps:
            async for step in steps:
                if isinstance(step, Suggested):
                    title = step.title
                elif words := progress(step, TITLE):
                    say(words)
        return title
