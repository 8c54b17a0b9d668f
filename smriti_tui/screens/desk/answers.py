"""What becomes of a send: stored, ended, or refused with the reason told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import ContextMoved, ProviderError, SmritiError
from smriti_tui.domain.model import Turn
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.entries import again, turn_view
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.send import Running
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.voice import DATABASE, MODEL, SEND, Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services


class Answers:
    """Hears of every answer on its way, in whatever session."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        draft: DraftPart,
        chat: ChatPart,
        session: SessionPart,
        read_tree: Callable[[], None],
        over: Callable[[], None],
    ) -> None:
        """`over` is called when an answer has ended, however."""
        self._over = over
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._draft = draft
        self._chat = chat
        self._session = session
        self._read_tree = read_tree

    def said(self, words: str) -> None:
        """A short word on a retry or on loading."""
        self._voice.say(words)

    def stored(self, running: Running) -> None:
        """Question and answer have their numbers: what kept others from being sent is gone."""
        self._voice.settle(SEND, MODEL, DATABASE)
        self._draft.stored(running.session)
        self._read_tree()

    def ended(self, running: Running, turn: Turn | None) -> None:
        """Shows the answer as it is stored."""
        self._over()
        session, live = running.session, running.live
        self._read_tree()
        if session != self._here.now.session or live is None:
            return
        if turn is not None:
            self._end_live(turn)
            return
        number = live.number

        def then(turns: list[Turn]) -> None:
            if session == self._here.now.session and turns:
                self._end_live(turns[0])

        self._work.run(
            lambda: self._services.sessions.turns(session, number, number), then, group="ended"
        )

    def _end_live(self, turn: Turn) -> None:
        if turn.status == "stopped" and not turn.text:
            self._voice.say("Stopped before anything arrived. up brings your text back.")
        bad = turn.status in ("failed", "cut", "stopped")
        self._chat.end_live(turn_view(turn, hint=again(self._voice.letter) if bad else ""))
        self._session.read()

    def refused(self, running: Running, error: SmritiError | None) -> None:
        """Nothing was stored: the text goes back to where it was typed, and the reason is told."""
        self._over()
        if running.text is not None:
            self._draft.refused(running.session, running.text, running.spans)
        if running.session == self._here.now.session:
            self._chat.unsend()
        if isinstance(error, ContextMoved):
            self._session.read()
            hint = "Your text is kept. enter sends it, f3 shows with what."
            self._voice.tell(error.message, hint, cause=SEND)
        elif isinstance(error, ProviderError) and error.kind == "not_configured":
            hint = f"ctrl+t chooses a model. {error.hint}"
            self._voice.tell(error.message, hint, cause=MODEL)
        elif error is not None:
            self._voice.fail(error, SEND)
