"""The context inspector: exactly what the next send, or a stored answer, is made of (ux 4.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.render.context_request import (
    compare_rows,
    hash_state,
    heading,
    rebuilt_line,
    short_hash,
    sure_lines,
    verify_rows,
)
from smriti_tui.domain.render.context_rows import ContextFacts, left_rows, left_total, part_rows
from smriti_tui.domain.render.tables import pairs
from smriti_tui.keys import bindings, named
from smriti_tui.messages import Failed, FeedMoved
from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.context_reading import (
    ContextAsked,
    Reading,
    cut_section,
    facts_of,
    reading,
)
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.copyables import of_context
from smriti_tui.screens.copying import commands_of, open_copy_menu
from smriti_tui.screens.full import LEAVING, MOVES, NARROW, FullScreen, TitleLine
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.context_list import (
    compared_rows,
    out_rows,
    request_list,
    row_number,
    sent_rows,
)
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.services import Services

TABS = ("sent", "left", "request", "verify", "compare")
BETWEEN = "  "
"""Between the words of two tabs."""
_LOADING = " Reading the context ..."


class ContextScreen(FullScreen[int | None]):
    """Dismissed with the number of a turn that somebody wants to see, else with None."""

    HELP = (
        "Everything a model is told, part by part, before it is sent or as it was stored. "
        "What is not in the list was not sent; what stays out stands with its reason. "
        "V rebuilds a stored request from the log and compares it byte for byte."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("context"),
        *named(*MOVES, "nav.open", "edit.copy", "edit.copy_menu"),
        *LEAVING,
    ]
    PLACES = ("context", "browse", "everywhere")
    FOOTER = (
        "nav.open", "nav.tab_next", "context.verify", "context.compare", "context.open",
        "edit.copy", "context.export",
    )  # fmt: skip

    HOLD_S = 0.06

    facts: reactive[ContextFacts | None] = reactive(None)
    tab: reactive[str] = reactive("sent")
    reading: reactive[bool] = reactive(False)
    """On a narrow screen: whether the text has the place of the list."""

    @dataclass
    class Loaded(Message):
        """A request was read (`again`: to verify it)."""

        facts: ContextFacts
        again: bool = False

    @dataclass
    class Broken(Message):
        """It could not be read."""

        failed: Failed

    @dataclass
    class Compared(Message):
        """The other request of a comparison was read."""

        facts: ContextFacts

    @dataclass
    class CutRead(Message):
        """The part of an artifact that was cut was read."""

        of: Reading
        section: Section | None

    @dataclass
    class Exported(Message):
        """The request lies in a file."""

        path: Path

    def __init__(self, services: Services, asked: ContextAsked) -> None:
        super().__init__()
        self._services = services
        self._asked = asked
        self._other: ContextFacts | None = None
        self._titles: list[str] = []
        self._filled: set[str] = set()
        """Tabs that show the facts as they are now."""
        self._reading = Reading()

    def body(self) -> Iterable[Widget]:
        """List and text side by side, below them how sure this is."""
        with Horizontal(id="context-body"):
            with ContentSwitcher(id="context-list", initial="ctx-sent", classes="pane"):
                yield RowList(id="ctx-sent", empty=_LOADING)
                yield RowList(id="ctx-left", empty=" Nothing stays out.")
                yield RowList(id="ctx-request", empty=_LOADING)
                yield LiteralView(widget_id="ctx-verify")
                yield RowList(id="ctx-compare", empty=" c compares with the next send.")
            with Vertical(id="context-reading", classes="pane"):
                yield LiteralView(widget_id="context-text")
        with Vertical(id="context-sure", classes="pane"):
            yield Static(id="context-sure-text")

    def on_mount(self) -> None:
        """Reads the request behind the first frame."""
        self.query_one("#context-reading", Vertical).border_title = "Text"
        self.query_one("#context-sure", Vertical).border_title = "How sure is this"
        self._show_titles()
        self.query_one("#ctx-sent", RowList).focus()
        self._load()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            "nav.open": self._open_text,
            "nav.tab_next": lambda: self._turn(1),
            "nav.tab_prev": lambda: self._turn(-1),
            "nav.next": self._swap_focus,
            "nav.prev": self._swap_focus,
            "context.verify": self._verify,
            "context.compare": self._compare,
            "context.open": self._open_origin,
            "context.export": self._export,
            "edit.copy": self._copy,
            "edit.copy_menu": self._copy_menu,
        }

    # Reading

    def _read(self, asked: ContextAsked) -> Callable[[], ContextFacts]:
        services = self._services

        def work() -> ContextFacts:
            # Imported in the thread: the services' modules are not part of the first frame.
            from smriti_tui.services.inspecting import Inspector

            inspector = Inspector(services.contexts, services.chat, services.sessions)
            return facts_of(inspector, asked)

        return work

    def _load(self, *, again: bool = False) -> None:
        in_thread(
            self,
            self._read(self._asked),
            lambda facts: self.Loaded(facts, again),
            group="context.load",
            what="Reading the context",
            failed=self.Broken,
        )

    @on(Loaded)
    def _loaded(self, message: Loaded) -> None:
        self.facts = message.facts
        self.let_go()
        if message.again:
            self.tab = "verify"
            self.notify(clean_line(rebuilt_line(message.facts)), markup=False)

    @on(Broken)
    def _broken(self, message: Broken) -> None:
        error = message.failed.error
        self.let_go()
        self.query_one("#ctx-sent", RowList).show_rows((), empty=" This request cannot be shown.")
        self.query_one("#context-sure-text", Static).update(literal(str(error)))
        self.tell(error.message, error.hint)

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Others wrote: what the next send would hold may be another thing now."""
        if not self._asked.stored:
            self._load()

    # Showing

    def watch_facts(self, facts: ContextFacts | None) -> None:
        """Fills the tab that is shown, and the others when one turns to them; the cursor stays on
        the part it is on."""
        if facts is None:
            return
        self._filled.clear()
        self._fill(self.tab)
        self.query_one("#context-sure-text", Static).update(literal("\n".join(sure_lines(facts))))
        self._show_titles()
        self._show_text()

    def _fill(self, tab: str) -> None:
        facts = self.facts
        if facts is None or tab in self._filled:
            return
        self._filled.add(tab)
        if tab == "sent":
            self._show_sent()
        elif tab == "left":
            self.query_one("#ctx-left", RowList).show_rows(out_rows(facts))
        elif tab == "request":
            self.query_one("#ctx-request", RowList).show_rows(request_list(facts))
        elif tab == "verify":
            proof = [Section("", pairs(verify_rows(facts))), Section("", " ")]
            proof += [Section("", line) for line in sure_lines(facts)]
            self.query_one("#ctx-verify", LiteralView).show(proof)
        elif tab == "compare" and self._other is not None:
            rows = compared_rows(compare_rows(facts, self._other))
            self.query_one("#ctx-compare", RowList).show_rows(rows)

    def on_resize(self) -> None:
        """A taller list has room for more of what stays out."""
        self.call_after_refresh(self._show_sent)

    def _show_sent(self) -> None:
        if self.facts is not None:
            rows = self.query_one("#ctx-sent", RowList)
            rows.show_rows(sent_rows(self.facts, rows.size.height))

    def _show_titles(self) -> None:
        facts, title = self.facts, self.query_one(TitleLine)
        title.right = self.demo_word.rstrip()
        counts = {"sent": "", "left": ""}
        if facts is not None:
            counts = {"sent": f" {len(part_rows(facts))}", "left": f" {left_total(facts)}"}
            tokens = f"{facts.estimate.tokens:,} tokens"
            where = short(facts.session)
            clock = (facts.recorded_at or "")[11:16]
            title.left = (self._asked.space, heading(facts), where, facts.model, clock, tokens)
            title.right = f"{self.demo_word}ctx {short_hash(facts.sha256)}  {hash_state(facts)}"
            self.set_class(facts.verified is False, "-differs")
        sent = "Sent" if facts is None or facts.sent else "To send"
        words = {
            "sent": f"{sent}{counts['sent']}",
            "left": f"Left out{counts['left']}",
            "request": "Request",
            "verify": "Verify",
            "compare": "Compare",
        }
        self._titles = [f"[{words[t]}]" if t == self.tab else words[t] for t in self._tabs()]
        pane = self.query_one("#context-list", ContentSwitcher)
        pane.border_title = literal_line(BETWEEN.join(self._titles))

    def jumps(self) -> Iterator[tuple[Region, Callable[[], object]]]:
        """Where the tabs stand on the border, and what shows each: for jump mode."""
        pane = self.query_one("#context-list", ContentSwitcher)
        x = pane.region.x + 2
        # Where the text has the place of the list there are no tabs: no room, none of them fits.
        for tab, title in zip(self._tabs(), self._titles, strict=True):
            if x + len(title) < pane.region.right:
                yield Region(x, pane.region.y, len(title), 1), partial(setattr, self, "tab", tab)
            x += len(title) + len(BETWEEN)

    def _tabs(self) -> tuple[str, ...]:
        return TABS if self._other is not None else TABS[:-1]

    def watch_tab(self, tab: str) -> None:
        """Shows a tab and puts the focus into it."""
        if not self.is_mounted:
            return
        self._fill(tab)
        self.query_one("#context-list", ContentSwitcher).current = f"ctx-{tab}"
        self.reading = False
        self.query_one(f"#ctx-{tab}").focus()
        self._show_titles()
        self._show_text()

    def watch_reading(self, reading: bool) -> None:
        """On a narrow screen list and text share one place."""
        self.set_class(reading, "-reading")

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        if message.rows.id == f"ctx-{self.tab}":
            self._show_text()

    def _show_text(self) -> None:
        """The right pane follows the row under the cursor of the tab."""
        if self.facts is None:
            return
        rows = self.query_one(f"#ctx-{self.tab}")
        key = rows.cursor_key if isinstance(rows, RowList) else None
        self._reading = found = reading(self.facts, self._other, key)
        self.query_one("#context-reading", Vertical).border_title = literal_line(found.title)
        self.query_one("#context-text", LiteralView).show(found.sections)
        if (left := found.cut) is not None:
            in_thread(
                self,
                lambda: self.CutRead(found, cut_section(self._services, left)),
                lambda message: message,
                group="context.cut",
                what="Reading the part that was cut",
            )

    @on(CutRead)
    def _cut_read(self, message: CutRead) -> None:
        if message.of is self._reading and message.section is not None:
            sections = (*message.of.sections, message.section)
            self.query_one("#context-text", LiteralView).show(sections)

    # Doing

    @on(RowList.Opened)
    def _open_text(self) -> None:
        if not self._reading.sections:
            return
        self.reading = self.has_class(NARROW)
        self.query_one("#context-text").focus()

    def _swap_focus(self) -> None:
        text = self.query_one("#context-text")
        if self.focused is text:
            self.reading = False
            self.query_one(f"#ctx-{self.tab}").focus()
        else:
            self._open_text()

    def back(self) -> None:
        """From the text to the list, on a narrow screen; else off the screen."""
        if self.reading and self.has_class(NARROW):
            self._swap_focus()
        else:
            super().back()

    def _turn(self, by: int) -> None:
        tabs = self._tabs()
        self.tab = tabs[(tabs.index(self.tab) + by) % len(tabs)]

    def _verify(self) -> None:
        if not self._asked.stored:
            self.notify("Nothing was sent, so there is nothing to compare with.", markup=False)
        else:
            self._load(again=True)

    def _compare(self) -> None:
        if not self._asked.stored:
            self.notify("Open the context of an answer: c compares it with the next send.")
            return
        in_thread(
            self,
            self._read(replace(self._asked, answer=None, request=None)),
            self.Compared,
            group="context.compare",
            what="Comparing",
        )

    @on(Compared)
    def _compared(self, message: Compared) -> None:
        self._other = message.facts
        self._filled.discard("compare")
        self._fill("compare")
        self.tab = "compare"
        self._show_text()

    def _open_origin(self) -> None:
        """The checkpoint or turn behind the row under the cursor."""
        checkpoint, turn = self._origin()
        if checkpoint is not None:
            self.app.push_screen(CheckpointView(self._services, checkpoint))
        elif turn is not None:
            self.dismiss(turn)
        else:
            self.notify("Nothing stands behind this part: it is the program's own text.")

    def _origin(self) -> tuple[CheckpointId | None, int | None]:
        if self.facts is None:
            return None, None
        out = row_number(self.query_one("#ctx-left", RowList).cursor_key, "out")
        if self.tab == "left" and out is not None:
            row = left_rows(self.facts)[out - 1]
            return row.checkpoint, row.first
        number = row_number(self.query_one("#ctx-sent", RowList).cursor_key, "part")
        if number is None:
            return None, None
        part = part_rows(self.facts)[number - 1]
        return part.checkpoint, part.first

    def _copy(self) -> None:
        if self.facts is not None:
            copy_out(self.app, self.facts.sha256, f"the hash {short_hash(self.facts.sha256)}")

    def _copy_menu(self) -> None:
        if self.facts is None:
            return
        found = self._reading
        text = "\n\n".join(section.text for section in found.sections if section.text)
        part = (found.title, text) if text else None
        open_copy_menu(self.app, of_context(self.facts, part, commands_of(self.app)))

    def _export(self) -> None:
        facts = self.facts
        if facts is None:
            return

        def work() -> Path:
            from smriti_tui.services.inspecting import write_request

            return write_request(facts, Path.cwd())

        in_thread(self, work, self.Exported, group="context.export", what="Exporting")

    @on(Exported)
    def _exported(self, message: Exported) -> None:
        self.notify(clean_line(f"Wrote {message.path}"), markup=False)
