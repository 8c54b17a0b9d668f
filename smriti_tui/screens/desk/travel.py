"""The way into time travel, and what comes back from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.state_text import counted
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.screens.past.time_travel import TimeTravel
    from smriti_tui.services import Services
    from smriti_tui.services.forking import Forked


class TravelPart:
    """Looks back from what is open; the present goes on meanwhile, answers included."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        config: Config,
        voice: Voice,
        checkpoints: CheckpointsPart,
        chat: ChatPart,
        draft: DraftPart,
        going: Going,
    ) -> None:
        """`config` names the database."""
        self._front = front
        self._here = here
        self._services = services
        self._config = config
        self._voice = voice
        self._checkpoints = checkpoints
        self._chat = chat
        self._draft = draft
        self._going = going
        self._screen: TimeTravel | None = None

    def open(self) -> None:
        """From a checkpoint under the cursor to the event that saved it, else from the newest."""
        # Loads what is not needed before: it is imported when it is first opened.
        from smriti_tui.screens.past.panes import PastPlace
        from smriti_tui.screens.past.time_travel import PastAsked, TimeTravel

        place, pane = self._here.now, self._front.place
        if place.space is None:
            self._voice.say("No Space is open: there is nothing to go back in.")
            return
        low = None if place.look is None or self._chat.follows else place.look.low
        asked = PastAsked(
            PastPlace(place.space, place.session, low),
            checkpoint=self._checkpoints.marked if pane == "checkpoints" else None,
            focus="chat" if pane == "prompt" else pane,
            typed=self._draft.text,
        )
        self._screen = TimeTravel(self._services, self._config, asked)
        self._front.open_screen(self._screen, self._left)

    def _left(self, forked: Forked | None) -> None:
        self._screen = None
        if forked is None:
            return
        session = forked.session
        self._going.to_session(session.id, session.space)
        self._front.go("chat")
        branch = f" on branch {forked.branch}" if forked.branch else ""
        turns = f"with {counted(forked.copied, 'turn')}" if forked.copied else "without turns"
        self._voice.say(f"Forked from then: a new session{branch}, {turns}.")

    def close(self) -> None:
        """Closes what is open of the past; in a thread."""
        if self._screen is not None:
            self._screen.travel.close()
