"""Reading the open session: its newest turns at first, older ones as one goes up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import short
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.entries import first_drawn
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from smriti_tui.services import Services

NEAR_TOP = 30
"""Rows from the top at which older turns are read."""
GROUP = "session"


@dataclass(frozen=True)
class Heard:
    """Who wants to know that the session was read."""

    opened: Callable[[], None]
    """For the first time since it was opened."""
    moved: Callable[[], None]
    """It stands on another line, or its branch moved."""
    read: Callable[[], None]
    """Each time, last of all."""


class SessionPart:
    """Reads the open session and says where it stands."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        header: HeaderBar,
        chat: ChatPart,
        heard: Heard,
    ) -> None:
        self._here = here
        self._services = services
        self._work = work
        self._header = header
        self._chat = chat
        self._heard = heard
        self._low: int | None = None
        """From which turn on it is read; None for the newest."""
        self._reading_above = False
        self._then_top = False
        self._then_at: tuple[str | None, int] | None = None
        """Session and turn that the next read brings into view."""
        self._opening = False
        """Whether the next read is the first of a session; of two, the later may come before."""

    def show_next(self, session: str | None, number: int) -> None:
        """The next read of that session brings a turn into view, however far up it stands."""
        self._then_at = (session, number)

    def reset(self) -> None:
        """Another session: its newest turns are enough."""
        self._low = None

    def begin_at(self, low: int | None) -> None:
        """The first read goes back to a turn that was read before; None: the newest ones."""
        self._low = low

    def read(self, *, first: bool = False, reveal: int | None = None) -> None:
        """Reads the open session again; `first` when it was just opened. A turn to `reveal` is
        brought into view then."""
        if self._chat.follows and not self._then_top:
            self._low = None  # What stands far above is let go; it is read again as one goes up.
        session, low = self._here.now.session, self._low
        if session is None:
            return
        self._opening = self._opening or first
        if reveal is not None:
            self._then_at = (session, reveal)
        if self._then_at is not None and self._then_at[0] == session:
            wanted = max(1, self._then_at[1] - loads.NEWEST)
            low = wanted if low is None else min(low, wanted)

        def then(look: loads.SessionLook) -> None:
            self._reading_above = False
            if session == self._here.now.session:
                self._take(look)

        def failed(error: SmritiError) -> None:
            self._reading_above = False
            self._work.read_failed(error, GROUP)

        self._work.run(
            lambda: loads.load_session(self._services, session, low),
            then,
            failed,
            group=GROUP,
            reads=True,
        )

    def _take(self, look: loads.SessionLook) -> None:
        first, self._opening = self._opening, False
        before = self._here.now.look
        moved = before is None or (
            (before.view.line, before.branch, before.stands)
            != (look.view.line, look.branch, look.stands)
        )
        self._here.read(look)
        self._low = look.low
        self._show_mode(look, before)
        self._chat.show()
        if self._then_top:
            self._then_top = False
            self._chat.to_top()
        wanted, number = self._then_at or (None, 0)
        if wanted == look.session.id and look.low <= number:
            self._then_at = None
            self._chat.reveal(number)
        if first:
            self._heard.opened()
        if moved:
            self._heard.moved()
        self._heard.read()

    def _show_mode(self, look: loads.SessionLook, before: loads.SessionLook | None) -> None:
        """The top line's words on where the session stands. While it says that somebody else moved
        HEAD, it keeps the id that one had seen (ux 4.2)."""
        anchor, shown = look.view.anchor, self._header.view
        mode = f"{look.view.mode} {short(anchor.id)}" if anchor else look.view.mode
        stays = before is not None and before.view.line.line == look.view.line.line
        moved = shown.moved and stays
        self._header.change(
            space=look.space.name if look.space else "no Space",
            branch=look.session.branch_name or "",
            mode=shown.mode if moved else mode,
            moved=moved,
        )

    # ---- older turns ---------------------------------------------------------------------------

    def follow_scrolling(self, transcript: Transcript) -> None:
        """Reads older turns as soon as one comes near the top."""

        def scrolled(at: float) -> None:
            self.scrolled(transcript, at)

        transcript.watch(transcript, "scroll_y", scrolled, init=False)

    def scrolled(self, transcript: Transcript, at: float) -> None:
        """The view is `at` rows from its top."""

        def look_above() -> None:
            if not transcript.follows:
                self._read_above()

        if at <= NEAR_TOP:
            # The transcript knows only after the scroll whether it still follows its end.
            transcript.call_later(look_above)

    def _first_above(self) -> int | None:
        """The first turn to be drawn, if it stands above those that are read."""
        look = self._here.now.look
        first = first_drawn(look, self._here.now.window) if look is not None else 0
        return first if look is not None and first < look.low else None

    def _read_above(self) -> None:
        look, first = self._here.now.look, self._first_above()
        if look is not None and first is not None and not self._reading_above:
            self._reading_above = True
            self._low = max(first, look.low - 2 * loads.NEWEST)
            self.read()

    def go_top(self) -> bool:
        """To the first turn, after all that are drawn are read; False when they are already."""
        first = self._first_above()
        if first is None:
            return False
        self._then_top, self._low = True, first
        self.read()
        return True
