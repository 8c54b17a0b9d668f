"""Sending what is typed, asking again, stopping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.folds import Span
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Session
from smriti_tui.domain.render.short_times import clock
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.send import Listener, Sender
from smriti_tui.screens.desk.voice import HEAD, Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar

if TYPE_CHECKING:
    from smriti_tui.services import Services


class TalkPart:
    """What a person does to get answers; what cannot be done is answered with the reason."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        header: HeaderBar,
        sender: Sender,
        answers: Listener,
        draft: DraftPart,
        chat: ChatPart,
        going: Going,
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._header = header
        self._sender = sender
        self._answers = answers
        self._draft = draft
        self._chat = chat
        self._going = going

    def submit(self, text: str) -> None:
        """Sends what is typed; it stays where it is when that cannot be done."""
        session = self._here.now.session
        if not text.strip():
            self._voice.say("Type something to send.")
        elif self._sender.is_running(session):
            self._voice.say("An answer is still running. esc stops it; your text is kept.")
        elif session is None:
            self._submit_in_new(text)
        elif self._here.now.look is None or not self._draft.ready:
            self._voice.say("The session is still being read; your text is kept.")
        else:
            self._send(session, text, self._draft.spans)

    def _submit_in_new(self, text: str) -> None:
        """Without a session, the first message opens one: in the Space, or in none."""
        space, spans = self._here.now.space, self._draft.spans
        sessions = self._services.sessions
        if self._draft.is_on_way(None):
            self._voice.say("The session is still being opened; your text is kept.")
            return
        self._draft.sent(None, text, spans)

        def then(session: Session) -> None:
            behind = self._draft.moved_out(session.id)
            self._going.to_session(session.id, session.space)
            self._send(session.id, text, spans)
            self._draft.bring(behind)
            if session.space is None:
                self._voice.say("This session belongs to no Space, so it has no checkpoints.")

        def failed(error: SmritiError) -> None:
            self._draft.refused(None, text, spans)
            self._voice.fail(error, "new")

        self._work.run(
            lambda: sessions.new(space) if space else sessions.new_fresh(), then, failed,
            group="new",
        )  # fmt: skip

    def _send(self, session: SessionId, text: str, spans: tuple[Span, ...]) -> None:
        place = self._here.now
        seen = place.next.basis if place.next is not None else None
        self._sender.ask(session, text, place.model, seen, self._answers, spans)
        self._draft.sent(session, text, spans)
        self._header.change(moved=False)
        self._voice.settle(HEAD)
        self._chat.send(text, clock(self._services.caller.store.now()))

    def ask(self, session: SessionId, text: str, model: str | None) -> None:
        """Asks in a session that was just opened, before it is read; refused text goes into its
        prompt."""
        self._sender.ask(session, text, model, None, self._answers, ())
        self._draft.sent(session, text, ())

    def retry(self) -> None:
        """Asks the last question again; the answer becomes a sibling."""
        session = self._here.now.session
        if session is None:
            self._voice.say("No session is open.")
        elif self._sender.is_running(session):
            self._voice.say("An answer is still running. esc stops it.")
        elif self._here.now.look is None:
            self._voice.say("The session is still being read.")
        else:
            self._sender.ask(session, None, self._here.now.model, None, self._answers)
            self._chat.to_end()

    def stop(self) -> bool:
        """Stops the answer of the open session; False if none runs."""
        return self._sender.stop(self._here.now.session)

    def stop_or_say(self) -> None:
        """Stops the running answer."""
        if not self.stop():
            self._voice.say("No answer is running here.")
