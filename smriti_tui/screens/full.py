"""What every full screen shares: one line on top, a body, a bar for errors, the footer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.clean import clean_line
from smriti_tui.keys import FOOTER_RIGHT, KeyTable, Place, key_table, named
from smriti_tui.messages import Act, Failed
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList, cut

Result = TypeVar("Result")

NARROW, WIDE, SHORT, TALL = "-narrow", "-wide", "-short", "-tall"
LIST_MOVES: Mapping[str, str] = {
    "nav.down": "cursor_down",
    "nav.up": "cursor_up",
    "nav.top": "top",
    "nav.bottom": "bottom",
    "nav.half_down": "half_down",
    "nav.half_up": "half_up",
    "nav.open": "open",
}
WORDS: Mapping[str, str] = {
    "nav.back": "Back", "nav.next": "Next field", "nav.up": "List",
}  # fmt: skip
"""Shorter words for the footer than the table has."""
SCROLL_MOVES: Mapping[str, str] = {
    "nav.down": "scroll_down",
    "nav.up": "scroll_up",
    "nav.top": "scroll_home",
    "nav.bottom": "scroll_end",
    "nav.half_down": "page_down",
    "nav.half_up": "page_up",
}


MOVES = (
    "nav.down", "nav.up", "nav.top", "nav.bottom", "nav.half_down", "nav.half_up", "nav.back",
    "nav.next", "nav.prev", "app.help", "app.palette", "app.search", "app.jump",
)  # fmt: skip
"""Actions that every full screen takes from the table."""


APP = (
    "app.jump", "app.log", "app.mouse", "app.palette", "app.search", "app.settings", "app.theme",
)  # fmt: skip
"""What the app runs for every screen, with a key there or without."""
LEAVING = named("app.quit", "nav.close")
"""`q` closes a screen, `ctrl+q` the app (ux 3.2)."""


class TitleLine(Widget):
    """The top line: words from the left, one at the right edge that is never cut."""

    DEFAULT_CSS = "TitleLine { height: 1; dock: top; }"

    left: reactive[tuple[str, ...]] = reactive(())
    right: reactive[str] = reactive("")

    def render(self) -> Content:
        """The words that fit, the first in bold."""
        width = self.size.width
        right = clean_line(self.right)
        gap = "   " if width >= 100 else "  "
        room = max(width - cell_len(right) - len(gap) - 2, 0)
        words = gap.join(clean_line(word) for word in self.left if word)
        shown = words if cell_len(words) <= room else cut(words, room).rstrip()
        space = max(width - cell_len(shown) - cell_len(right) - 2, 1)
        return Content.assemble((f" {shown}", "bold"), " " * space, (right, "bold"))


class FullScreen(Screen[Result]):
    """A screen of its own. `esc` leads back; keys, footer and help come from the action table."""

    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "context.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = []
    FOOTER: ClassVar[tuple[str, ...]] = ()
    """Ids of the actions in the footer, most useful first."""
    PLACES: ClassVar[tuple[Place, ...]] = ("browse", "everywhere")
    """Whose keys the help page lists, the place itself first."""

    HOLD_S: ClassVar[float] = 0
    """How long the first frame may wait for what is read for it: one frame instead of two."""

    def __init__(self) -> None:
        super().__init__()
        self._held = self.HOLD_S > 0
        self.HORIZONTAL_BREAKPOINTS = [(0, NARROW), (100, WIDE)]
        self.VERTICAL_BREAKPOINTS = [(0, SHORT), (30, TALL)]

    def compose(self) -> ComposeResult:
        """Top line, what `body` gives, error bar, footer."""
        # The size is known: classes that only came with it would style and place all of it twice.
        width, height = self.app.size
        self.add_class(NARROW if width < 100 else WIDE, SHORT if height < 30 else TALL)
        if self._held:
            self.set_timer(self.HOLD_S, self.let_go)
        yield TitleLine()
        yield from self.body()
        yield FooterBar()
        yield NoticeBar()

    def body(self) -> Iterable[Widget]:
        """The widgets between top line and footer."""
        return ()

    def let_go(self) -> None:
        """The first frame waits no longer."""
        if self._held:
            self._held = False
            self.refresh()

    def _compositor_refresh(self) -> None:
        # What is not drawn stays dirty in the compositor, and is drawn with the next frame.
        if not self._held:
            super()._compositor_refresh()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """Action id to what it does here."""
        return {}

    def on_mount(self) -> None:
        """Shows the keys."""
        self.show_footer(self.FOOTER)

    @property
    def places(self) -> tuple[Place, ...]:
        """The places whose keys work where the focus is, that place first."""
        return self.PLACES

    @property
    def demo_word(self) -> str:
        """`DEMO` and a gap where the app shows its throw-away database."""
        return "DEMO  " if getattr(getattr(self.app, "opened", None), "demo", False) else ""

    @property
    def table(self) -> KeyTable:
        """The actions with the person's own keys."""
        found = getattr(self.app, "table", None)
        return found if isinstance(found, KeyTable) else key_table({})

    def show_footer(self, action_ids: Iterable[str]) -> None:
        """Offers these actions in the footer."""
        table, typing = self.table, isinstance(self.focused, Input | TextArea)

        def key(action_id: str) -> FooterKey:
            word = WORDS.get(action_id, table.get(action_id).word)
            return FooterKey(table.key(action_id, typing=typing), word, action_id)

        keys = FooterKeys(tuple(map(key, action_ids)), tuple(map(key, FOOTER_RIGHT)))
        self.query_one(FooterBar).keys = keys

    def action_run(self, action_id: str) -> None:
        """Runs an action of the table: here, in the list or text that has the focus, or in the
        app."""
        runner = self.runners().get(action_id)
        if runner is not None:
            runner()
        elif action_id in ("nav.back", "nav.close"):
            self.back()
        elif action_id == "nav.next":
            self.focus_next()
        elif action_id == "nav.prev":
            self.focus_previous()
        elif not self._move(action_id):
            self.app.post_message(Act(action_id))

    def usable(self) -> set[str]:
        """The ids that run here: what the palette offers."""
        bound = (active.binding.id for active in self.active_bindings.values())
        return {*self.runners(), *(each for each in bound if each), *APP}

    def jumps(self) -> Iterator[tuple[Region, Callable[[], object]]]:
        """Places of its own for jump mode, beside what takes the focus."""
        yield from ()

    def stays(self) -> str:
        """Why it is not left for another place; empty when nothing would be lost."""
        return ""

    def why_not(self, action_id: str) -> str:
        """Why an action would do nothing now; what runs here says so itself."""
        return ""

    def _move(self, action_id: str) -> bool:
        focused = self.focused
        moves = LIST_MOVES if isinstance(focused, RowList) else SCROLL_MOVES
        name = moves.get(action_id)
        action = getattr(focused, f"action_{name}", None) if name else None
        if action is None:
            return name is not None
        action()
        return True

    def back(self) -> None:
        """One step back: the error bar first, then the screen."""
        if not self.query_one(NoticeBar).dismiss():
            self.dismiss(None)

    def on_act(self, message: Act) -> None:
        """A click on the footer."""
        message.stop()
        self.action_run(message.action_id)

    def on_failed(self, message: Failed) -> None:
        """Says what went wrong, until it is dismissed."""
        message.stop()
        self.tell(message.error.message, message.error.hint)

    def tell(self, what: str, hint: str = "") -> None:
        """A sentence in the bar above the footer."""
        self.query_one(NoticeBar).tell(what, hint)
