"""Forks from a checkpoint or after a turn, and a question that is asked in other words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId, short
from smriti_tui.domain.model import Turn
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.forking import Forked

GROUP = "fork"
Ask = Callable[[SessionId, str, "str | None"], None]


class Forks:
    """Each opens a new session on a new branch and goes there."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        chat: ChatPart,
        going: Going,
        ask: Ask,
    ) -> None:
        """`ask` sends a text in the session that is open, by a model."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._chat = chat
        self._going = going
        self._ask = ask
        self._typed: dict[tuple[str, int], str] = {}
        """Questions that were changed and not asked yet, as long as the program runs."""

    # ---- from a checkpoint ---------------------------------------------------------------------

    def from_checkpoint(self, checkpoint: CheckpointId) -> None:
        """Asks for the branch's name first."""
        forking = self._services.forking
        words = (
            f"A new session that stands on {short(checkpoint)}, on a branch of its own. "
            "It begins without turns."
        )

        def offer(name: str) -> None:
            self._dialog(words, name, lambda name: forking.from_checkpoint(checkpoint, branch=name))

        self._work.read(lambda: forking.offered_name(checkpoint), offer, group=GROUP)

    # ---- after a turn --------------------------------------------------------------------------

    def after_turn(self) -> None:
        """After the turn under the cursor, else after the newest one."""
        meant = self._meant()
        if meant is None:
            return
        session, number = meant
        forking = self._services.forking
        words = f"A new session with copies of what the model had after turn {number}."

        def offer(name: str) -> None:
            if name:
                self._dialog(
                    words, name, lambda name: forking.after_turn(session, number, branch=name)
                )
            else:  # In no Space there is no branch to name.
                self._work.run(
                    lambda: forking.after_turn(session, number), self._forked, group=GROUP
                )

        self._work.read(lambda: forking.offered_name(session, number), offer, group=GROUP)

    def _meant(self) -> tuple[SessionId, int] | None:
        """The open session and a turn of it; says why there is none."""
        place = self._here.now
        if place.session is None:
            self._voice.say("No session is open.")
            return None
        marked = self._chat.marked_number()
        last = place.look.view.last_seq if place.look is not None else 0
        number = marked or last
        if not number:
            self._voice.say("Nothing was said here yet.")
            return None
        return place.session, min(number, last)

    def _dialog(self, words: str, name: str, fork: Callable[[str], Forked]) -> None:
        from smriti_tui.screens.dialogs.fork import ForkDialog

        self._front.open_screen(ForkDialog(words, name, fork), self._forked)

    def _forked(self, made: Forked | None) -> None:
        if made is None:
            return
        self._going.to_session(made.session.id, made.session.space)
        self._front.go("prompt")
        self._voice.say(f"Forked: {_where(made)}.")

    # ---- a question in other words -------------------------------------------------------------

    def edit_question(self) -> None:
        """The question under the cursor, of an answer its question; else the last one."""
        meant = self._meant()
        if meant is None:
            return
        session, number = meant

        def then(question: Turn | None) -> None:
            if question is None:
                self._voice.say(f"There is no question at turn {number}.")
            else:
                self._edit(question)

        self._work.read(lambda: self._question(session, number), then, group="fork.question")

    def _question(self, session: SessionId, number: int) -> Turn | None:
        """In a thread."""
        turns = self._services.sessions.turns
        found = next(iter(turns(session, number, number)), None)
        if found is not None and found.question is not None:
            found = next(iter(turns(session, found.question, found.question)), None)
        return found if found is not None and found.role == "user" else None

    def _edit(self, question: Turn) -> None:
        from smriti_tui.screens.dialogs.edit_question import EditDialog

        session, number = question.session, question.sequence_number
        key, model = (session, number), self._here.now.model
        words = (
            f"Turn {number} stays as it is. These words are asked in a new session that has all "
            "the model had before it."
        )
        fork = self._services.forking.before_question
        dialog = EditDialog(
            words, self._typed.get(key, question.text), lambda: fork(session, number)
        )

        def then(made: Forked | None) -> None:
            self._typed.pop(key, None)
            if made is None:
                if dialog.typed != question.text:
                    self._typed[key] = dialog.typed
                    self._voice.say("Kept: it is there again when you come back to this turn.")
                return
            self._going.to_session(made.session.id, made.session.space)
            self._front.go("chat")
            self._ask(made.session.id, dialog.typed, model)
            self._voice.say(f"Asked on a fork: {_where(made)}.")

        self._front.open_screen(dialog, then)


def _where(made: Forked) -> str:
    """The branch, and what it begins with."""
    on = f"branch {named(made.branch)}" if made.branch else "a session in no Space"
    stands = f" from {short(made.checkpoint)}" if made.checkpoint else ""
    turns = counted(made.copied, "turn") if made.copied else "no turns"
    return f"{on}{stands}, {turns} copied"
