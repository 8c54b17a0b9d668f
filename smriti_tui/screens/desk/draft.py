"""What stands in the prompt: it belongs to its session and is kept until it is in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.unsent import UnsentKeeper, thing
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from smriti_tui.services.unsent import Held

GROUP = "unsent.take"


class DraftPart:
    """Puts text into the prompt and keeps what is typed there."""

    def __init__(
        self,
        here: Here,
        work: Work,
        voice: Voice,
        prompt: Prompt,
        unsent: UnsentKeeper,
        answering: Callable[[SessionId | None], bool],
    ) -> None:
        """`answering` tells whether an answer is on its way in a session."""
        self._here = here
        self._work = work
        self._voice = voice
        self._prompt = prompt
        self._unsent = unsent
        self._answering = answering
        self._owner: str | None = None
        """What the text in the prompt belongs to; None while that is still being read."""

    @property
    def text(self) -> str:
        """What is typed."""
        return self._prompt.text

    def typed(self) -> None:
        """The text changed: keeps it soon."""
        # An empty prompt right after a send is no reason to forget the text: it is not stored yet.
        forget = not self._prompt.text and self._answering(self._here.now.session)
        if self._owner is not None and not forget:
            self._unsent.later(self._owner, self._prompt.text)

    def keep(self) -> None:
        """Keeps the text now: another session is opened, or the program ends."""
        if self._owner is not None:
            self._unsent.later(self._owner, self._prompt.text)
            self._unsent.now()

    def show_home(self) -> None:
        """Says at the prompt when what is sent belongs to no Space."""
        place = self._here.now
        self._prompt.show_home(in_space=place.space is not None, open_session=bool(place.session))

    def take(self, session: SessionId | None) -> None:
        """Brings back what was typed in a session; nothing that was typed meanwhile is lost."""
        self.show_home()
        if self._owner is not None:
            self._prompt.put("")
        self._owner = None

        def then(held: Held) -> None:
            if session == self._here.now.session:
                self._owner = thing(session)
                self._put_back(held)

        def failed(error: SmritiError) -> None:
            if session == self._here.now.session:
                self._owner = thing(session)
            self._work.read_failed(error, GROUP)

        self._work.run(lambda: self._unsent.take(thing(session)), then, failed, group=GROUP)

    def _put_back(self, held: Held) -> None:
        self._prompt.put(f"{held.text}{self._prompt.text}")
        if held.adopted and held.text:
            self._voice.say("Unsent text of an earlier run is back in the prompt.")
        for other in held.elsewhere:
            self._voice.say(f"Process {other.pid} on {other.host} holds unsent text here.")

    # ---- sending -------------------------------------------------------------------------------

    def clear(self) -> None:
        """The text is on its way: the prompt is free for the next."""
        self._prompt.put("")

    def moved_out(self) -> None:
        """The text goes with the first message into a new session."""
        self._prompt.put("")
        self._unsent.later(thing(None), "")

    def stored(self, session: SessionId) -> None:
        """A question is in the log: its unsent copy may go."""
        here = session == self._here.now.session
        self._unsent.later(thing(session), self._prompt.text if here else "")

    def refused(self, session: SessionId, text: str) -> None:
        """Nothing was stored: the text goes back to where it was typed."""
        if session == self._here.now.session:
            typed = self._prompt.text
            self._prompt.put(f"{text}\n{typed}" if typed else text)
        else:
            self._unsent.later(thing(session), text)
