"""Conversations of other tools: where they lie, what is in them, and which of them come in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.errors import Cancelled, SmritiError
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.import_report import Report, Seen
from smriti_tui.domain.split_text import Message
from smriti_tui.domain.state_text import counted
from smriti_tui.keys import bindings, named
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen, TitleLine
from smriti_tui.screens.importing.rows import (
    found_sections,
    key_of,
    place_rows,
    report_sections,
    seen_rows,
    seen_sections,
    taken_rows,
)
from smriti_tui.screens.importing.work import Progress, look, take
from smriti_tui.services.import_places import HistoryPlace, history_places
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.services import Services

Stage = Literal["choosing", "looking", "chosen", "taking", "done"]
GROUP: Final = "import"
LOOK_S: Final = 0.2
"""How often the screen shows how far it is."""
HERE: Final = (
    "Type a file or folder, or choose a place.\n\n"
    "ChatGPT and Claude.ai: the zip of your export, as it came.\n"
    "Claude Code, Codex: a session's file, a project's folder, or all of them.\n"
    "llm, elia: the database.   aider: .aider.chat.history.md\n"
    "Text with labels such as Human: and Assistant:\n\n"
    "What a file is is told by its shape. Nothing is written before you have seen it."
)


class ImportScreen(FullScreen[SessionId | None]):
    """Dismissed with a session that came in and is to be opened, else with None."""

    CSS_PATH = [str(styles_dir() / "context.tcss"), str(styles_dir() / "importing.tcss")]  # noqa: RUF012
    HELP = (
        "Conversations of other tools become sessions of this Space. Choose a file or folder; each "
        "conversation is shown with what is new of it. space marks, A marks all or none, w brings "
        "the marked ones in; again it adds only what is new. enter opens one that came in: there "
        "d drafts a checkpoint from it. esc stops what is going on; what came in stays."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("import"),
        *named(*MOVES, "nav.open", "nav.left", "nav.right", "nav.fold", "nav.unfold"),
        *LEAVING,
    ]
    PLACES = ("import", "browse", "everywhere")
    FOOTER = ("nav.open", "nav.next", "nav.back")
    FOOTERS: ClassVar[Mapping[Stage, tuple[str, ...]]] = {
        "choosing": ("nav.open", "nav.next", "nav.back"),
        "looking": ("nav.back",),
        "chosen": (
            "import.start",
            "import.mark",
            "import.all",
            "import.sides",
            "import.split",
            "import.path",
        ),
        "taking": ("nav.back",),
        "done": ("nav.open", "import.path", "nav.back"),
    }

    def __init__(self, services: Services, space: SpaceId, name: str) -> None:
        super().__init__()
        self._services = services
        self._space, self._name = space, name
        self._stage: Stage = "choosing"
        self._places: list[HistoryPlace] = []
        self._path = ""
        self._progress = Progress()
        self._seen: dict[str, Seen] = {}
        self._chosen: set[str] = set()
        self._sides = False
        self._messages: tuple[Message, ...] = ()
        """A transcript as it was cut by hand."""
        self._report: Report | None = None

    # ---- frame ---------------------------------------------------------------------------------

    def body(self) -> Iterable[Widget]:
        """The path; left what there is, right what is marked."""
        yield LineInput("", widget_id="import-path", hint="a file or a folder")
        with Horizontal(id="import-body"):
            yield RowList(id="import-rows", empty="No history was found in the usual places.")
            yield LiteralView(widget_id="import-shown")

    def on_mount(self) -> None:
        """The usual places are looked for."""
        super().on_mount()
        self._places = history_places(Path.home(), Path.cwd(), os.environ)
        self.set_interval(LOOK_S, self._tell)
        self._choose_anew()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        if self._stage == "chosen":
            return {
                "import.mark": self._mark,
                "import.all": self._mark_all,
                "import.sides": self._toggle_sides,
                "import.start": self._start,
                "import.path": self._choose_anew,
                "import.split": self._split,
            }
        return {"import.path": self._choose_anew} if self._stage == "done" else {}

    def back(self) -> None:
        """The bar, then what is going on, then the screen."""
        if self.query_one(NoticeBar).dismiss():
            return
        if self._stage in ("looking", "taking"):
            self._progress.stop.set()
            self._say("Stopping ...")
        elif self._stage == "chosen":
            self._choose_anew()
        else:
            self.dismiss(None)

    def stays(self) -> str:
        """Why it is not left for another place."""
        return "An import is going on." if self._stage == "taking" else ""

    def _enter(self, stage: Stage) -> None:
        self._stage = stage
        self.query_one("#import-path").display = stage == "choosing"
        self.show_footer(self.FOOTERS[stage])
        self._tell()

    # ---- choosing a file -----------------------------------------------------------------------

    def _choose_anew(self) -> None:
        self._enter("choosing")
        rows = self.query_one("#import-rows", RowList)
        rows.show_rows(tuple(place_rows(self._places)))
        self.query_one("#import-shown", LiteralView).show([Section("", HERE)])
        path = self.query_one("#import-path", LineInput)
        path.fill(self._path)
        path.focus()

    @on(Input.Submitted, "#import-path")
    def _typed(self, message: Input.Submitted) -> None:
        message.stop()
        if message.value.strip():
            self._look(message.value.strip())

    def _look(self, path: str, messages: tuple[Message, ...] = ()) -> None:
        from smriti_tui.services.importing import Options

        self._path, self._progress, self._report = path, Progress(), None
        self._messages = messages
        self._seen, self._chosen = {}, set()
        self._enter("looking")
        self.query_one("#import-rows", RowList).show_rows((), empty="Looking ...")
        self.query_one("#import-shown", LiteralView).show([])
        self.query_one("#import-rows").focus()
        paths = [Path(path).expanduser()]
        options = Options(messages=messages)
        work = partial(look, self._services, self._space, paths, options, self._progress)
        hop(self, work, self._looked, self._failed, group=GROUP)

    def _looked(self, _: None) -> None:
        self._seen = {key_of(each.thread): each for each in self._progress.seen}
        self._chosen = {key for key, each in self._seen.items() if each.new and _is_here(each)}
        self._enter("chosen")
        self._show_seen()

    # ---- selecting -----------------------------------------------------------------------------

    def _show_seen(self) -> None:
        rows = self.query_one("#import-rows", RowList)
        seen = list(self._seen.values())
        rows.show_rows(tuple(seen_rows(seen, self._chosen)), empty="No conversation in it.")
        self._tell()
        self._show_one(rows.cursor_key)

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()
        if self._stage == "chosen":
            self._show_one(message.key)

    def _show_one(self, key: str | None) -> None:
        """The marked conversation, and what was found beside all of them."""
        seen = self._seen.get(key or "")
        sections = seen_sections(seen) if seen is not None else []
        beside = found_sections(self._progress.spaces, self._progress.left)
        self.query_one("#import-shown", LiteralView).show([*sections, *beside])

    def _mark(self) -> None:
        rows = self.query_one("#import-rows", RowList)
        if rows.cursor_key in self._seen:
            self._chosen ^= {rows.cursor_key}
            self._show_seen()
            rows.action_cursor_down()

    def _mark_all(self) -> None:
        new = {key for key, each in self._seen.items() if each.new}
        self._chosen = set() if self._chosen >= new else new
        self._show_seen()

    def _toggle_sides(self) -> None:
        self._sides = not self._sides
        self._tell()

    def _split(self) -> None:
        seen = self._seen.get(self.query_one("#import-rows", RowList).cursor_key or "")
        path = Path(self._path).expanduser()
        if seen is None or seen.thread.tool != "text" or path.is_dir():
            self.tell("Only a transcript with labels is cut by hand.", "Choose its file.")
            return
        read = self._services.importing.messages
        work = partial(read, path) if not self._messages else lambda: list(self._messages)
        hop(self, work, self._ask_cuts, self._failed_cuts, group="import.split")

    def _ask_cuts(self, messages: list[Message]) -> None:
        from smriti_tui.screens.importing.split import SplitDialog

        def then(made: tuple[Message, ...] | None) -> None:
            if made is not None:
                self._look(self._path, made)

        self.app.push_screen(SplitDialog(messages), then)

    def _failed_cuts(self, error: SmritiError) -> None:
        self.tell(error.message, error.hint)

    # ---- bringing in ---------------------------------------------------------------------------

    def _start(self) -> None:
        from smriti_tui.services.importing import Options

        if not self._chosen and not self._progress.spaces:
            self.tell("Nothing is marked.", "space marks a conversation, A all of them.")
            return
        deleted = any(self._seen[key].kind == "deleted" for key in self._chosen)
        ids = frozenset(self._seen[key].thread.source_id for key in self._chosen)
        options = Options(None, ids, self._sides, deleted, self._messages)
        self._progress = Progress(spaces=self._progress.spaces)
        self._enter("taking")
        paths = [Path(self._path).expanduser()]
        work = partial(take, self._services, self._space, paths, options, self._progress)
        hop(self, work, self._came, self._failed, group=GROUP)

    def _came(self, report: Report) -> None:
        self._report = report
        self._enter("done")
        self.query_one("#import-rows", RowList).show_rows(tuple(taken_rows(report.taken)))
        self.query_one("#import-shown", LiteralView).show(report_sections(report))
        self.query_one("#import-rows").focus()

    def _failed(self, error: SmritiError) -> None:
        stopped = isinstance(error, Cancelled)
        self._choose_anew()
        if not stopped:
            self.tell(error.message, error.hint)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        if self._stage == "choosing":
            self._look(message.key)
        elif self._stage == "chosen":
            self.query_one("#import-shown").focus()
        elif self._stage == "done" and self._report is not None:
            session = self._report.taken[int(message.key)].session
            if session is not None:
                self.dismiss(session)

    # ---- telling -------------------------------------------------------------------------------

    def _tell(self) -> None:
        """The line on top: how far it is."""
        progress = self._progress
        if self._stage == "looking":
            found = counted(len(progress.seen), "conversation")
            self._say(f"{progress.read / 1e6:,.0f} MB read, {found} found")
        elif self._stage == "chosen":
            new = sum(self._seen[key].new for key in self._chosen)
            sides = ", side lines too" if self._sides else ""
            self._say(f"{len(self._chosen):,} of {len(self._seen):,} marked, {new:,} turns{sides}")
        elif self._stage == "taking":
            self._say(f"{len(progress.taken):,} of {len(self._chosen):,}, {progress.turns:,} turns")
        elif self._stage == "done" and self._report is not None:
            self._say(f"{counted(self._report.turns, 'turn')} came in")
        else:
            self._say("")

    def _say(self, words: str) -> None:
        line = self.query_one(TitleLine)
        line.left = (f"{self.demo_word}IMPORT", f"into {self._name}", self._path)
        line.right = words


def _is_here(seen: Seen) -> bool:
    """What was deleted here is not marked by itself."""
    return seen.kind != "deleted"
