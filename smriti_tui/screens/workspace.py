"""The workspace: panes, focus and keys. What the panes show is the desk's matter.

This module is part of the first frame: it imports Textual and the standard library alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.keys import (
    FOOTER_KEYS,
    FOOTER_ONLY,
    FOOTER_RIGHT,
    Action,
    KeyTable,
    Place,
    bindings,
    key_table,
)
from smriti_tui.messages import Act, FeedMoved, Reached
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.pane_tabs import PaneTabs, Tab
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.row_list import RowList
from smriti_tui.widgets.spaces_pane import SpacesPane
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.errors import SmritiError
    from smriti_tui.screens.desk.desk import Desk

PANES: tuple[Place, ...] = ("spaces", "checkpoints", "chat")
PLACES: tuple[Place, ...] = (*PANES, "prompt")
TABS = (
    Tab("1 Spaces", "nav.pane_1"),
    Tab("2 Checkpoints", "nav.pane_2"),
    Tab("3 Chat", "nav.pane_3"),
)
MOVES = (
    ("nav.down", "cursor_down"),
    ("nav.up", "cursor_up"),
    ("nav.top", "top"),
    ("nav.bottom", "bottom"),
    ("nav.half_down", "half_down"),
    ("nav.half_up", "half_up"),
    ("nav.fold", "fold"),
    ("nav.unfold", "unfold"),
)
NARROW = "-narrow"
SAID_S = 3.0
SAID_MOST = 2
"""How long a short note stays, and how many stand at the same time."""
R = TypeVar("R")


class Said(NamedTuple):
    """A short note that is shown."""

    words: str
    until: float


class WorkspaceScreen(Screen[None]):
    """Spaces, checkpoints and the chat, with the prompt below it."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 (the base class declares it for instances)
        (0, "-tiny"), (60, NARROW), (100, "-wide"), (120, "-wider"), (160, "-widest"),
    ]  # fmt: skip
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-flat"), (16, "-short"), (30, "-tall"),
    ]  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("everywhere", "browse")]
    AUTO_FOCUS = "#prompt"

    def __init__(self) -> None:
        super().__init__(classes="-show-3")
        self.desk: Desk | None = None
        self.place: Place = "prompt"
        """Where the focus is."""
        self._said: tuple[Said, ...] = ()
        self._actions = self._own_actions()

    def _own_actions(self) -> dict[str, Callable[[], None]]:
        """What needs no desk, by the ids of the action table."""
        moves = {action_id: partial(self._move, name) for action_id, name in MOVES}
        return {
            **moves,
            "nav.pane_1": partial(self.go, "spaces"),
            "nav.pane_2": partial(self.go, "checkpoints"),
            "nav.pane_3": partial(self.go, "chat"),
            "nav.left": partial(self._step_pane, -1),
            "nav.right": partial(self._step_pane, 1),
            "nav.next": partial(self._step_place, 1),
            "nav.prev": partial(self._step_place, -1),
            "nav.open": self._open_row,
            "nav.back": self._back,
            "chat.write": partial(self.go, "prompt"),
            "chat.send": self._send,
        }

    def compose(self) -> ComposeResult:
        """The frame; the panes are empty until the database is open."""
        yield HeaderBar()
        tabs = PaneTabs()
        tabs.tabs, tabs.shown = TABS, 2
        yield tabs
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield SpacesPane(id="spaces")
                yield CheckpointsPane(id="checkpoints")
            with Vertical(id="talk"):
                yield ChatPane(id="chat")
                yield Prompt(id="prompt")
        yield Static("Smriti needs a little more room: 60 columns and 16 lines.", id="too-small")
        footer = FooterBar()
        footer.keys = self.keys_here()
        yield footer
        yield NoticeBar()

    def on_mount(self) -> None:
        """Opens the rest behind the first frame."""
        self.call_after_refresh(self._open)

    # ---- opening -------------------------------------------------------------------------------

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
        self.desk = await furnish()
        self.desk.begin()

    def on_unmount(self) -> None:
        """However the app ends, the thread that follows the log ends with it."""
        if self.desk is not None:
            self.desk.live.stop()

    def _not_opened(self, error: SmritiError) -> None:
        self.query_one(HeaderBar).change(live="OFFLINE")
        self.tell(error.message, error.hint)

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
        runner = self._actions.get(action_id)
        if runner is None and self.desk is not None:
            runner = self.desk.actions.get(action_id)
        if runner is not None:
            runner()
        elif action_id.startswith("app."):
            self.app.post_message(Act(action_id))
        elif self.desk is None:
            self.say("The database is still being opened.")

    def usable(self) -> set[str]:
        """The ids that this screen runs: what the palette offers."""
        here = {*self._actions, *(self.desk.actions if self.desk is not None else ())}
        ids = {action.id for action in self.table.actions}
        return {name for name in ids if name in here or name.startswith("app.")}

    def on_act(self, message: Act) -> None:
        """A click on footer, header or a tab."""
        message.stop()
        self.action_run(message.action_id)

    def say(self, words: str) -> None:
        """A short note that needs no answer."""
        fresh = [note for note in self._said if note.until > monotonic()]
        if len(fresh) >= SAID_MOST:
            # Behind those that are on their way to the app.
            self.app.call_later(self.app.clear_notifications)
            fresh = fresh[1 - SAID_MOST :]
            for note in fresh:
                self.notify(note.words, markup=False, timeout=note.until - monotonic())
        self.notify(words, markup=False, timeout=SAID_S)
        self._said = (*fresh, Said(words, monotonic() + SAID_S))

    def tell(self, what: str, hint: str = "") -> None:
        """What needs an answer: in the bar above the footer until dismissed."""
        self.query_one(NoticeBar).tell(what, hint)

    def dismiss_notice(self) -> bool:
        """Takes the bar away; False if there was none."""
        return self.query_one(NoticeBar).dismiss()

    # ---- panes and focus -----------------------------------------------------------------------

    def stop(self, place: Place) -> Widget:
        """The widget that takes the focus in a place."""
        if place == "chat":
            chat = self.query_one(ChatPane)
            return chat.transcript or chat
        return self.query_one(f"#{place}")

    def go(self, place: Place) -> None:
        """Shows a place and gives it the focus."""
        self._show(place)
        widget = self.stop(place)
        if widget.display and widget.region.area:
            widget.focus(scroll_visible=False)
        else:
            self.call_after_refresh(widget.focus, scroll_visible=False)

    def _show(self, place: Place) -> None:
        pane = "chat" if place == "prompt" else place
        for number, name in enumerate(PANES, 1):
            self.set_class(name == pane, f"-show-{number}")
        self.query_one(PaneTabs).shown = PANES.index(pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Footer and tabs follow the focus."""
        typed = self.place == "prompt"
        for place in PLACES:
            widget = self.query_one(f"#{place}")
            if event.widget is widget or widget in event.widget.ancestors:
                self.place = place
                self._show(self.place)
                break
        self.query_one(FooterBar).keys = self.keys_here()
        if self.desk is not None and typed != (self.place == "prompt"):
            self.desk.chat.show()  # Its hints name keys, which mean text while one types.

    def keys_here(self) -> FooterKeys:
        """The footer for where the focus is."""
        typing = self.place == "prompt"
        places: tuple[Place, ...] = (
            ("prompt", "everywhere") if typing else (self.place, "browse", "everywhere")
        )

        def key(action: Action) -> FooterKey:
            shown = self.table.key(action.id, typing=typing)
            return FooterKey(shown, action.word, action.id)

        here = [
            action
            for action in self.table.here(*places)
            if action.rank and action.keys and FOOTER_ONLY.get(action.id, self.place) == self.place
        ]
        right = [self.table.get(action_id) for action_id in FOOTER_RIGHT]
        left = here[: FOOTER_KEYS - len(right)]
        return FooterKeys(tuple(map(key, left)), tuple(map(key, right)))

    def _move(self, name: str) -> None:
        if (
            name == "top"
            and self.place == "chat"
            and self.desk is not None
            and self.desk.session.go_top()
        ):
            return
        paged = self.place == "prompt" and name.startswith("half_")
        widget = self.stop("chat" if paged else self.place)
        action = getattr(widget, f"action_{name}", None)
        if action is not None:
            action()
        elif name in ("fold", "unfold") and (fold := getattr(widget, "action_toggle_fold", None)):
            fold()

    def _step_pane(self, by: int) -> None:
        """To the pane before or behind; from the prompt to the last or the first one."""
        outside = 0 if by < 0 else -1
        at = PANES.index(self.place) if self.place in PANES else outside
        self.go(PANES[(at + by) % len(PANES)])

    def _step_place(self, by: int) -> None:
        """To the place before or behind that takes the focus."""
        self.go(PLACES[(PLACES.index(self.place) + by) % len(PLACES)])

    def _open_row(self) -> None:
        """Opens what the cursor is on."""
        widget = self.stop(self.place)
        if isinstance(widget, RowList):
            widget.action_open()
        elif (fold := getattr(widget, "action_toggle_fold", None)) is not None:
            fold()

    def _back(self) -> None:
        """The first that applies: the bar, a running answer, typing (ux 3.1)."""
        if self.dismiss_notice():
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

    @on(Reached)
    def _reached(self, message: Reached) -> None:
        if self.desk is not None:
            self.desk.live.reached(message.error)

    @on(Prompt.Submitted)
    def _submitted(self, message: Prompt.Submitted) -> None:
        if self.desk is None:
            self.say("The database is still being opened; your text is kept.")
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
            self.desk.doors.row_opened(message.key)

    @on(RowList.FoldAsked)
    def _fold_asked(self, message: RowList.FoldAsked) -> None:
        if self.desk is not None:
            self.desk.tree.fold(message.key, message.unfold)

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
