"""Earlier prompts: up and down in the prompt. What was being written waits and is never lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.folds import kept, taken
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from smriti_tui.services import Services

WRITING = -1
"""The place below the newest earlier prompt: what is being written."""


class EarlierPart:
    """Walks through the prompts that were sent; each is a copy that may be changed."""

    def __init__(
        self, here: Here, services: Services, work: Work, voice: Voice, prompt: Prompt
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._prompt = prompt
        self._texts: tuple[str, ...] | None = None
        self._at = WRITING
        self.aside = ""
        """What was being written when the walk began, as it is kept; "" outside a walk."""
        self._changed: dict[int, str] = {}
        """Copies that were changed on this walk, by their place."""
        self._asked = 0

    @property
    def walking(self) -> bool:
        """Whether an earlier prompt stands where one writes."""
        return self._at != WRITING

    @property
    def untouched(self) -> bool:
        """Whether the earlier prompt stands there as it was sent."""
        texts = self._texts or ()
        return 0 <= self._at < len(texts) and self._prompt.text == texts[self._at]

    def key(self, key: str) -> bool:
        """`up` on the first line, `down` on the last one while walking."""
        prompt = self._prompt
        at = prompt.cursor_location
        if key == "up" and prompt.navigator.is_first_wrapped_line(at):
            self._back()
            return True
        if key == "down" and self.walking and prompt.navigator.is_last_wrapped_line(at):
            self._forth()
            return True
        return False

    def forget(self) -> str:
        """Another session, or sent: the walk ends; what was being written, as it is kept."""
        aside, self.aside = self.aside, ""
        self._texts, self._at = None, WRITING
        self._changed.clear()
        self._asked += 1
        return aside

    def resume(self, aside: str) -> None:
        """After a crash in the middle of a walk: `down` leads to what was being written."""
        self.aside, self._at = aside, 0

    def _back(self) -> None:
        if self._texts is not None:
            self._show(self._at + 1)
            return
        place = self._here.now
        self._asked += 1
        asked = self._asked

        def read() -> tuple[str, ...]:
            # Loads the services, so it is imported in the thread.
            from smriti_tui.services.prompts import PromptService

            return PromptService(self._services.caller).earlier(place.session, place.space)

        def then(texts: tuple[str, ...]) -> None:
            if asked == self._asked:
                self._texts = texts
                self._show(self._at + 1)

        self._work.read(read, then, group="earlier")

    def _show(self, at: int) -> None:
        texts = self._texts or ()
        if at < len(texts) and not self.walking and texts[at] == self._prompt.text:
            at += 1
        if at >= len(texts):
            self._voice.say("There is no earlier prompt." if texts else "No prompt was sent yet.")
            return
        if not self.walking:
            self.aside = kept(self._prompt.text, self._prompt.spans)
        self._put(at)
        self._prompt.move_cursor((0, 0))

    def _put(self, at: int) -> None:
        texts = self._texts or ()
        if self.walking and not self.untouched:
            self._changed[self._at] = self._prompt.text
        self._at = at
        self._prompt.put(self._changed.get(at, texts[at]))

    def _forth(self) -> None:
        if self._at > 0 and self._texts is not None:
            self._put(self._at - 1)
        else:
            aside, self.aside, self._at = self.aside, "", WRITING
            self._prompt.put(*taken(aside))
