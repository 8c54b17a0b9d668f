"""Time travel: the workspace as it was, below a strip of the Space's events (ux 3.4, 4.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from smriti_tui.domain.ids import CheckpointId
from smriti_tui.keys import FOOTER_RIGHT, Place, bindings
from smriti_tui.messages import FeedMoved
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.full import LEAVING, FullScreen
from smriti_tui.screens.past.doors import PastDoors
from smriti_tui.screens.past.panes import PastPanes, PastPlace
from smriti_tui.screens.past.travel import Travel
from smriti_tui.screens.places import MOVES, PAST_PANES, TABS, Places
from smriti_tui.screens.short_notes import ShortNotes
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.text import literal
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.markdown_model import ASCII_THEME, UNICODE_THEME
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.pane_tabs import PaneTabs
from smriti_tui.widgets.preview_pane import PreviewPane
from smriti_tui.widgets.row_list import RowList
from smriti_tui.widgets.spaces_pane import SpacesPane
from smriti_tui.widgets.time_strip import TimeStrip
from smriti_tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.services import Services
    from smriti_tui.services.forking import Forked

R = TypeVar("R")
FOOTER_PAIRS = (
    ("time.back", "time.forward", "Event"),
    ("time.checkpoint_back", "time.checkpoint_forward", "Checkpoint"),
    ("time.first", "time.now", "Ends"),
    ("time.goto", "", "Time"),
    ("time.fork", "", "Fork"),
    ("nav.back", "", "Back to now"),
)
"""Two keys that belong together are one offer."""


@dataclass(frozen=True)
class PastAsked:
    """Where a look back begins."""

    place: PastPlace
    checkpoint: CheckpointId | None = None
    """At the event that saved it; without one at the newest event."""
    focus: Place = "checkpoints"
    typed: str = ""
    """What stands in the prompt: it stays there."""


class TimeTravel(FullScreen["Forked | None"]):
    """Dismissed with the fork that was made from here, else with None."""

    HELP = (
        "The whole Space as it was after one event, read only. "
        "h and l go one event back and forward, H and L to the checkpoint before and behind. "
        "Nothing can be changed here; f makes a fork now, from what was there then."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("past"), *bindings("everywhere", "browse"), *LEAVING,
    ]  # fmt: skip
    PLACES = ("past", "everywhere")

    def __init__(self, services: Services, config: Config, asked: PastAsked) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = WorkspaceScreen.HORIZONTAL_BREAKPOINTS
        self.VERTICAL_BREAKPOINTS = WorkspaceScreen.VERTICAL_BREAKPOINTS
        self._asked = asked
        self._places = Places(self, PAST_PANES)
        self._header, self._notice = HeaderBar(), NoticeBar()
        self._voice = Voice(
            ShortNotes(self).say, self._notice, self._header, lambda: False,
            lambda action_id: self.table.key(action_id),
        )  # fmt: skip
        self.travel = Travel(self, services, config, self._voice, asked.place)
        self._doors = PastDoors(self, services, self._voice, self.travel, asked.typed)
        self._runners = self._own_runners()

    # ---- the frame -------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """The workspace's frame, with the strip above the panes."""
        yield self._header
        yield TimeStrip()
        tabs = PaneTabs()
        tabs.tabs, tabs.shown = TABS[: len(PAST_PANES)], 2
        yield tabs
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield SpacesPane(id="spaces")
                yield CheckpointsPane(id="checkpoints")
                yield PreviewPane(widget_id="preview")
            with Vertical(id="talk"):
                yield ChatPane(id="chat")
                yield self._prompt()
        footer = FooterBar()
        footer.keys = self._footer()
        yield footer
        yield self._notice

    def _prompt(self) -> Static:
        """What is typed, where it was typed; nothing is sent from here."""
        prompt = Static(literal(self._asked.typed), id="prompt")
        prompt.border_title = "Prompt"
        prompt.border_subtitle = "kept; sent from now only"
        return prompt

    def _footer(self) -> FooterKeys:
        table = self.table

        def offer(one: str, other: str, word: str) -> FooterKey:
            keys = (table.key(one), table.key(other) if other else "")
            return FooterKey(" ".join(filter(None, keys)), word, one)

        right = FOOTER_RIGHT[0]
        return FooterKeys(
            tuple(offer(*pair) for pair in FOOTER_PAIRS),
            (FooterKey(table.key(right), table.get(right).word, right),),
        )

    def on_mount(self) -> None:
        """Reads behind the first frame."""
        self.call_next(self._begin)

    async def _begin(self) -> None:
        theme = ASCII_THEME if self.app.has_class("-ascii") else UNICODE_THEME
        transcript = Transcript(theme=theme)
        await self.query_one(ChatPane).take(transcript)
        transcript.watch(transcript, "scroll_y", self._scrolled, init=False)
        self._header.change(live="AT EVENT", demo=bool(self.demo_word))
        self._places.go(self._asked.focus)
        self.travel.begin(self._asked.checkpoint)

    def show_footer(self, action_ids: object) -> None:
        """It is made with the frame and stays."""

    # ---- keys ------------------------------------------------------------------------------------

    def _own_runners(self) -> dict[str, Callable[[], object]]:
        places, travel, doors = self._places, self.travel, self._doors
        return {
            **{each: partial(places.move, name) for each, name in MOVES},
            "nav.pane_1": partial(places.go, "spaces"),
            "nav.pane_2": partial(places.go, "checkpoints"),
            "nav.pane_3": partial(places.go, "chat"),
            "nav.next": partial(places.step_pane, 1),
            "nav.prev": partial(places.step_pane, -1),
            "nav.open": places.open_row,
            "nav.zoom": partial(self._zoom, 1),
            "nav.unzoom": partial(self._zoom, -1),
            "nav.preview_down": lambda: self.query_one(PreviewPane).step(1),
            "nav.preview_up": lambda: self.query_one(PreviewPane).step(-1),
            "edit.copy": lambda: self._of_panes(lambda panes: panes.copying.copy()),
            "edit.copy_menu": lambda: self._of_panes(lambda panes: panes.copying.menu()),
            "chat.pager": lambda: self._of_panes(lambda panes: panes.outside.turn()),
            "context.show": doors.context,
            "time.back": partial(travel.step, -1),
            "time.forward": partial(travel.step, 1),
            "time.checkpoint_back": partial(travel.to_checkpoint, -1),
            "time.checkpoint_forward": partial(travel.to_checkpoint, 1),
            "time.first": partial(travel.to_end, -1),
            "time.now": partial(travel.to_end, 1),
            "time.goto": doors.go_to,
            "time.fork": doors.fork,
        }

    def _of_panes(self, act: Callable[[PastPanes], object]) -> None:
        if self.travel.panes is not None:
            act(self.travel.panes)

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return self._runners

    def action_run(self, action_id: str) -> None:
        """What reads runs; what would write says why it does not."""
        if why := self.why_not(action_id):
            self._voice.say(f"{why[:1].upper()}{why[1:]}.")
        else:
            super().action_run(action_id)

    def why_not(self, action_id: str) -> str:
        """Everything that is no reading and no way out is off."""
        if action_id in self._runners or action_id in ("nav.back", "nav.close"):
            return ""
        if action_id.startswith("app.") and action_id != "app.search":
            return ""
        course = self.travel.course
        event = f"event {course.at:,}" if course is not None else "the past"
        return f"this is {event}; {self.table.key('nav.back', typing=True)} goes back to now"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of time go before those that the panes have for the same letters."""
        if action != "run" or not parameters:
            return True
        found = self.table.get(str(parameters[0]))
        if "past" in found.places:
            return True
        taken = {key for each in self.table.here("past") for key in each.keys}
        return taken.isdisjoint(found.keys)

    # ---- places ----------------------------------------------------------------------------------

    @property
    def place(self) -> Place:
        """Where the focus is."""
        return self._places.here

    def go(self, place: Place) -> None:
        """Shows a place and gives it the focus."""
        self._places.go(place)

    def open_screen(self, screen: Screen[R], then: Callable[[R | None], None]) -> None:
        """Puts a screen on top; `then` gets what it comes back with."""
        self.app.push_screen(screen, then)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The tabs follow the focus."""
        self._places.focused(event.widget)

    def _zoom(self, by: int) -> None:
        self._header.change(zoom=self._places.zoom(by).upper())

    # ---- what the panes ask for ------------------------------------------------------------------

    def on_feed_moved(self, message: FeedMoved) -> None:
        """The present goes on."""
        self.travel.recount()

    def on_screen_resume(self) -> None:
        """What came while another screen lay on top was told to that one."""
        self.travel.recount()

    def _scrolled(self, at: float) -> None:
        transcript = self.query_one(Transcript)
        self._of_panes(lambda panes: panes.session.scrolled(transcript, at))

    @on(PreviewPane.Sized)
    @on(RowList.Moved)
    def _preview(self) -> None:
        self._of_panes(lambda panes: panes.preview.follow())

    @on(CheckpointsPane.MoreAsked)
    def _more(self, message: CheckpointsPane.MoreAsked) -> None:
        self._of_panes(lambda panes: panes.checkpoints.more(message.count))

    @on(RowList.FoldAsked)
    def _fold(self, message: RowList.FoldAsked) -> None:
        self._of_panes(lambda panes: panes.tree.fold(message.key, message.unfold))

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        self._doors.row_opened(message.key)

    # ---- leaving ---------------------------------------------------------------------------------

    def leave_with(self, forked: Forked) -> None:
        """Back to now, with a fork."""
        self.dismiss(forked)

    def dismiss(self, result: Forked | None = None) -> AwaitComplete:
        """Closes what is open of the past, in a thread that outlives this screen."""
        self.app.run_worker(self.travel.close, group="past.close", thread=True, exit_on_error=False)
        return super().dismiss(result)

    def on_unmount(self) -> None:
        """However one leaves, nothing of the past stays open."""
        self.travel.close()
