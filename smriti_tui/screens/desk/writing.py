"""Everything that helps one write: mentions, commands, earlier prompts, the editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.editor import left_behind
from smriti_tui.screens.desk.earlier import EarlierPart
from smriti_tui.screens.desk.offers import OffersPart
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.screens.outside import edit_focused
from smriti_tui.widgets.offer_list import OfferList
from smriti_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from smriti_tui.actions import Action
    from smriti_tui.screens.workspace import WorkspaceScreen
    from smriti_tui.services import Services


class WritingPart:
    """Makes what the prompt asks about its keys, in the order in which it asks."""

    def __init__(
        self,
        screen: WorkspaceScreen,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        prompt: Prompt,
        offers: OfferList,
    ) -> None:
        self._screen = screen
        self._work = work
        self._voice = voice
        self._prompt = prompt
        self.earlier = EarlierPart(here, services, work, voice, prompt)
        self._offers = OffersPart(
            here, services, work, prompt, offers, self._commands, screen.action_run
        )
        prompt.helpers = (self._offers, self.earlier)

    @property
    def actions(self) -> Mapping[str, Callable[[], None]]:
        """By the ids of the action table."""
        return {
            "edit.external": lambda: edit_focused(self._screen.app),
            "prompt.unfold": self._unfold,
        }

    def tell_left_behind(self, home: Path) -> None:
        """Names the files of editors whose program was killed: what was written there is not
        lost."""

        def then(paths: list[Path]) -> None:
            if paths:
                names = ", ".join(map(str, paths))
                self._voice.tell(f"A text from an editor was never taken back: {names}")

        self._work.run(lambda: left_behind(home), then, group="editing")

    def typed(self) -> None:
        """The prompt's text changed."""
        self._offers.typed()

    def _commands(self) -> list[Action]:
        usable = self._screen.usable()
        return [action for action in self._screen.table.palette() if action.id in usable]

    def _unfold(self) -> None:
        if not self._prompt.unfold():
            self._voice.say("Nothing is folded in the prompt.")
