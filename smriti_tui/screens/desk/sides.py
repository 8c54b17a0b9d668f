"""Asking again with exactly one thing changed: what it is, and the screen that shows both."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Turn
from smriti_tui.domain.window import chosen_answers
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.send import Listener, Running, Sender
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.screens.sides.side_by_side import SideBySide
    from smriti_tui.services import Services
    from smriti_tui.services.model_list import ModelEntry
    from smriti_tui.services.sides import OldSide, OneChange
    from smriti_tui.services.steps import ChatStep

GROUP = "sides"
MODEL, SCOPE, PARAMETER, FORK = "model", "scope", "parameter", "fork"
MOST_MODELS = 9
"""Each has its digit."""


class SidesPart:
    """Chooses the one change, asks, and hears for the screen."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        sender: Sender,
        answers: Listener,
        chat: ChatPart,
        session: SessionPart,
        tree: TreePart,
        fork: Callable[[], None],
    ) -> None:
        """`answers` hears of every answer on its way; `fork` asks the marked question anew on a
        fork."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._sender = sender
        self._answers = answers
        self._chat = chat
        self._session = session
        self._tree = tree
        self._fork = fork

    # ---- what is changed -------------------------------------------------------------------------

    def open(self) -> None:
        """For the answer under the cursor, or that of the question there; else the newest."""
        session = self._here.now.session
        number = self._meant()
        if session is None or number is None:
            self._voice.say("There is no answer here to set another one beside.")
        elif self._sender.is_running(session):
            self._voice.say("An answer is still running. esc stops it.")
        else:
            self._work.run(
                lambda: self._look(session, number), self._ask_what, self._refused, group=GROUP
            )

    def _look(self, session: SessionId, number: int) -> tuple[OldSide, tuple[ModelEntry, ...]]:
        """All that the dialogs need, so that none of them keeps a key waiting. In a thread."""
        # Loads the services, so it is imported in the thread.
        from smriti_tui.services.model_list import model_entries

        chat, settings = self._services.chat, self._services.settings.now
        return chat.old_side(session, number), model_entries(chat, settings.model_names())

    def _meant(self) -> int | None:
        look, marked = self._here.now.look, self._chat.marked_number()
        turns = look.turns if look is not None else ()
        answers = [turn for turn in turns if turn.question is not None]
        if any(turn.sequence_number == marked for turn in answers):
            return marked
        questions = [turn.question for turn in answers]
        question = marked if marked in questions else (questions or [None])[-1]
        if question is None:
            return None
        of_it = [turn.sequence_number for turn in answers if turn.question == question]
        return chosen_answers(turns).get(question) or of_it[-1]

    def _refused(self, error: SmritiError) -> None:
        """Where only a fork could do it, that is offered."""
        if not (isinstance(error, Conflict) and error.code == "no_sibling"):
            self._voice.say(" ".join(filter(None, (error.message, error.hint))))
            return
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        words = f"{error.message} Another answer there would not be sent on this line."
        ways = ((FORK, "Ask it again, in other words too, on a fork"),)

        def chosen(way: str | None) -> None:
            if way == FORK:
                self._fork()

        self._front.open_screen(ChoiceDialog("Side by side", words, ways), chosen)

    def _ask_what(self, found: tuple[OldSide, tuple[ModelEntry, ...]]) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        old, models = found
        scope = 1 if old.request.scope == 3 else 3
        ways = [(MODEL, f"The model: another one than {old.request.model}")]
        if scope == 1 or old.checkpoints > 1:
            of = "checkpoint" if scope == 1 else "checkpoints"
            ways.append((SCOPE, f"The scope: {scope} {of} instead of {old.request.scope}"))
        if not old.request.model.startswith("demo/"):
            ways.append((PARAMETER, "A parameter of the call, such as temperature"))
        number = old.turn.sequence_number
        words = f"Answer {number} is asked for once more. Exactly one thing is different:"
        acts: Mapping[str, Callable[[], None]] = {
            MODEL: lambda: self._ask_model(old, models),
            SCOPE: lambda: self._begin(old, f"scope {scope}", scope=scope),
            PARAMETER: lambda: self._ask_parameter(old),
        }

        def chosen(way: str | None) -> None:
            if way is not None:
                acts[way]()

        self._front.open_screen(ChoiceDialog("Side by side", words, ways), chosen)

    def _ask_model(self, old: OldSide, found: tuple[ModelEntry, ...]) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        usable = [each for each in found if each.limit and each.model != old.request.model]
        ways = [(each.name, f"{each.name}   {each.key}") for each in usable[:MOST_MODELS]]
        if not ways:
            self._voice.say("There is no other model that can be asked. ctrl+t adds one.")
            return
        words = f"It gets the context of answer {old.turn.sequence_number}, byte for byte."

        def chosen(name: str | None) -> None:
            if name is not None:
                self._begin(old, MODEL, model=name)

        self._front.open_screen(ChoiceDialog("Which model?", words, ways), chosen)

    def _ask_parameter(self, old: OldSide) -> None:
        from smriti_tui.screens.sides.parameter import ParameterDialog

        now = {name: v for name, v in old.request.params.items() if name != "max_tokens"}

        def chosen(params: dict[str, object] | None) -> None:
            if params is not None:
                (name, value), *_ = params.items()
                self._begin(old, f"{name} = {json.dumps(value)}", params=params)

        self._front.open_screen(ParameterDialog(now), chosen)

    # ---- asking ----------------------------------------------------------------------------------

    def _begin(
        self,
        old: OldSide,
        words: str,
        *,
        model: str | None = None,
        scope: int | None = None,
        params: Mapping[str, object] | None = None,
    ) -> None:
        from smriti_tui.screens.sides.side_by_side import SideBySide, SidesAsked
        from smriti_tui.services.sides import OneChange

        session = old.turn.session
        if self._sender.is_running(session):
            self._voice.say("An answer is still running. esc stops it.")
            return
        change = OneChange(model, scope, params)
        asked = SidesAsked(
            session, old.turn, words, self._tree.space_name, old.request.estimate.tokens,
            same=scope is None,
        )  # fmt: skip
        side = _Side(self, session)
        screen = side.screen = SideBySide(self._services, asked, side)
        self._front.open_screen(screen, self._left)
        steps = self._services.chat.beside(
            session, old.turn.sequence_number, change, via=self._alias(old, change)
        )
        self._sender.follow(_tapped(steps, screen.arrived), Running(session, None, side))

    def _alias(self, old: OldSide, change: OneChange) -> str | None:
        """The name by which the old answer's model is set up, if it is that of the next send:
        several entries may have the same model."""
        name = self._here.now.model
        if change.model is not None or name is None:
            return None
        try:
            same = self._services.chat.resolve(name).model == old.request.model
        except SmritiError:
            return None
        return name if same else None

    def _left(self, number: int | None) -> None:
        if number is not None:
            self._voice.done(f"Answer {number} is the one that is sent now.")
        else:
            self._voice.say("What is sent stays as it was; { and } switch between the answers.")
        self._session.read(reveal=number)

    # ---- for the screen --------------------------------------------------------------------------

    def stop(self, session: SessionId) -> bool:
        """Stops the new answer; False if it is over."""
        return self._sender.stop(session)

    def choose(self, session: SessionId, number: int, then: Callable[[], None]) -> None:
        """Makes an answer the one that is sent."""
        choose = self._services.chat.choose

        def refused(error: SmritiError) -> None:
            self._voice.say(" ".join(filter(None, (error.message, error.hint))))

        self._work.run(lambda: choose(session, number), lambda _: then(), refused, group=GROUP)

    @property
    def answers(self) -> Listener:
        """Who hears of every answer."""
        return self._answers


class _Side:
    """Tells the screen and the desk what becomes of the new answer."""

    def __init__(self, part: SidesPart, session: SessionId) -> None:
        self._part = part
        self._session = session
        self.screen: SideBySide | None = None

    def stop(self) -> bool:
        return self._part.stop(self._session)

    def choose(self, number: int, then: Callable[[], None]) -> None:
        self._part.choose(self._session, number, then)

    def stored(self, running: Running) -> None:
        self._part.answers.stored(running)

    def said(self, words: str) -> None:
        self._part.answers.said(words)

    def ended(self, running: Running, turn: Turn | None) -> None:
        self._part.answers.ended(running, turn)
        if self.screen is not None:
            self.screen.ended(turn, running.live.number if running.live else None)

    def refused(self, running: Running, error: SmritiError | None) -> None:
        self._part.answers.refused(running, None)
        if self.screen is not None:
            self.screen.refused(error)


async def _tapped(
    steps: AsyncGenerator[ChatStep, None], tell: Callable[[ChatStep], None]
) -> AsyncGenerator[ChatStep, None]:
    """The same steps, each of them told."""
    async with aclosing(steps):
        async for step in steps:
            tell(step)
            yield step
