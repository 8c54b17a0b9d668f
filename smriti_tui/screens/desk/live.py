"""Following what is committed, by whomever, and whether the database can be reached at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.collecting import collect_at_rest
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.render.short_times import clock
from smriti_tui.screens.desk.agents import AgentsPart
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.feed import FeedWatch
from smriti_tui.screens.desk.news import NewsPart
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import DATABASE, Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.header_bar import HeaderBar

if TYPE_CHECKING:
    from textual.timer import Timer

REST_AFTER_S = 10
REPLACED, JOURNAL = "replaced", "journal"


class LivePart:
    """Reads again what was touched, and says so at the right end of the top line."""

    def __init__(
        self,
        here: Here,
        work: Work,
        voice: Voice,
        header: HeaderBar,
        feed: FeedWatch,
        tree: TreePart,
        checkpoints: CheckpointsPart,
        session: SessionPart,
        news: NewsPart,
        *,
        read_only: bool,
    ) -> None:
        self._here = here
        self._work = work
        self._voice = voice
        self._header = header
        self._feed = feed
        self._tree = tree
        self._checkpoints = checkpoints
        self._session = session
        self._news = news
        self._read_only = read_only
        self._journal_asked = False
        self._rest_timer: Timer | None = None
        self.agents: AgentsPart | None = None
        """Reads again what it shows, beside the others."""

    def begin(self, last_at: str) -> None:
        """Follows the log; `last_at` is the time of the newest event that was read."""
        self._feed.begin()
        self._ask_journal()
        self.rest(False)
        self._say(last_at)

    def stop(self) -> None:
        """Ends the thread that follows."""
        self._feed.stop()

    def moved(self) -> None:
        """Something was committed."""
        moved = self._feed.take()
        self._read_only = not moved.writable
        self._ask_journal()
        self._say(moved.last_at)
        if self._news.tell(moved.news):
            return  # One is elsewhere now, and all of it is read again.
        if self.agents is not None:
            self.agents.moved(moved)
        place = self._here.now
        if not moved.gone.isdisjoint({place.space, place.session}):
            return  # It was deleted here, and who did that goes elsewhere.
        if place.session in moved.sessions or place.space in moved.spaces:
            self._session.read()
        if place.space in moved.spaces:
            self._checkpoints.read()
        if moved.spaces or moved.sessions:
            self._tree.read()

    def _say(self, last_at: str) -> None:
        if self._work.offline:
            return
        self._header.change(live="READ ONLY" if self._read_only else "LIVE")
        if last_at:
            self._header.change(clock=clock(last_at))

    def reached(self, error: SmritiError | None, *, replaced: bool = False) -> None:
        """The database went away, or (None) is back; `replaced`: another one is in its place."""
        self._work.offline = error is not None
        if error is not None:
            self._header.change(live="OFFLINE")
            hint = f"{error.hint} What you type is kept."
            self._voice.tell(error.message, hint, cause=DATABASE)
            return
        self._voice.settle(DATABASE)
        if replaced:
            self._voice.tell(
                "Another database file stands in the place of the one before.",
                "All that is shown was read again from it.",
                cause=REPLACED,
            )
        self._say("")
        self._tree.read()
        self._session.read()
        self._checkpoints.read()
        if self.agents is not None:
            self.agents.reset()

    def _ask_journal(self) -> None:
        """Says once where a database lies that is slower, or less safe, than on a disk of its
        own."""
        if self._journal_asked:
            return
        self._journal_asked = self._feed.exists

        def tell(words: str | None) -> None:
            if words:
                self._voice.news(words, "", cause=JOURNAL)

        self._work.run(self._feed.journal_words, tell, lambda _: None, group=JOURNAL)

    def rest(self, idle: bool) -> None:
        """Nobody is there, or somebody is again: after a while without a key the feed looks less
        often."""
        self._feed.rest(idle)
        if self._rest_timer is not None:
            self._rest_timer.stop()
            self._rest_timer = None
        if idle:
            collect_at_rest()
        else:
            self._rest_timer = self._header.set_timer(REST_AFTER_S, lambda: self.rest(True))
