"""From the workspace to the draft, pane 4, and back; whether there is one (ux 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from textual.screen import Screen

from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.pane_tabs import PaneTabs

if TYPE_CHECKING:
    from smriti_tui.screens.draft.place import Left
    from smriti_tui.screens.draft.screen import DraftScreen
    from smriti_tui.services import Services

START = "draft.start"
GROUP = "draft.there"


def _nothing() -> None:
    """What is done first where nothing has to be."""


class DraftingPart:
    """Opens the draft of the open session; its screen is imported when it is first opened."""

    def __init__(
        self,
        screen: Screen[None],
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        header: HeaderBar,
    ) -> None:
        self.made: Callable[[], None] = lambda: None
        """Called when a checkpoint came of a draft."""
        self.merge: Callable[[CheckpointId], None] = lambda _: None
        """Merges the line of a checkpoint into the current branch."""
        self.reveal: Callable[[int], None] = lambda _: None
        """Shows a turn in the chat."""
        self.marked: Callable[[], int | None] = lambda: None
        """The turn under the cursor of the chat."""
        self.run: Callable[[str], None] = lambda _: None
        """Runs an action of the workspace."""
        self.space_name: Callable[[], str] = lambda: ""
        self.undo: Callable[[], None] = lambda: None
        """Undoes what was done in the workspace."""
        self._owner = screen
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._header = header
        self._screen: DraftScreen | None = None
        self._thrown: tuple[SessionId, int] | None = None
        """The session whose draft was thrown away last, and what had been told as done by then."""
        self._there = False
        """Whether the open session had a draft when somebody looked."""

    @property
    def actions(self) -> Mapping[str, Callable[[], None]]:
        """By the ids of the action table."""
        return {
            START: self.start,
            "draft.part": self.part,
            "nav.pane_4": lambda: self.start(ask=False),
            "edit.undo": self._undo,
        }

    # ---- opening -------------------------------------------------------------------------------

    def part(self) -> None:
        """A draft of the turns up to the one under the cursor: a long conversation in parts."""
        last = self.marked()
        if last is None:
            self._voice.say("There is no turn under the cursor.")
        else:
            self.start(last=last)

    def start(self, *, ask: bool = True, bring_back: bool = False, last: int | None = None) -> None:
        """Opens the draft as it was. Where there is none, a new one is asked for with `ask`, with
        `last` of the turns up to that one."""
        place = self._here.now
        live = self._header.view.live
        if place.session is None or place.space is None:
            self._voice.say("A draft is made of a session in a Space; none is open.")
            return
        if live in ("READ ONLY", "OFFLINE"):
            away = "out of reach" if live == "OFFLINE" else "read only"
            self._voice.say(f"The database is {away}: nothing can be drafted now.")
            return
        from smriti_tui.screens.draft.place import DraftPlace
        from smriti_tui.screens.draft.screen import DraftScreen

        where = DraftPlace(place.space, self.space_name(), place.session)
        self._screen = screen = DraftScreen(
            self._services, where, ask=ask, bring_back=bring_back, last=last
        )
        self._thrown = None
        self._front.open_screen(screen, lambda left: self._left(place.session, left))

    def _left(self, session: SessionId | None, left: Left | None) -> None:
        closed, self._screen = self._screen, None
        self.look(closed.keeper.write if closed is not None else _nothing)
        if left is None:
            return
        if left.thrown and session is not None:
            self._thrown = (session, self._voice.told)
        if left.made is not None:
            self.made()
            if left.then_merge:
                self.merge(left.made.id)
        if left.go:
            self.run(left.go)
        if left.turn is not None:
            self.reveal(left.turn)

    def _undo(self) -> None:
        """A draft that was thrown away just now comes back; else what was done before."""
        if self._thrown == (self._here.now.session, self._voice.told):
            self.start(bring_back=True)
        else:
            self.undo()

    # ---- whether there is one ------------------------------------------------------------------

    def look(self, first: Callable[[], None] = _nothing) -> None:
        """Asks whether the open session has a draft, and says so in header and tabs; `first` is
        done before, in the same thread."""
        session = self._here.now.session
        if session is None:
            self._show(there=False)
            return

        def work() -> bool:
            from smriti_tui.services.unsent import UnsentService

            first()
            return UnsentService(self._services.caller).waits(f"draft/{session}")

        def then(there: bool) -> None:
            if session == self._here.now.session:
                self._show(there=there)

        self._work.run(work, then, lambda _: None, group=GROUP)

    def _show(self, *, there: bool) -> None:
        self._there = there
        self._header.change(draft=there)
        self._owner.query_one(PaneTabs).draft = "4 Draft *" if there else "4 Draft"

    @property
    def unsaved(self) -> bool:
        """Whether the open session has a draft that is not saved."""
        return bool(self._screen.kept_text()) if self._screen is not None else self._there

    async def stop(self) -> None:
        """Stops a draft on its way, and keeps what is there, before the app ends."""
        if self._screen is not None:
            await self._screen.put_away()
