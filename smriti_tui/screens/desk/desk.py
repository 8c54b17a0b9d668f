"""The desk: which Space and session are open, what was read of them, and what is done with them.

Loaded behind the first frame, together with the domain. Reads and writes run in threads; what comes
back is dropped when another session was opened meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.short_times import clock
from smriti_tui.keys import KeyTable
from smriti_tui.messages import FeedMoved
from smriti_tui.screens.desk.doors import DeskDoors
from smriti_tui.screens.desk.feed import FeedWatch, News
from smriti_tui.screens.desk.loads import FirstLook, first_look
from smriti_tui.screens.opening import warm_up

if TYPE_CHECKING:
    from textual.timer import Timer

    from smriti_tui.screens.opening import Opened
    from smriti_tui.screens.workspace import WorkspaceScreen

REST_AFTER_S = 10

__all__ = ["Desk", "FeedWatch", "first_look"]


def key_complaints(table: KeyTable) -> list[str]:
    """What is wrong with the keys in the settings; each such action keeps its default."""
    clashes = [
        f"The key {clash.key} of {clash.action} is taken by {clash.other}; the default stays."
        for clash in table.clashes
    ]
    return [*clashes, *(f"There is no action {unknown}." for unknown in table.unknown)]


class Desk(DeskDoors):
    """Follows the log, and begins and ends the work."""

    def __init__(
        self, screen: WorkspaceScreen, opened: Opened, look: FirstLook, feed: FeedWatch
    ) -> None:
        super().__init__(screen, opened, look)
        self.feed = feed
        self._rest_timer: Timer | None = None

    def begin(self) -> None:
        """Fills the panes and follows the log; the transcript is mounted."""
        self.feed.begin()
        self.rest(False)
        self.say_live(self.first.last_at)
        self.header(demo=self.opened.demo)
        complaints = [str(problem) for problem in self.opened.config.problems]
        complaints += key_complaints(self.screen.table)
        if self.first.complaint:
            complaints.append(self.first.complaint)
        if complaints:
            self.screen.tell(" ".join(complaints))
        self.open_session(self.session, self.space)
        self.thread(lambda: warm_up(self.opened), lambda _: None, group="warm")
        if not self.first.there:
            self.first_run()

    # ---- live ----------------------------------------------------------------------------------

    def feed_moved(self) -> None:
        """Reads again what was touched, by whomever."""
        moved = self.feed.take()
        self.say_live(moved.last_at)
        if self.screen.app.screen is not self.screen:
            self.screen.app.screen.post_message(FeedMoved())
        if self.session in moved.sessions or self.space in moved.spaces:
            self.read_session()
        if self.space in moved.spaces:
            self.read_checkpoints()
        if moved.spaces or moved.sessions:
            self.read_tree()
        for news in moved.news:
            if news.space == self.space and news.actor != self.me:
                self._tell(news)

    def _tell(self, news: News) -> None:
        on = "another branch"
        if self.shown is not None and news.branch == self.shown.session.branch:
            on = self.shown.session.branch_name or "this branch"
            self.header(moved=True)
        self.screen.say(f"{news.actor} saved checkpoint {short(news.checkpoint)} on {on}.")

    def say_live(self, last_at: str) -> None:
        """The right end of the top line."""
        if self.offline:
            return
        self.header(live="READ ONLY" if self.first.read_only else "LIVE")
        if last_at:
            self.header(clock=clock(last_at))

    def reached(self, error: SmritiError | None) -> None:
        """The database went away, or is back."""
        self.offline = error is not None
        if error is not None:
            self.header(live="OFFLINE")
            self.screen.tell(error.message, f"{error.hint} What you type is kept.")
            return
        self.screen.dismiss_notice()
        self.say_live("")
        self.read_tree()
        self.read_session()
        self.read_checkpoints()

    def rest(self, idle: bool) -> None:
        """Nobody is there, or somebody is again: after a while without a key the feed looks less
        often."""
        self.feed.rest(idle)
        if self._rest_timer is not None:
            self._rest_timer.stop()
            self._rest_timer = None
        if not idle:
            self._rest_timer = self.screen.set_timer(REST_AFTER_S, lambda: self.rest(True))

    async def put_away(self) -> None:
        """Stops answers, keeps text and place."""
        self.feed.stop()
        self.keep_prompt()
        self.keep_place()
        await asyncio.gather(self.sender.stop_all(), self.unsent.finish())
