"""Copying what is under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.copyables import (
    Copyable,
    of_checkpoint,
    of_session,
    of_space,
    of_text,
    of_turn,
)
from smriti_tui.screens.copying import commands_of, open_copy_menu
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "copying"


class Copying:
    """An id in the lists, words in the chat; the menu has everything else."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        tree: TreePart,
        checkpoints: CheckpointsPart,
        transcript: Transcript,
    ) -> None:
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._tree = tree
        self._checkpoints = checkpoints
        self._transcript = transcript
        self.of_agents: Callable[[], str] = lambda: ""
        """What is taken of the row under the cursor of the agents."""

    def copy(self) -> None:
        """Copies what is selected, else the id, or the turn's text, under the cursor."""
        text = self._under_cursor()
        if text:
            copy_out(self._transcript.app, text)
        else:
            self._voice.say("There is nothing to copy here.")

    def menu(self) -> None:
        """Offers all that can be copied of what is under the cursor."""
        gather = self._gather()
        if gather is None:
            self._voice.say("There is nothing to copy here.")
            return
        app = self._transcript.app
        self._work.read(gather, lambda copies: open_copy_menu(app, copies), group=GROUP)

    def _under_cursor(self) -> str:
        if self._front.place == "spaces":
            return self._tree.marked[1]
        if self._front.place == "checkpoints":
            return self._checkpoints.marked or ""
        if self._front.place == "agents":
            return self.of_agents()
        return self._transcript.selected_text() or self._transcript.turn_text() or ""

    def _gather(self) -> Callable[[], Sequence[Copyable]] | None:
        """What reads everything that can be copied here; called in a thread."""
        if self._front.place == "spaces":
            return self._of_row(*self._tree.marked)
        if self._front.place == "checkpoints":
            marked = self._checkpoints.marked
            return None if marked is None else self._of_checkpoint(marked)
        if self._front.place == "agents":
            text = self.of_agents()
            return (lambda: list(of_text(text, "agents"))) if text else None
        return self._of_turn()

    def _of_row(self, kind: str, owner: str) -> Callable[[], Sequence[Copyable]] | None:
        services, commands = self._services, commands_of(self._transcript.app)
        if kind == "session":
            return lambda: of_session(services.sessions.get(SessionId(owner)), commands)
        if kind == "space":
            return lambda: of_space(services.spaces.find(owner), commands)
        return None

    def _of_checkpoint(self, wanted: CheckpointId) -> Callable[[], Sequence[Copyable]]:
        services, commands = self._services, commands_of(self._transcript.app)

        def gather() -> Sequence[Copyable]:
            found = services.checkpoints.get(wanted)
            space = services.spaces.get(found.body.space)
            return of_checkpoint(found, space.name, services.checkpoints.notes(wanted), commands)

        return gather

    def _of_turn(self) -> Callable[[], Sequence[Copyable]] | None:
        transcript, session = self._transcript, self._here.now.session
        chosen, number = transcript.selected_text(), transcript.selected_number
        first = [Copyable("Selected text", chosen, "selected.txt")] if chosen else []
        if session is None or number is None:
            return (lambda: first) if first else None
        arrived, commands = transcript.turn_text(number) or "", commands_of(transcript.app)

        def gather() -> Sequence[Copyable]:
            turns = self._services.sessions.turns(session, number, number)
            if not turns or turns[0].status == "running":
                return [*first, *of_text(arrived, f"turn-{number}")]
            return [*first, *of_turn(turns[0], commands)]

        return gather
