"""The review of a checkpoint: what model and rules find, and what a person makes of it (ux 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.findings import SettledFinding
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.review_rules import RuleReport
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.domain.state_text import counted
from smriti_tui.keys import bindings, named
from smriti_tui.messages import FeedMoved
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen
from smriti_tui.screens.review.moving import Moving
from smriti_tui.screens.review.news import Expected, news
from smriti_tui.screens.review.panes import Panes
from smriti_tui.screens.review.reading import Behind, Left, Look, read_behind, read_look
from smriti_tui.screens.review.rows import ALL, tabs_of
from smriti_tui.screens.review.running import UNREAD, Running
from smriti_tui.screens.review.settling import Settling
from smriti_tui.screens.review.sources import copy_here, show_request, show_source
from smriti_tui.screens.review.writing import Writing
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.services import Services

READ_ONLY = "the database is read only"


class ReviewScreen(FullScreen[Left | None]):
    """Dismissed with the follow-up that was written, else with None."""

    HELP = (
        "What model and rules find in this checkpoint, and what you make of it. "
        "a accepts a suggestion, e words it yourself, D dismisses it with a reason; w writes what "
        "was accepted as a new checkpoint. The reviewed one never changes."
    )
    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / name) for name in ("context.tcss", "review.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("review"),
        *named(*MOVES, "nav.open", "edit.copy", "edit.undo", "edit.redo", "context.show",
               "draft.start", "nav.preview_down", "nav.preview_up"),
        *LEAVING,
    ]  # fmt: skip
    PLACES = ("review", "browse", "everywhere")
    FOOTER = (
        "review.accept", "review.dismiss", "review.edit", "review.source", "review.next",
        "review.again", "review.write",
    )  # fmt: skip
    WRITE_FOOTER = ("review.write", "draft.start", "review.prev", "edit.undo", "nav.back")
    """On the row that writes."""

    def __init__(self, services: Services, checkpoint: CheckpointId) -> None:
        super().__init__()
        self.services = services
        self.checkpoint = checkpoint
        self.look: Look | None = None
        self.report: RuleReport | None = None
        self.behind: dict[str, Behind] = {}
        self.tab = ALL
        self.raw = ""
        """What a model answered that is no list of findings."""
        self.failed_words = ""
        self.panes = Panes(self)
        self.expected = Expected()
        self._calling = Running(self)
        self.settling = Settling(self)
        self._writing = Writing(self)
        self.moving = Moving(self, self._writing.write)
        self._asked: set[str] = set()
        """Items of which it was asked what stands behind them."""

    def body(self) -> Iterable[Widget]:
        """The panes."""
        yield from self.panes.compose()

    def on_mount(self) -> None:
        """Reads behind the first frame; without a review one is made, which is what was asked
        for."""
        self.panes.begin(self.checkpoint)
        self.panes.say_running("")
        self.panes.rows.focus()
        self.show_footer(self.FOOTER)
        self.read(self._first)
        self._read_rules()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            **self.moving.runners(),
            "review.again": self._again,
            "review.source": lambda: show_source(self),
            "review.write": self._writing.write,
            "context.show": lambda: show_request(self),
            "draft.start": self._writing.open_form,
            "edit.copy": lambda: copy_here(self),
            **self.settling.runners(),
        }

    def why_not(self, action_id: str) -> str:
        """Why an act would do nothing now."""
        writes = (
            "review.accept",
            "review.dismiss",
            "review.edit",
            "review.again",
            "review.write",
            "draft.start",
        )
        return self.fixed if action_id in writes else ""

    @property
    def fixed(self) -> str:
        """Why nothing can be changed here; empty where it can."""
        return READ_ONLY if self.look is not None and not self.look.writable else ""

    # ---- reading -------------------------------------------------------------------------------

    def read(self, then: Callable[[], None] | None = None) -> None:
        """Reads the review as it stands; what others made of it is told."""
        services, checkpoint = self.services, self.checkpoint

        def took(look: Look) -> None:
            before, self.look = self.look, look
            if self.tab not in tabs_of(self.findings):
                self.tab = ALL
            self.draw()
            for words in news(before, look, self.expected):
                self.say(words)
            if then is not None:
                then()

        hop(self, lambda: read_look(services, checkpoint), took, self.failed, group="review.read")

    def _read_rules(self) -> None:
        rules, checkpoint = self.services.reviewing.rules, self.checkpoint

        def then(report: RuleReport) -> None:
            self.report = report
            self.draw()

        hop(self, lambda: rules(checkpoint), then, self.failed, group="review.rules")

    def _first(self) -> None:
        look = self.look
        if look is None:
            return
        if look.reviewed is None and not look.writable:
            self.tell("The database is read only, so no review is made.", "The rules are shown.")
        elif look.reviewed is None:
            self._calling.start()
        else:
            self.moving.to_open()

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Others may have recorded or settled something."""
        if self.look is not None:
            self.behind.clear()
            self._asked.clear()
            self.read()

    def failed(self, error: SmritiError) -> None:
        """Says it; where nothing is shown, in the place of the list too."""
        if self.look is None:
            self.panes.rows.show_rows((), empty="This review cannot be shown.")
        self.tell(error.message, error.hint)

    # ---- asking --------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether a review is being made."""
        return self._calling.on

    def _again(self) -> None:
        if self.fixed:
            self.say("The database is read only: no review is made.")
        elif self.look is not None:
            self._calling.start()

    def begun(self) -> None:
        """A call goes out: nothing of an earlier failure counts."""
        self.raw = self.failed_words = ""
        self.query_one(NoticeBar).dismiss()
        self.call_later(self.draw)

    def reviewed(self, found: Reviewed) -> None:
        """A review was recorded here."""
        self.behind.clear()
        self._asked.clear()
        self.read(self.moving.to_open)
        self._read_rules()
        if found.problems:
            left = counted(len(found.problems), "part")
            self.tell(f"{left} of the answer could not be used: {'; '.join(found.problems)}")

    def unread(self, raw: str) -> None:
        """The answer was no list of findings."""
        again = self.table.key("review.again")
        self.raw, self.failed_words = raw, f"{UNREAD} {again} asks again."
        self.tell(UNREAD, f"The answer is shown. {again} asks again.")
        self.draw()

    def review_failed(self, error: SmritiError) -> None:
        """The call failed, and nothing was recorded."""
        again = self.table.key("review.again")
        self.failed_words = f"The review failed; nothing was recorded. {again} asks again."
        self.tell(error.message, error.hint)
        self.draw()

    def stopped(self) -> None:
        """The call was stopped."""
        again = self.table.key("review.again")
        self.failed_words = f"Stopped; nothing was recorded. {again} asks again."
        self.say("Stopped: nothing was recorded.")
        self.draw()

    async def put_away(self) -> None:
        """Stops what runs and waits until its end is stored."""
        await self._calling.put_away()

    # ---- showing -------------------------------------------------------------------------------

    @property
    def findings(self) -> tuple[SettledFinding, ...]:
        """All that are shown, whatever the tab."""
        return self.look.findings(self.report) if self.look is not None else ()

    @property
    def under_cursor(self) -> SettledFinding | None:
        """The finding under the cursor."""
        key = self.panes.rows.cursor_key
        return next((each for each in self.findings if each.finding.id == key), None)

    def say(self, words: str) -> None:
        """A short note that needs no answer."""
        self.notify(clean_line(words), markup=False)

    def draw(self) -> None:
        """All of it anew; the cursor stays on what it is on."""
        if self.is_attached:
            self.panes.show()
            self.show_row()

    def on_resize(self) -> None:
        """More room has more words."""
        self.call_after_refresh(self.draw)

    @on(RowList.Moved)
    def _moved(self) -> None:
        self.raw = ""  # It was read.
        self.show_row()

    def show_row(self) -> None:
        """What belongs to the row under the cursor; what stands behind its items is read."""
        self.panes.show_row()
        self.show_footer(self.WRITE_FOOTER if self.moving.at_write else self.FOOTER)
        look, each = self.look, self.under_cursor
        if look is None or each is None:
            return
        wanted = tuple(uid for uid in each.finding.items if uid not in self._asked)
        if not wanted:
            return
        self._asked.update(wanted)
        services = self.services

        def then(found: dict[str, Behind]) -> None:
            self.behind.update(found)
            self.panes.show_row()

        hop(
            self, lambda: read_behind(services, look.checkpoint, wanted), then, self.failed,
            group="review.behind",
        )  # fmt: skip

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.moving.open()

    def back(self) -> None:
        """The bar, the call that runs, the details, then the screen."""
        if self.query_one(NoticeBar).dismiss() or self._calling.stop():
            return
        if self.focused is not self.panes.rows:
            self.moving.details(False)
            return
        super().back()
