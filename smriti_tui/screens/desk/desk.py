"""The desk: the one place where the parts behind the workspace are made and wired together.

Loaded behind the first frame, together with the domain. Reads and writes run in threads; what comes
back is dropped when another session was opened meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from smriti_tui.keys import KeyTable
from smriti_tui.screens.desk.agents import AgentsPart
from smriti_tui.screens.desk.ahead import AheadPart
from smriti_tui.screens.desk.answers import Answers
from smriti_tui.screens.desk.branch_menu import BranchMenu
from smriti_tui.screens.desk.chat import ChatPart
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.choosing import FirstStart, ModelChoice
from smriti_tui.screens.desk.claim_acts import ClaimActs
from smriti_tui.screens.desk.comparing import Comparing
from smriti_tui.screens.desk.copying import Copying
from smriti_tui.screens.desk.doors import Doors
from smriti_tui.screens.desk.draft import DraftPart
from smriti_tui.screens.desk.drafting import DraftingPart
from smriti_tui.screens.desk.feed import FeedWatch
from smriti_tui.screens.desk.forks import Forks
from smriti_tui.screens.desk.going import Going, PlaceKeeper
from smriti_tui.screens.desk.hints import Hints
from smriti_tui.screens.desk.history import HistoryPart
from smriti_tui.screens.desk.live import LivePart
from smriti_tui.screens.desk.making import Making
from smriti_tui.screens.desk.mounts import Mounts
from smriti_tui.screens.desk.news import NewsPart
from smriti_tui.screens.desk.nudging import NudgePart
from smriti_tui.screens.desk.organise import Organising
from smriti_tui.screens.desk.panes import Panes, furnish
from smriti_tui.screens.desk.place import Here, Place
from smriti_tui.screens.desk.preview import PreviewPart
from smriti_tui.screens.desk.reading import ReadingOutside
from smriti_tui.screens.desk.reasons import Reasons
from smriti_tui.screens.desk.reviewing import ReviewingPart
from smriti_tui.screens.desk.searching import SearchPart
from smriti_tui.screens.desk.send import Sender
from smriti_tui.screens.desk.session import Heard, SessionPart
from smriti_tui.screens.desk.siblings import Siblings
from smriti_tui.screens.desk.sides import SidesPart
from smriti_tui.screens.desk.spending import SpendingPart
from smriti_tui.screens.desk.start import FirstLook, first_look
from smriti_tui.screens.desk.talk import TalkPart
from smriti_tui.screens.desk.titling import TitlePart
from smriti_tui.screens.desk.travel import TravelPart
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.undoing import Undoing
from smriti_tui.screens.desk.unsent import UnsentKeeper
from smriti_tui.screens.desk.voice import HEAD, Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.screens.desk.worktree_acts import WorktreeActs
from smriti_tui.screens.desk.writing import WritingPart
from smriti_tui.screens.opening import warm_up
from smriti_tui.widgets import clusters
from smriti_tui.widgets.preview_pane import PreviewPane
from smriti_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened
    from smriti_tui.screens.workspace import WorkspaceScreen


def key_complaints(table: KeyTable) -> list[str]:
    """What is wrong with the keys in the settings; each such action keeps its default."""
    clashes = [
        f"The key {clash.key} of {clash.action} is taken by {clash.other}; the default stays."
        for clash in table.clashes
    ]
    odd = [f"There is no key {key}, wanted for {action}." for action, key in table.odd]
    return [*clashes, *odd, *(f"There is no action {unknown}." for unknown in table.unknown)]


def prepare(
    screen: WorkspaceScreen, opened: Opened, space: str | None
) -> Callable[[], Awaitable[Desk]]:
    """Reads what the workspace opens with, in a thread; what it returns is for the event loop."""
    look = first_look(opened, space)
    feed = FeedWatch(screen, opened.services)
    clusters.load()

    async def make() -> Desk:
        return Desk(screen, await furnish(screen), opened, look, feed)

    return make


class Desk:
    """Makes the parts, lets the work begin, and ends it."""

    def __init__(
        self,
        screen: WorkspaceScreen,
        panes: Panes,
        opened: Opened,
        look: FirstLook,
        feed: FeedWatch,
    ) -> None:
        self.panes = panes
        self.services = opened.services
        self._opened = opened
        self._first = look
        self._table = screen.table
        self.here = Here(Place(look.space, look.session))
        self.voice = Voice(
            screen.say, panes.notice, panes.header, lambda: screen.typing,
            lambda action: screen.table.key(action),
        )  # fmt: skip
        self._work = Work(screen, self.voice, lambda told: self.going.leave(told))
        self._unsent = UnsentKeeper(screen, self.services)
        self.sender = Sender(screen, self.services, panes.transcript)
        self.writing = WritingPart(
            screen, self.here, self.services, self._work, self.voice, panes.prompt, panes.offers
        )
        self.nudging = NudgePart(
            screen, self.here, self._work, self.voice, self._table, lambda: screen.typing
        )
        self._make_parts(screen.answer_over)
        self.live = LivePart(
            self.here, self._work, self.voice, panes.header, feed, self.tree, self.checkpoints,
            self.session, self._news_part(), read_only=look.read_only,
        )  # fmt: skip
        self._make_doors(screen)
        self._make_drafting(screen)
        self._make_agents(screen)
        self.actions = self._all_actions()
        self.hints = Hints(screen, self._table, self.voice, lambda: screen.typing)
        preview = screen.query_one(PreviewPane)
        self.preview = PreviewPart(self.services, self._work, self.checkpoints, preview)
        self.checkpoints.shown = self._checkpoints_shown
        self.reasons = Reasons(
            screen, self.here, panes.header, self.sender, self.checkpoints,
            lambda: self.nudging.shown,
        )  # fmt: skip

    @property
    def place(self) -> Place:
        """Where one is."""
        return self.here.now

    # ---- wiring --------------------------------------------------------------------------------

    def _make_parts(self, over: Callable[[], None]) -> None:
        """What shows the open session and lets one talk in it; `over` hears that one has ended."""
        here, services, work, voice = self.here, self.services, self._work, self.voice
        panes, header, sender = self.panes, self.panes.header, self.sender
        self.tree = TreePart(
            here, services, work, panes.spaces, header, lambda: sender.sessions, self._first.tree,
            self._first.unfolded,
        )  # fmt: skip
        self.checkpoints = CheckpointsPart(here, services, work, panes.checkpoints)
        self.chat = ChatPart(here, services, work, voice, panes.chat, panes.transcript)
        self.ahead = AheadPart(here, services, work, voice, header, panes.prompt, self.chat.show)
        self.spending = SpendingPart(here, services, work, header)
        heard = Heard(sender.show_live, self.checkpoints.read, self._session_read)
        self.session = SessionPart(here, services, work, header, self.chat, heard)
        self.draft = DraftPart(
            here, work, voice, panes.prompt, self._unsent, self.writing.earlier
        )  # fmt: skip
        home = None if self._opened.demo else self._opened.config.home
        self._keeper = PlaceKeeper(here, services, work, self.tree, home)
        self.going = Going(
            here, services, work, voice, header, sender, self.draft, self.tree, self.checkpoints,
            self.chat, self.session, self._keeper, self.nudging,
        )  # fmt: skip
        answers = Answers(
            here, services, work, voice, self.draft, self.chat, self.session, self.tree.read,
            over,
        )  # fmt: skip
        self.talk = TalkPart(
            here, services, work, voice, header, sender, answers, self.draft, self.chat, self.going
        )
        self.siblings = Siblings(here, services, work, voice, self.chat, self.session)
        self._heard = answers

    def _make_doors(self, screen: WorkspaceScreen) -> None:
        """What leads to other screens, and what is done by a key."""
        here, services, work, voice = self.here, self.services, self._work, self.voice
        self.mounts = Mounts(here, services, work, voice, self.sender.is_running, self.session.read)
        self.doors = Doors(
            screen, here, services, voice, self.tree, self.checkpoints, self.chat, self.draft,
            self.going, self.mounts,
        )  # fmt: skip
        self.comparing = Comparing(
            screen, here, services, work, voice, self.checkpoints, self.panes.checkpoints,
            self._checkpoint_made,
        )  # fmt: skip
        self.reviewing = ReviewingPart(
            screen, here, services, work, voice, self.checkpoints, self.panes.checkpoints,
            self._checkpoint_made,
        )  # fmt: skip
        self.reviewing.merge = self.comparing.merge_line
        forks = Forks(screen, here, services, work, voice, self.chat, self.going, self.talk.ask)
        self.history = HistoryPart(
            screen, here, services, work, voice, self.checkpoints, self.session, self.going,
            self.doors, forks, BranchMenu(screen, services, work, voice, self.going),
        )  # fmt: skip
        self.doors.acts = {
            **self.history.acts,
            "checkpoint.compare": self.comparing.compare_with,
            "checkpoint.merge": self.comparing.merge_line,
            "checkpoint.review": self.reviewing.open,
        }
        self.searching = SearchPart(
            screen, here, services, self.tree, self.going, self.session, self.doors,
            self.panes.spaces,
        )  # fmt: skip
        self.titling = titling = TitlePart(screen, services, voice, self.tree.read)
        self.making = Making(
            screen, here, services, work, voice, self.tree, self.going, titling,
            self._checkpoint_made,
        )  # fmt: skip
        self.making.merge = self.comparing.merge_line
        self.organise = Organising(
            screen, here, services, work, voice, self.tree, self.going, titling,
            self.sender.is_running,
        )  # fmt: skip
        self.undoing = Undoing(here, services, work, voice, self.draft, self._unsent, self.going)
        self.models = ModelChoice(
            screen.app, screen, here, services, work, voice, self._send_changed
        )
        ways = {
            "demo": screen.open_demo, "space": self.making.space, "import": self.making.bring_in,
        }  # fmt: skip
        self._first_start = FirstStart(screen, services, self.models, self._first.path, ways)
        self._reading = ReadingOutside(here, services, work, voice, self.panes.transcript)
        self.sides = SidesPart(
            screen, here, services, work, voice, self.sender, self._heard, self.chat,
            self.session, self.tree, forks.edit_question,
        )  # fmt: skip
        self.travel = TravelPart(
            screen, here, services, self._opened.config, voice, self.checkpoints, self.chat,
            self.draft, self.going,
        )  # fmt: skip
        self._copying = Copying(
            screen, here, services, work, voice, self.tree, self.checkpoints,
            self.panes.transcript,
        )  # fmt: skip

    def _make_agents(self, screen: WorkspaceScreen) -> None:
        """Who works on what, and what is done about it."""
        here, services, work, voice = self.here, self.services, self._work, self.voice
        self.agents = agents = AgentsPart(
            here, services, work, voice, self.panes.agents, self._table.key,
            screen.places.name_agents,
        )  # fmt: skip
        trees = WorktreeActs(screen.app, screen, services, work, voice, agents)
        self.claims = ClaimActs(
            screen, here, services, work, voice, agents, trees, self.session, self.going,
            self.doors.view,
        )  # fmt: skip
        self.live.agents = agents
        self._copying.of_agents = agents.copied
        self.claims.turn_page = self.checkpoints.turn_page

    def row_opened(self, message: RowList.Opened) -> None:
        """Enter on a row of a list pane."""
        opens = self.claims if message.rows is self.panes.agents else self.doors
        opens.row_opened(message.key)

    def _make_drafting(self, screen: WorkspaceScreen) -> None:
        """Pane 4, which has a screen of its own."""
        self.drafting = drafting = DraftingPart(
            screen, screen, self.here, self.services, self._work, self.voice, self.panes.header
        )
        drafting.made = self._checkpoint_made
        drafting.merge = self.comparing.merge_line
        drafting.reveal = self.chat.reveal
        drafting.marked = lambda: self.panes.transcript.selected_number
        drafting.run = screen.action_run
        drafting.space_name = lambda: self.tree.space_name
        drafting.undo = self.undoing.undo

    def _session_read(self) -> None:
        self.draft.show_home()
        self.drafting.look()
        self._send_changed()
        self.spending.count()

    def _send_changed(self) -> None:
        """The next send holds something else, or goes to another model."""
        self.ahead.count()
        self.nudging.look()

    def follow_focus(self) -> None:
        """What names keys names those of now."""
        self.hints.show()
        self.nudging.show()

    def _news_part(self) -> NewsPart:
        header, me = self.panes.header, self.services.caller.actor
        return NewsPart(self.here, self.voice, header, self.tree, self.going, me=me)

    def _checkpoints_shown(self) -> None:
        self.preview.again()
        self.comparing.remind()
        self.reviewing.look()
        self.agents.follow()

    def _checkpoint_made(self) -> None:
        self.voice.settle(HEAD)
        self.panes.header.change(moved=False)
        self.session.read()
        self.checkpoints.read()

    def _all_actions(self) -> Mapping[str, Callable[[], None]]:
        """By the ids of the action table; what is impossible just now answers with the reason."""
        return {
            "app.search": self.searching.open,
            "app.settings": self.models.settings,
            "app.theme": self.models.theme,
            "chat.model": self.models.choose,
            "chat.pager": self._reading.turn,
            "chat.retry": self.talk.retry,
            "chat.sides": self.sides.open,
            "chat.sibling_next": self.siblings.later,
            "chat.sibling_prev": self.siblings.earlier,
            "chat.stop": self.talk.stop_or_say,
            "checkpoint.compare": self.comparing.compare,
            "checkpoint.merge": self.comparing.merge,
            "checkpoint.mount": self.doors.mount_marked,
            "checkpoint.new": self.making.checkpoint,
            "checkpoint.review": self.reviewing.review,
            "checkpoint.unmount": self.mounts.unmount,
            "context.show": self.doors.context,
            "edit.copy": self._copying.copy,
            "edit.copy_menu": self._copying.menu,
            "edit.redo": self.undoing.redo,
            "edit.rename": self.making.rename,
            "edit.undo": self.undoing.undo,
            "import.show": self.making.bring_in,
            "log.show": self.doors.log,
            "merge.resume": self.comparing.resume,
            "nudge.hide": self.nudging.hide,
            "session.archive": self.organise.archive_session,
            "session.new": self.making.session,
            "session.pin": self.organise.pin,
            "session.title": self.organise.title,
            "space.archive": self.organise.archive_space,
            "space.export": self.organise.export,
            "space.remove": self.organise.remove,
            "space.new": self.making.space_or_session,
            "time.travel": self.travel.open,
            **self.writing.actions,
            **self.history.actions,
            **self.drafting.actions,
            **self.claims.actions,
        }

    # ---- the work ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Fills the panes and follows the log."""
        self.session.follow_scrolling(self.panes.transcript)
        self.nudging.begin()
        self.live.begin(self._first.last_at)
        self.panes.header.change(demo=self._opened.demo)
        complaints = [str(problem) for problem in self._opened.config.problems]
        complaints += self.models.complaints()
        complaints += key_complaints(self._table)
        if self._first.complaint:
            complaints.append(self._first.complaint)
        if complaints:
            self.voice.tell(" ".join(complaints))
        self.going.to_session(self.place.session, self.place.space)
        if self._opened.demo:
            self.hints.begin()
        self._work.run(lambda: warm_up(self._opened), lambda _: None, group="warm")
        self.writing.tell_left_behind(self._opened.config.home)
        if not self._first.there:
            self._first_start.offer()

    def typed(self) -> None:
        """The prompt's text changed."""
        self.live.rest(False)
        self.draft.typed()
        self.ahead.typed()
        self.writing.typed()

    def keep_now(self) -> bool:
        """Keeps the typed text at once, in the middle of a fault; whether that is done."""
        self.draft.typed()
        return self._unsent.write_now()

    async def put_away(self) -> None:
        """Stops answers, keeps text and place."""
        self.live.stop()
        self.agents.stop()
        self.draft.keep()
        self._keeper.keep()
        past = asyncio.to_thread(self.travel.close)
        stops = (self.sender.stop_all(), self.titling.stop(), self.comparing.stop(),
                 self.reviewing.stop(),
                 self.drafting.stop(), past)  # fmt: skip
        await asyncio.gather(*stops, self._unsent.finish())
