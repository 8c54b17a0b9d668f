"""Reading a turn outside, in the person's own pager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.ids import short
from smriti_tui.domain.imported import Detail
from smriti_tui.domain.render.detail_text import details_text
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.screens.paging import page
from smriti_tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from smriti_tui.services import Services


class ReadingOutside:
    """Opens the turn under the cursor."""

    def __init__(
        self, here: Here, services: Services, work: Work, voice: Voice, transcript: Transcript
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._transcript = transcript

    def turn(self) -> None:
        """The turn as it is stored; of one that streams what has come."""
        number, session = self._transcript.selected_number, self._here.now.session
        text = self._transcript.turn_text(number) if number is not None else None
        if not text:
            self._voice.say("There is no turn under the cursor.")
            return
        name = f"turn-{short(session or 'session')}-{number}.md"
        if session is None or number is None or not self._transcript.has_details(number):
            page(self._transcript.app, text, name)
            return

        def shown(details: list[Detail]) -> None:
            page(self._transcript.app, f"{text}\n\n{details_text(details)}", name)

        details = self._services.importing.details
        self._work.run(lambda: details(session, number), shown, group="details")
