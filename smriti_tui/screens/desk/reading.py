"""Reading a turn outside, in the person's own pager."""

from __future__ import annotations

from smriti_tui.domain.ids import short
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.paging import page
from smriti_tui.widgets.transcript import Transcript


class ReadingOutside:
    """Opens the turn under the cursor."""

    def __init__(self, here: Here, voice: Voice, transcript: Transcript) -> None:
        self._here = here
        self._voice = voice
        self._transcript = transcript

    def turn(self) -> None:
        """The turn as it is stored; of one that streams what has come."""
        number, session = self._transcript.selected_number, self._here.now.session
        text = self._transcript.turn_text(number) if number is not None else None
        if not text:
            self._voice.say("There is no turn under the cursor.")
            return
        page(self._transcript.app, text, f"turn-{short(session or 'session')}-{number}.md")
