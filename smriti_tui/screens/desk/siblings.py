"""Several answers to one question: which of them is sent (DESIGN 10.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.model import Turn
from smriti_tui.domain.window import chosen_answers
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.entries import can_be_sent
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "siblings"


class Siblings:
    """Makes the previous or next answer of a question the one that is sent."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        chat: ChatPart,
        session: SessionPart,
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._chat = chat
        self._session = session

    def earlier(self) -> None:
        """The answer before the one that is sent."""
        self._step(-1)

    def later(self) -> None:
        """The answer behind the one that is sent."""
        self._step(1)

    def _step(self, by: int) -> None:
        answers = self._answers()
        if len(answers) < 2:
            self._voice.say(self._why_none(answers))
            return
        numbers = [turn.sequence_number for turn in answers]
        question = answers[0].question or 0
        look = self._here.now.look
        now = chosen_answers(look.turns if look else ()).get(question)
        at = (numbers.index(now) if now in numbers else len(numbers)) + by
        if 0 <= at < len(numbers):
            self._choose(numbers[at], at + 1, len(numbers))
        else:
            end = "first" if by < 0 else "last"
            self._voice.say(f"Answer {now} is the {end} of {len(numbers)}; it is sent.")

    def _answers(self) -> list[Turn]:
        """All answers with text to the question that is meant, in their order."""
        look = self._here.now.look
        turns = look.turns if look is not None else ()
        asked = [turn for turn in turns if turn.role == "assistant" and turn.question is not None]
        if not asked:
            return []
        marked = self._chat.marked_number()
        meant = [turn for turn in asked if marked in (turn.sequence_number, turn.question)]
        question = (meant or asked)[-1].question
        return [turn for turn in asked if turn.question == question and can_be_sent(turn)]

    def _why_none(self, answers: list[Turn]) -> str:
        again = self._voice.letter("R")
        if not answers:
            return f"There is no answer to choose here. {again} asks again."
        return f"Answer {answers[0].sequence_number} is the only one. {again} asks again."

    def _choose(self, answer: int, place: int, of: int) -> None:
        session = self._here.now.session
        if session is None:
            return

        def then(turn: Turn) -> None:
            number = turn.sequence_number
            self._voice.done(f"Answer {number} ({place} of {of}) is the one that is sent now.")
            if session == self._here.now.session:
                self._session.read(reveal=number)

        def refused(error: SmritiError) -> None:
            self._voice.say(" ".join(filter(None, (error.message, error.hint))))

        choose = self._services.chat.choose
        self._work.run(lambda: choose(session, answer), then, refused, group=GROUP)
