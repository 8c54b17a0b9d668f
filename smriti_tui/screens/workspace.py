"""The workspace: panes, focus and keys. What the panes show is the desk's matter.

This module is part of the first frame: it imports Textual and the standard library alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.keys import KeyTable, Place, bindings, key_table
from smriti_tui.messages import Act, FeedMoved, Reached, Unwatched
from smriti_tui.screens.filtering import Filtering
from smriti_tui.screens.footer_offer import HITS, filter_keys, footer_keys
from smriti_tui.screens.places import MOVES, PANES, TABS, Places
from smriti_tui.screens.short_notes import ShortNotes
from smriti_tui.widgets.agents_pane import AgentsPane
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.filter_line import FilterLine
from smriti_tui.widgets.footer_bar import FooterBar, FooterKeys
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.pane_tabs import PaneTabs
from smriti_tui.widgets.preview_pane import PreviewPane
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.row_list import RowList
from smriti_tui.widgets.spaces_pane import SpacesPane
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.errors import SmritiError
    from smriti_tui.screens.desk.desk import Desk

NARROW = "-narrow"
OPENING = "The database is still being opened."
NOT_OPEN = "The database is not open: enter tries again."
NOT_OPENED = (
    "The database could not be opened, and nothing in it was changed.\n\n"
    "The line at the bottom says why. enter tries again; ctrl+q quits. In a shell, smriti doctor "
    "says more.\n\n"
    "What you type stays in the prompt, but it is not stored before a database is open."
)
R = TypeVar("R")


class WorkspaceScreen(Screen[None]):
    """Spaces, checkpoints and the chat, with the prompt below it."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 (the base class declares it for instances)
        (0, "-tiny"), (60, NARROW), (100, "-wide"), (120, "-wider"), (160, "-widest"),
    ]  # fmt: skip
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-flat"), (16, "-short"), (30, "-tall"), (44, "-high"),
    ]  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("filter", "everywhere", "browse")]
    AUTO_FOCUS = "#prompt"

    def __init__(self) -> None:
        super().__init__(classes="-show-3")
        self.desk: Desk | None = None
        self._no_desk = OPENING
        """Why there is no desk."""
        self.places = Places(self)
        self._lettered = True  # Whether letters were text when the hints were last drawn.
        self.filtering = Filtering(self, self.places)
        self.say = ShortNotes(self).say
        """Shows a short note that needs no answer."""
        self._actions = self._own_actions()

    def _own_actions(self) -> dict[str, Callable[[], None]]:
        """What needs no desk, by the ids of the action table."""
        places = self.places
        return {
            **{action_id: partial(places.move, name) for action_id, name in MOVES},
            "nav.pane_1": partial(places.go, "spaces"),
            "nav.pane_2": partial(places.go, "checkpoints"),
            "nav.pane_3": partial(places.go, "chat"),
            "nav.pane_5": partial(places.go, "agents"),
            "view.agents": places.toggle_agents,
            "nav.left": partial(places.step_pane, -1),
            "nav.right": partial(places.step_pane, 1),
            "nav.next": partial(places.step_place, 1),
            "nav.prev": partial(places.step_place, -1),
            "nav.top": self._top,
            "nav.filter": self.filtering.open,
            "nav.hit_next": partial(self.filtering.walk, 1),
            "nav.hit_prev": partial(self.filtering.walk, -1),
            "nav.mark": places.mark,
            "nav.preview_down": partial(self._scroll_preview, 1),
            "nav.preview_up": partial(self._scroll_preview, -1),
            "nav.zoom": partial(self._zoom, 1),
            "nav.unzoom": partial(self._zoom, -1),
            "nav.open": self._open_row,
            "nav.back": self._back,
            "chat.write": partial(places.go, "prompt"),
            "chat.send": self._send,
        }

    def compose(self) -> ComposeResult:
        """The frame; the panes are empty until the database is open."""
        header = HeaderBar()
        header.change(live="OPENING")
        yield header
        tabs = PaneTabs()
        tabs.tabs, tabs.shown = TABS, 2
        yield tabs
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield SpacesPane(id="spaces")
                yield CheckpointsPane(id="checkpoints")
                yield PreviewPane(widget_id="preview")
            with Vertical(id="talk"):
                yield ChatPane(id="chat")
                yield Prompt(id="prompt")
            with Vertical(id="side"):
                yield AgentsPane(id="agents")
        yield Static("Smriti needs a little more room: 60 columns and 16 lines.", id="too-small")
        footer = FooterBar()
        footer.keys = self.keys_here()
        yield footer
        yield NoticeBar()

    def on_mount(self) -> None:
        """Opens the rest behind the first frame."""
        self._say_in_panes("Opening the database.", "Opening the database. You can type already.")
        self.call_after_refresh(self._open)

    # ---- opening -------------------------------------------------------------------------------

    def _say_in_panes(self, words: str, in_chat: str) -> None:
        for pane in self.query(PaneRows):
            pane.say_instead(words)
        self.query_one(ChatPane).say(in_chat)

    def _open(self) -> None:
        from smriti_tui.app import SmritiApp

        app = self.app
        if not isinstance(app, SmritiApp):
            return

        def work() -> Callable[[], Awaitable[Desk]]:
            opened = app.open()
            # Loads the domain and what draws a conversation.
            from smriti_tui.screens.desk.desk import prepare

            return prepare(self, opened, app.start.space)

        hop(self, work, self._opened, self._not_opened, group="open")

    async def _opened(self, furnish: Callable[[], Awaitable[Desk]]) -> None:
        self.query_one(HeaderBar).change(live="LIVE")
        self._say_in_panes("", "")
        self.desk = await furnish()
        self.desk.begin()

    def on_unmount(self) -> None:
        """However the app ends, the thread that follows the log ends with it."""
        if self.desk is not None:
            self.desk.live.stop()

    def _not_opened(self, error: SmritiError) -> None:
        self._no_desk = NOT_OPEN
        self.query_one(HeaderBar).change(live="OFFLINE")
        self._say_in_panes("No database is open: enter tries again.", NOT_OPENED)
        self.tell(error.message, error.hint)

    @property
    def why_closed(self) -> str:
        """Why what needs the database does nothing; empty once it is open."""
        return "" if self.desk is not None else self._no_desk

    def _open_again(self) -> bool:
        """After a failed opening `enter` tries once more; False if that is not the case."""
        if self.desk is not None or self._no_desk != NOT_OPEN:
            return False
        self._no_desk = OPENING
        self.dismiss_notice()
        self.query_one(HeaderBar).change(live="OPENING")
        self._say_in_panes("Opening the database.", "Opening the database once more.")
        self._open()
        return True

    # ---- running actions -----------------------------------------------------------------------

    @property
    def table(self) -> KeyTable:
        """The actions with the person's own keys."""
        found = getattr(self.app, "table", None)
        return found if isinstance(found, KeyTable) else key_table({})

    def action_run(self, action_id: str) -> None:
        """Runs an action of the table: the one way for keys, palette, footer and mouse."""
        if self.desk is not None:
            self.desk.live.rest(False)
            self.desk.hints.ran(action_id)
        runner = self._actions.get(action_id)
        if runner is None and self.desk is not None:
            runner = self.desk.actions.get(action_id)
        if runner is not None:
            runner()
        elif action_id == "nav.close":
            self.app.post_message(Act("app.quit"))
        elif action_id.startswith("app."):
            self.app.post_message(Act(action_id))
        elif self.desk is None:
            self.say(self._no_desk)

    def usable(self) -> set[str]:
        """The ids that this screen runs: what the palette offers."""
        here = {*self._actions, *(self.desk.actions if self.desk is not None else ())}
        ids = {action.id for action in self.table.actions}
        return {name for name in ids if name in here or name.startswith("app.")} | {"nav.close"}

    def why_not(self, action_id: str) -> str:
        """Why an action would do nothing now; empty when it would."""
        if action_id in HITS and not self.filtering.shown:
            return "no filter is shown"
        return self.desk.reasons.why_not(action_id) if self.desk is not None else ""

    def on_act(self, message: Act) -> None:
        """A click on footer, header or a tab."""
        message.stop()
        self.action_run(message.action_id)

    def tell(self, what: str, hint: str = "") -> None:
        """What needs an answer: in the bar above the footer until dismissed."""
        self.query_one(NoticeBar).tell(what, hint)

    def dismiss_notice(self) -> bool:
        """Takes the bar away; False if there was none."""
        return self.query_one(NoticeBar).dismiss()

    # ---- panes and focus -----------------------------------------------------------------------

    @property
    def place(self) -> Place:
        """Where the focus is."""
        return self.places.here

    @property
    def typing(self) -> bool:
        """Whether letters are text: in the prompt, and in a filter."""
        return self.place == "prompt" or self.filtering.typing

    def stop(self, place: Place) -> Widget:
        """The widget that takes the focus in a place."""
        return self.places.stop(place)

    def go(self, place: Place) -> None:
        """Shows a place and gives it the focus."""
        self.places.go(place)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Footer and tabs follow the focus."""
        self.places.focused(event.widget)
        self._follow_focus()
        before, self._lettered = self._lettered, self.place == "prompt"
        if self.desk is not None:
            self.desk.follow_focus()
            if before != self._lettered:
                self.desk.chat.show()  # Its hints name keys, which mean text while one types.

    def _follow_focus(self) -> None:
        """The footer shows the keys of now."""
        self.query_one(FooterBar).keys = self.keys_here()

    @on(FilterLine.Typed)
    def _filter_typed(self, message: FilterLine.Typed) -> None:
        self.filtering.typed(message.place, message.words)

    @on(FilterLine.Kept)
    def _filter_kept(self, message: FilterLine.Kept) -> None:
        self.filtering.kept(message.place)
        self._follow_focus()

    @on(PaneRows.Changed)
    def _rows_changed(self, message: PaneRows.Changed) -> None:
        for place in PANES:
            if message.rows is self.query_one(f"#{place}"):
                self.filtering.count(place)

    def keys_here(self) -> FooterKeys:
        """The footer for where the focus is."""
        filtering = self.filtering
        if filtering.typing:
            return filter_keys(self.table)
        return footer_keys(self.table, self.place, hits=filtering.shown)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a filter is shown its keys walk the hits; else they mean what the pane has."""
        if action != "run" or not parameters:
            return True
        action_id, table = str(parameters[0]), self.table
        if action_id in HITS:
            return self.filtering.shown
        if not self.filtering.shown:
            return True
        taken = {key for hit in HITS for key in table.get(hit).keys}
        return taken.isdisjoint(table.get(action_id).keys)

    def _scroll_preview(self, by: int) -> None:
        self.query_one(PreviewPane).step(by)

    @on(PreviewPane.Sized)
    @on(RowList.Moved)
    def _preview(self) -> None:
        if self.desk is not None:
            self.desk.preview.follow()

    def _open_row(self) -> None:
        if not self._open_again():
            self.places.open_row()

    def _zoom(self, by: int) -> None:
        self.query_one(HeaderBar).change(zoom=self.places.zoom(by).upper())

    def _top(self) -> None:
        """To the first row; in the chat to the first turn, which may have to be read."""
        asked = self.place == "chat" and self.desk is not None and self.desk.session.go_top()
        if not asked:
            self.places.move("top")

    def _back(self) -> None:
        """The first that applies: the bar, filter or marks, a running answer, typing (ux 3.1)."""
        if self.dismiss_notice() or self.filtering.clear() or self.places.clear_marks():
            self._follow_focus()
            return
        desk = self.desk
        if desk is not None and self.place in ("chat", "prompt") and desk.talk.stop():
            return
        if self.place == "prompt":
            self.go("chat")

    # ---- on to the desk ------------------------------------------------------------------------

    @property
    def answers_running(self) -> bool:
        """Whether an answer is on its way to this process."""
        return self.desk is not None and self.desk.sender.any_running

    def answer_over(self) -> None:
        """Takes the question away whether to quit in spite of an answer, once none runs."""
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        asked = self.app.screen
        if isinstance(asked, ConfirmDialog) and not self.answers_running:
            asked.dismiss(False)
            key = self.table.key("app.quit", typing=True)
            self.say(f"The answer has ended. {key} quits.")

    async def put_away(self) -> None:
        """Stops answers and keeps what was typed, before leaving."""
        if self.desk is not None:
            await self.desk.put_away()

    def open_screen(self, screen: Screen[R], then: Callable[[R | None], None]) -> None:
        """Puts a screen on top; `then` gets what it comes back with."""
        self.app.push_screen(screen, then)

    def come_forward(self) -> None:
        """Leaves what stands above it, each as by esc."""
        from smriti_tui.app import SmritiApp
        from smriti_tui.screens.above import leave_above

        if isinstance(self.app, SmritiApp):
            leave_above(self.app)

    def open_demo(self) -> None:
        """Leaves this database for the demo's."""
        from smriti_tui.app import SmritiApp

        if isinstance(self.app, SmritiApp):
            self.app.open_demo()

    @on(FeedMoved)
    def _feed_moved(self) -> None:
        if self.desk is not None:
            self.desk.live.moved()
        if (top := self.app.screen) is not self:
            top.post_message(FeedMoved())

    @on(Unwatched)
    def _not_watched(self, message: Unwatched) -> None:
        self.say(f"What others write may show a moment later: {message.reason}.")

    @on(Reached)
    def _reached(self, message: Reached) -> None:
        if self.desk is not None:
            self.desk.live.reached(message.error, replaced=message.replaced)

    @on(Prompt.Submitted)
    def _submitted(self, message: Prompt.Submitted) -> None:
        if self._open_again():
            return
        if self.desk is None:
            self.say(f"{self._no_desk} Your text stays here.")
        else:
            self.desk.talk.submit(message.text)

    def _send(self) -> None:
        """Sends what is in the prompt."""
        self._submitted(Prompt.Submitted(self.query_one(Prompt).text))

    @on(Prompt.Changed)
    def _typed(self) -> None:
        if self.desk is not None:
            self.desk.typed()

    @on(RowList.Opened)
    def _row_opened(self, message: RowList.Opened) -> None:
        if self.desk is not None:
            self.desk.row_opened(message)

    @on(RowList.FoldAsked)
    def _fold_asked(self, message: RowList.FoldAsked) -> None:
        if self.desk is not None:
            self.desk.tree.fold(message.key, message.unfold)

    @on(AgentsPane.Resized)
    @on(AgentsPane.TabAsked)
    def _agents_pane(self, message: AgentsPane.Resized | AgentsPane.TabAsked) -> None:
        if self.desk is not None:
            self.desk.agents.step_tab(getattr(message, "by", 0))

    @on(CheckpointsPane.MoreAsked)
    def _more_asked(self, message: CheckpointsPane.MoreAsked) -> None:
        if self.desk is not None:
            self.desk.checkpoints.more(message.count)

    def on_app_blur(self) -> None:
        """Nobody looks: the feed may rest."""
        if self.desk is not None:
            self.desk.live.rest(True)

    def on_app_focus(self) -> None:
        """Somebody looks again."""
        if self.desk is not None:
            self.desk.live.rest(False)
