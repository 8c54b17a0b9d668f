"""What every part of the desk works on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Session
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.entries import FoldPages
from smriti_tui.screens.desk.send import Hooks, Running, Sender
from smriti_tui.screens.desk.unsent import UnsentKeeper
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.transcript_model import TurnView
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.model import Turn
    from smriti_tui.screens.opening import Opened
    from smriti_tui.screens.workspace import WorkspaceScreen

T = TypeVar("T")


class DeskBase(ABC):
    """State of the workspace, and the way into threads."""

    def __init__(self, screen: WorkspaceScreen, opened: Opened, look: loads.FirstLook) -> None:
        self.screen = screen
        self.opened = opened
        self.services = opened.services
        self.me = opened.services.caller.actor
        self.first = look
        self.tree = look.tree
        self.space: SpaceId | None = look.space
        self.session: SessionId | None = look.session
        self.unfolded: set[str] = {look.space} if look.space else set()
        self.model: str | None = None
        """Chosen for the next sends, None for the settings' one."""
        self.checkpoints_limit = loads.CHECKPOINTS
        self.offline = False
        self.reset_session()
        self.unsent = UnsentKeeper(screen, self.services)
        hooks = Hooks(self.answer_stored, self.answer_ended, self.answer_refused, screen.say)
        self.sender = Sender(screen, self.services, hooks)

    def reset_session(self) -> None:
        """Forgets what was read of a session, before another one is shown."""
        self.shown: loads.SessionLook | None = None
        self.next: loads.NextLook | None = None
        self.low: int | None = None
        self.pages = FoldPages(ask=self.read_folds)
        self.sent_now: TurnView | None = None
        self.asked_ahead = 0
        """Counts the previews: only the newest one counts."""

    # ---- threads and errors --------------------------------------------------------------------

    def thread(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[SmritiError], None] | None = None,
        *,
        group: str,
    ) -> None:
        """Work off the event loop; its errors are told unless `failed` takes them."""
        hop(self.screen, work, then, failed or self.fail, group=group)

    def fail(self, error: SmritiError) -> None:
        """Tells an error where the person looks."""
        if error.code == "database_read_only":
            self.header(live="READ ONLY")
        self.screen.tell(error.message, error.hint)

    def read_failed(self, error: SmritiError) -> None:
        """A read failed."""
        self.fail(error)

    def header(self, **parts: object) -> None:
        """Changes the top line."""
        self.screen.query_one(HeaderBar).change(**parts)

    def now(self) -> str:
        """The store's time."""
        return self.services.caller.store.now()

    def all_sessions(self) -> list[Session]:
        """The sessions that the tree shows."""
        return [session for found in self.tree.sessions.values() for session in found]

    # ---- what the parts below and above call each other for --------------------------------------

    @abstractmethod
    def read_folds(self) -> None:
        """Reads the turns of opened folds that came into view."""

    @abstractmethod
    def show_turns(self) -> None:
        """Draws the conversation as far as it is read."""

    @abstractmethod
    def answer_stored(self, running: Running) -> None:
        """Question and answer have their numbers."""

    @abstractmethod
    def answer_ended(self, running: Running, turn: Turn | None) -> None:
        """An answer is over."""

    @abstractmethod
    def answer_refused(self, running: Running, error: SmritiError | None) -> None:
        """Nothing was stored."""
