"""The event log: streams, their events as they come, and what they fold into."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.render.log_events import event_document
from smriti_tui.domain.state_text import counted
from smriti_tui.keys import named
from smriti_tui.messages import FeedMoved
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen, TitleLine
from smriti_tui.screens.log.acts import TrackerActs
from smriti_tui.screens.log.board import Board
from smriti_tui.screens.log.dialogs import EventDialog
from smriti_tui.screens.log.reading import PAGE, Read, Reader, Wanted, typed
from smriti_tui.screens.log.rows import ALL, event_rows, event_sections, stream_rows, stream_words
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import Row, RowList
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.services import Services

EVENTS, FOLDED = "events", "folded"
GROUP: Final = "log.read"
BESIDE: Final = 110
"""Cells of the screen from which on a view stands beside the events it is folded from."""


@dataclass(frozen=True)
class Drawn:
    """What was read, and its rows."""

    read: Read
    streams: tuple[Row, ...]
    events: tuple[Row, ...]


class LogScreen(FullScreen[None]):
    """Left the streams; right the events of one, or what it folds into."""

    CSS_PATH = [str(styles_dir() / "context.tcss"), str(styles_dir() / "log.tcss")]  # noqa: RUF012
    HELP = (
        "The log is the truth: every change is an event in a stream, and events never change. "
        "[ and ] show the events of the stream, or what they fold into: the tracker is a board. "
        "/ filters by words, type:NAME and by:ACTOR; enter reads an event whole."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *named(
            *MOVES, "nav.open", "nav.left", "nav.right", "nav.fold", "nav.unfold", "edit.copy",
            "nav.filter", "nav.tab_next", "nav.tab_prev", "tracker.new", "tracker.edit",
            "tracker.done", "tracker.status", "tracker.left", "tracker.right", "tracker.archive",
        ),
        *LEAVING,
    ]  # fmt: skip
    PLACES = ("log", "browse", "everywhere")
    FOOTER = ("nav.open", "nav.tab_next", "nav.filter", "nav.next", "nav.back")
    BOARD_FOOTER = (
        "tracker.new", "tracker.edit", "tracker.done", "tracker.right", "nav.tab_next", "nav.back",
    )  # fmt: skip

    def __init__(self, services: Services, stream: str | None = None) -> None:
        """`stream` is the one that is shown first; None: all."""
        super().__init__()
        self._services = services
        self._reader = Reader(services)
        self._wanted = Wanted(stream)
        self._read: Read | None = None
        self._tab = EVENTS
        self._busy = False
        self._again = False
        self._follows = True
        """Whether the newest event is to be shown as it comes."""
        self._acts = TrackerActs(self, services, self._shown_board, self._item_changed)
        self._marked_item = ""

    # ---- frame ---------------------------------------------------------------------------------

    def body(self) -> Iterable[Widget]:
        """Streams; words, events, folded view and board, of which one is shown."""
        with Horizontal(id="log-body"):
            yield RowList(id="log-streams", empty="Reading ...")
            with Vertical(id="log-side"):
                words = LineInput("", widget_id="log-words", hint="words, type:NAME, by:ACTOR")
                words.display = False
                yield words
                with Horizontal(id="log-both"):
                    yield RowList(id="log-events", empty="Reading ...")
                    yield LiteralView(widget_id="log-folded")
                yield Board()

    def on_mount(self) -> None:
        """The streams have the keys."""
        super().on_mount()
        self.query_one("#log-streams").focus()
        self._arrange()
        self._load()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        found: dict[str, Callable[[], object]] = {
            "edit.copy": self._copy,
            "nav.filter": self._filter,
            "nav.tab_next": self._other_tab,
            "nav.tab_prev": self._other_tab,
            **self._acts.actions,
        }
        if (board := self._shown_board()) is not None and board.has_focus_within:
            left, right = (lambda: board.step(-1)), (lambda: board.step(1))
            found |= {
                "nav.left": left, "nav.fold": left, "nav.right": right, "nav.unfold": right,
                "nav.open": self._acts.edit,
            }  # fmt: skip
        return found

    def back(self) -> None:
        """The bar first, then a filter, then the screen."""
        words = self.query_one("#log-words", LineInput)
        if self.query_one(NoticeBar).dismiss():
            return
        if words.display:
            words.display = False
            words.value = ""
            self._main().focus()
        else:
            self.dismiss(None)

    # ---- reading -------------------------------------------------------------------------------

    def _load(self) -> None:
        """Reads in a thread; what is asked for meanwhile is read right after."""
        if self._busy:
            self._again = True
            return
        self._busy, self._again = True, False
        wanted = self._wanted

        def work() -> Drawn:
            # Rows of thousands of events are made here, not where keys are waited for.
            read = self._reader.read(wanted)
            return Drawn(read, tuple(stream_rows(read)), tuple(event_rows(read)))

        hop(self, work, self._came, self._failed, group=GROUP)

    def _came(self, drawn: Drawn) -> None:
        self._busy = False
        read = drawn.read
        if read.wanted == self._wanted:
            self.query_one(NoticeBar).dismiss()
            self._read = read
            self._draw(drawn)
        if self._again or read.wanted != self._wanted:
            self._load()

    def _failed(self, error: SmritiError) -> None:
        self._busy = False
        self.tell(error.message, error.hint)
        if self._read is None:
            for name in ("#log-streams", "#log-events"):
                self.query_one(name, RowList).show_rows((), empty="It could not be read.")

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Something was written, here or elsewhere."""
        self._load()

    # ---- showing -------------------------------------------------------------------------------

    def _draw(self, drawn: Drawn) -> None:
        read = drawn.read
        streams = self.query_one("#log-streams", RowList)
        streams.show_rows(drawn.streams)
        if streams.cursor_key != (read.wanted.stream or ALL):
            streams.move_to(read.wanted.stream or ALL)
        rows = self.query_one("#log-events", RowList)
        rows.show_rows(drawn.events, empty=self._nothing(read))
        if self._follows:
            rows.action_bottom()
        view = read.view or "No view folds this stream: `smriti log read` has its events."
        self.query_one("#log-folded", LiteralView).show([Section("", view)])
        if read.items is not None:
            board = self.query_one(Board)
            board.show(read.items)
            if self._marked_item:
                board.find(self._marked_item)
                self._marked_item = ""
        self._arrange()
        self._say(read)

    def _nothing(self, read: Read) -> str:
        if read.wanted.told:
            return "No event that was read holds that. esc takes the filter away."
        return "No event yet: whatever is written shows here at once."

    def _say(self, read: Read) -> None:
        name = read.wanted.stream
        where = "all streams" if name is None else stream_words(name, read.names)
        told = f"filter: {read.wanted.told}" if read.wanted.told else ""
        tabs = "events" if self._tab == EVENTS else ("board" if read.items is not None else "view")
        self.query_one(TitleLine).left = ("LOG", where, tabs, told)
        shown = counted(len(read.events), "event")
        if read.wanted.words:
            newest = "the newest " if read.ends else ""
            shown = f"{read.fitting:,} of {newest}{read.looked_at:,} read"
        elif read.more or read.ends:
            shown = f"the newest {read.looked_at:,}"
        live = "LIVE" if self._follows else "not at the end"
        self.query_one(TitleLine).right = f"{self.demo_word}{shown}  {live}"

    def _arrange(self) -> None:
        """Events, and beside them what they fold into, where there is such a thing and room for
        both; else one of the two. The board has the whole width."""
        board = self._shown_board() is not None
        folded = self._tab == FOLDED
        has_view = self._read is not None and self._read.view is not None
        beside = has_view and not folded and self.size.width >= BESIDE
        self.query_one("#log-streams").display = not board
        self.query_one("#log-both").display = not board
        self.query_one("#log-events").display = not folded
        view = self.query_one("#log-folded", LiteralView)
        view.display = folded or beside
        view.set_class(beside, "-beside")
        self.query_one(Board).display = board
        self.show_footer(self.BOARD_FOOTER if board else self.FOOTER)

    def _shown_board(self) -> Board | None:
        tracker = self._read is not None and self._read.items is not None
        return self.query_one(Board) if tracker and self._tab == FOLDED else None

    def _main(self) -> Widget:
        board = self._shown_board()
        if board is not None:
            return board
        return self.query_one("#log-folded" if self._tab == FOLDED else "#log-events")

    # ---- moving --------------------------------------------------------------------------------

    def _other_tab(self) -> None:
        self._tab = FOLDED if self._tab == EVENTS else EVENTS
        self._arrange()
        board = self._shown_board()
        if board is not None:
            self.set_focus(None)
            self.call_after_refresh(board.take_focus)
        elif self.focused is None or not self.focused.display or self._tab == FOLDED:
            self._main().focus()
        if self._read is not None:
            self._say(self._read)

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()
        if message.rows.id == "log-streams":
            self._stream_marked(message.key)
        elif message.rows.id == "log-events":
            self._event_marked(message.key)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        if message.rows.id == "log-streams":
            board = self._shown_board()
            self._main().focus() if board is None else board.take_focus()
        elif message.rows.id == "log-events":
            self._event_opened(message.key)
        else:
            self._acts.edit()

    def _stream_marked(self, key: str) -> None:
        stream = None if key == ALL else key
        if stream != self._wanted.stream:
            self._wanted = replace(self._wanted, stream=stream, limit=PAGE)
            self._follows = True
            self._load()

    def _event_marked(self, key: str) -> None:
        read = self._read
        if read is None or not read.events:
            return
        self._follows = key == str(read.events[-1].position)
        if read.more and key == str(read.events[0].position):
            self._wanted = replace(self._wanted, limit=self._wanted.limit + PAGE)
            self._load()
        self._say(read)

    def _event_opened(self, key: str) -> None:
        if (document := self._document(key)) is not None:
            payload = json.dumps(document["payload"], ensure_ascii=False, indent=2, sort_keys=True)
            sections = event_sections(document, payload)
            self.app.push_screen(EventDialog(int(key), sections))

    def _document(self, key: str | None) -> dict[str, Any] | None:
        events_read = self._read.events if self._read is not None else ()
        found = next((each for each in events_read if str(each.position) == key), None)
        return None if found is None else dict(event_document(found))

    def _copy(self) -> None:
        board = self._shown_board()
        if board is not None and board.item is not None:
            self.app.copy_to_clipboard(str(board.item.get("id")))
            return
        key = self.query_one("#log-events", RowList).cursor_key
        if (found := self._document(key)) is not None:
            self.app.copy_to_clipboard(json.dumps(found, ensure_ascii=False, sort_keys=True))

    def _item_changed(self, key: str) -> None:
        self._marked_item = key
        self._load()

    # ---- filter --------------------------------------------------------------------------------

    def _filter(self) -> None:
        words = self.query_one("#log-words", LineInput)
        if self._tab == FOLDED:
            self._other_tab()
        words.display = True
        words.focus()

    @on(Input.Changed, "#log-words")
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        self._wanted = typed(message.value, self._wanted.stream)
        self._follows = True
        self._load()

    @on(Input.Submitted, "#log-words")
    def _entered(self, message: Input.Submitted) -> None:
        message.stop()
        self.query_one("#log-events").focus()

    def on_resize(self, event: events.Resize) -> None:
        """Another width has room for other things."""
        self._arrange()
