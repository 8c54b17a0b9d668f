"""Search everything: what was said, saved or named, found while one types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.search_hit import Found, Hit
from smriti_tui.keys import named
from smriti_tui.messages import Failed, FeedMoved
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen, TitleLine
from smriti_tui.screens.search_rows import (
    ANYONE,
    HERE,
    KIND_WORDS,
    LABELS,
    SINCE,
    Around,
    Choice,
    Kept,
    filter_words,
    hit_row,
    nothing,
    preview,
)
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.literal_view import LiteralView
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.services import Services

PAUSE_S = 0.08
"""How long after the last key the search begins."""


class FilterRow(Static, can_focus=True):
    """The filters on one line; one of them is chosen while it has the focus."""

    def __init__(self) -> None:
        super().__init__(id="search-filters")
        self.at = 0
        self._choice, self._around = Choice(), Around()

    def show(self, choice: Choice, around: Around) -> None:
        """Other values."""
        self._choice, self._around = choice, around
        at = self.at if self.has_focus else None
        pieces = filter_words(choice, at, around)
        shown = [(text, "bold" if tone == "strong" else "") for text, tone in pieces]
        self.update(Content.assemble(*shown))

    def step(self, by: int) -> None:
        """To another filter."""
        self.at = (self.at + by) % len(LABELS)
        self.show(self._choice, self._around)

    def watch_has_focus(self, has_focus: bool) -> None:
        """Shows which one would change, or that none would."""
        super().watch_has_focus(has_focus)
        self.show(self._choice, self._around)


class SearchScreen(FullScreen[Hit | None]):
    """Dismissed with the hit that is to be opened, else with None."""

    CSS_PATH = [str(styles_dir() / "context.tcss"), str(styles_dir() / "search.tcss")]  # noqa: RUF012
    HELP = (
        "Finds turns, checkpoints, items, artifacts, notes and names that hold all typed words, "
        "as they are written; the last may be the beginning of one. tab goes to the filters. "
        "enter opens the hit: its turn in the chat, its checkpoint, its Space or session."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *named(*MOVES, "nav.open", "nav.left", "nav.right", "nav.fold", "nav.unfold"),
        *LEAVING,
    ]
    PLACES = ("search", "browse", "everywhere")
    FOOTER = ("nav.open", "nav.down", "nav.next", "nav.back")

    @dataclass
    class Answered(Message):
        """A search came back: `number` tells which."""

        number: int
        found: Found
        now: str

    @dataclass
    class Broken(Message):
        """It failed."""

        number: int
        failed: Failed

    @dataclass
    class Read(Message):
        """The whole text of a hit."""

        hit: Hit
        text: str

    @dataclass
    class Known(Message):
        """Who can be asked for."""

        authors: tuple[str, ...]

    def __init__(
        self, services: Services, around: Around, kept: Kept, keep: Callable[[Kept], None]
    ) -> None:
        """`keep` gets what the search is left with, each time that changes."""
        super().__init__()
        self._services = services
        self._around = around
        self._kept = kept
        self._keep = keep
        self._choice = kept.choice
        if around.space is None and self._choice.where == HERE:
            self._choice = replace(self._choice, where=Choice().where)
        self._authors: tuple[str, ...] = ()
        self._number = 0
        self._asked = self._shown = kept.text
        """The words of the newest search, and those whose hits are shown."""
        self._pending = 0
        """Searches that have not come back."""
        self._pause: Timer | None = None
        self._hits: dict[str, Hit] = {}
        self._now = ""

    # ---- frame ---------------------------------------------------------------------------------

    def body(self) -> Iterable[Widget]:
        """Words, filters, hits, and the whole text of one."""
        yield LineInput(self._kept.text, widget_id="search-words", hint="search everything")
        yield FilterRow()
        rows = RowList(id="search-rows", empty=nothing("", self._choice))
        rows.can_focus = False
        yield rows
        yield LiteralView(widget_id="search-preview")

    def on_mount(self) -> None:
        """Begins where the last search ended."""
        super().on_mount()
        self.query_one(TitleLine).left = ("SEARCH",)
        self.query_one(FilterRow).show(self._choice, self._around)
        self.query_one("#search-words", Input).focus()
        in_thread(
            self,
            lambda: tuple(self._services.searching.authors()),
            self.Known,
            group="search.authors",
        )
        self._search()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here, by what has the focus."""
        moves = {
            "nav.open": self._open,
            "nav.down": lambda: self._vertical(1),
            "nav.up": lambda: self._vertical(-1),
        }
        if isinstance(self.focused, FilterRow):
            row = self.focused
            back, on = (lambda: row.step(-1)), (lambda: row.step(1))
            return {
                **moves, "nav.left": back, "nav.fold": back, "nav.right": on, "nav.unfold": on,
            }  # fmt: skip
        if isinstance(self.focused, LiteralView):
            return {"nav.open": self._open}
        rows = self.query_one("#search-rows", RowList)
        return {**moves, "nav.half_down": rows.action_half_down, "nav.half_up": rows.action_half_up}

    def on_descendant_focus(self) -> None:
        """Says how the filters are changed while they have the focus."""
        hint = "left right choose, up down change" if isinstance(self.focused, FilterRow) else ""
        self.query_one(TitleLine).left = ("SEARCH", hint)

    def _vertical(self, by: int) -> None:
        if isinstance(self.focused, FilterRow):
            has_space = self._around.space is not None
            self._choice = self._choice.other(self.focused.at, by, self._authors, has_space)
            self.focused.show(self._choice, self._around)
            self._search()
        else:
            rows = self.query_one("#search-rows", RowList)
            (rows.action_cursor_down if by > 0 else rows.action_cursor_up)()

    # ---- searching -----------------------------------------------------------------------------

    @property
    def typed(self) -> str:
        """The words as they stand."""
        return self.query_one("#search-words", Input).value

    @on(Input.Changed, "#search-words")
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_S, self._search)

    def _search(self) -> None:
        """Asks for what is typed; whatever is still on its way is no longer wanted."""
        self._number += 1
        number, typed, choice, space = self._number, self.typed, self._choice, self._around.space
        self._asked = typed
        self._remember()
        searching = self._services.searching

        def work() -> tuple[Found, str]:
            filters = searching.filters(
                space=space if choice.where == HERE else None,
                kinds=KIND_WORDS[choice.what],
                author=None if choice.by == ANYONE else choice.by,
                since=SINCE[choice.when],
            )
            return searching.search(typed, filters), self._services.caller.store.now()

        self._pending += 1
        self._say_count("searching ..." if typed.strip() else "")
        in_thread(
            self,
            work,
            lambda found: self.Answered(number, *found),
            group="search",
            what="Searching",
            failed=lambda failed: self.Broken(number, failed),
        )

    @on(Answered)
    def _answered(self, message: Answered) -> None:
        self._pending -= 1
        if message.number != self._number:
            return
        self.query_one(NoticeBar).dismiss()
        self._now = message.now
        self._hits = {str(hit.entry): hit for hit in message.found.hits}
        self._draw(stay=self._asked == self._shown)
        self._shown = self._asked
        count = len(self._hits)
        more = "the best " if message.found.more else ""
        noun = "hit" if count == 1 else "hits"
        self._say_count(f"{more}{count} {noun}" if self.typed.strip() else "")

    @on(Broken)
    def _broken(self, message: Broken) -> None:
        self._pending -= 1
        if message.number == self._number:
            error = message.failed.error
            self._say_count("failed")
            self.tell(error.message, error.hint)
            if not self._hits:
                self.query_one("#search-rows", RowList).show_rows(
                    (), empty="The search failed. Type on, or esc goes back."
                )

    @on(Known)
    def _known(self, message: Known) -> None:
        self._authors = message.authors

    def on_failed(self, message: Failed) -> None:
        """Only the list of authors, or a preview: the search itself tells its own faults."""
        message.stop()

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Something was written: it may hold what is looked for."""
        if self.typed.strip() and not self._pending:
            self._search()

    # ---- showing -------------------------------------------------------------------------------

    def _draw(self, *, stay: bool = True) -> None:
        """Shows the hits. The cursor stays on its hit, or goes to the best one of other words."""
        rows = self.query_one("#search-rows", RowList)
        width = self.size.width
        shown = tuple(hit_row(hit, self._now, width) for hit in self._hits.values())
        before = rows.cursor_key or self._kept.marked
        rows.show_rows(shown, empty=nothing(self.typed, self._choice))
        if shown and not (stay and before and rows.move_to(before)):
            rows.action_top()
        self._preview()

    def on_resize(self, event: events.Resize) -> None:
        """Another width cuts the lines elsewhere."""
        if self._hits:
            self._draw()

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._remember()
        self._preview()

    def _preview(self) -> None:
        view, hit = self.query_one("#search-preview", LiteralView), self._marked()
        if hit is None:
            view.show([])
        elif view.display:
            in_thread(
                self,
                lambda: self._services.searching.whole(hit),
                lambda text: self.Read(hit, text),
                group="search.preview",
            )

    @on(Read)
    def _read(self, message: Read) -> None:
        if message.hit == self._marked():
            sections = preview(message.hit, message.text, self.typed)
            self.query_one("#search-preview", LiteralView).show(sections)

    def _marked(self) -> Hit | None:
        key = self.query_one("#search-rows", RowList).cursor_key
        return self._hits.get(key) if key is not None else None

    def _say_count(self, words: str) -> None:
        self.query_one(TitleLine).right = f"{self.demo_word}{words}"

    def _remember(self) -> None:
        marked = self.query_one("#search-rows", RowList).cursor_key
        self._kept = Kept(self.typed, self._choice, marked or self._kept.marked)
        self._keep(self._kept)

    # ---- opening -------------------------------------------------------------------------------

    @on(Input.Submitted, "#search-words")
    def _entered(self, message: Input.Submitted) -> None:
        message.stop()
        self._open()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self._open()

    def _open(self) -> None:
        hit = self._marked()
        if hit is not None:
            self.dismiss(hit)
