"""Two checkpoints side by side, and the merge of one line into another (ux 3.4, 4.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.reactive import reactive
from textual.widget import Widget

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.render.slot_rows import SlotRow
from smriti_tui.keys import bindings, named
from smriti_tui.messages import FeedMoved
from smriti_tui.screens.compare_asked import CompareAsked, Merged
from smriti_tui.screens.compare_panes import Panes
from smriti_tui.screens.compare_views import CompareView, MergeView, View
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.full import LEAVING, MOVES, NARROW, SHORT, TALL, WIDE, FullScreen
from smriti_tui.screens.merge_acts import MergeActs
from smriti_tui.screens.merge_explain import Explaining
from smriti_tui.screens.merge_origin import show_origin
from smriti_tui.widgets.literal_view import LiteralView
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.domain.compare import Comparison
    from smriti_tui.services import Services

TINY = "-tiny"
COMPARE_KEYS = (
    "compare.next", "compare.equal", "compare.swap", "compare.merge", "compare.origin", "nav.back",
)  # fmt: skip
MERGE_KEYS = (
    "compare.next", "merge.ours", "merge.theirs", "merge.both", "merge.neither", "merge.edit",
    "merge.write", "compare.origin", "nav.back",
)  # fmt: skip
READY_KEYS = ("merge.write", *(key for key in MERGE_KEYS if key != "merge.write"))
"""What is wanted most once no conflict is open."""


class CompareScreen(FullScreen[Merged | None]):
    """Dismissed with the merge that was written, else with None."""

    HELP = (
        "Everything that the sides hold, thing by thing: what only one has, what differs, what is "
        "equal. In a merge each conflict waits for your answer; nothing is chosen for you. "
        "Leaving keeps an unfinished merge: M on the same line goes on with it."
    )
    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / name) for name in ("context.tcss", "compare.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("compare"),
        *named(
            *MOVES, "nav.open", "edit.copy", "edit.undo", "nav.preview_down", "nav.preview_up",
        ),
        *LEAVING,
    ]  # fmt: skip
    PLACES = ("compare", "browse", "everywhere")
    FOOTER = COMPARE_KEYS

    view: reactive[View | None] = reactive(None, always_update=True)
    equal: reactive[bool] = reactive(False)
    """Whether equal things are listed."""
    at_side: reactive[int] = reactive(1)
    """Of a narrow screen: which side is shown."""

    def __init__(self, services: Services, asked: CompareAsked) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, TINY), (70, NARROW), (100, WIDE)]
        self.VERTICAL_BREAKPOINTS = [(0, SHORT), (30, TALL)]
        self.services = services
        self._asked = asked
        self.panes = Panes(self)
        self._acts = MergeActs(self)
        self._explaining = Explaining(self)

    def body(self) -> Iterable[Widget]:
        """The panes."""
        yield from self.panes.compose()

    def on_mount(self) -> None:
        """Reads behind the first frame."""
        self.panes.loading()
        self.panes.turn_to(self.at_side)
        self.panes.rows.focus()
        self.show_footer(self.FOOTER)
        asked = self._asked
        if asked.into is not None:
            self._acts.begin(asked.into, asked.b, begun=asked.begun)
        elif asked.a is not None:
            self._compare(asked.a, asked.b)

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            "nav.open": self._to_side,
            "nav.next": lambda: self._step(1),
            "nav.prev": lambda: self._step(-1),
            "nav.preview_down": lambda: self.panes.scroll(1),
            "nav.preview_up": lambda: self.panes.scroll(-1),
            "compare.next": lambda: self.walk(1),
            "compare.prev": lambda: self.walk(-1),
            "compare.equal": self._toggle_equal,
            "compare.swap": self._swap,
            "compare.merge": self._merge,
            "compare.origin": lambda: show_origin(self),
            "merge.explain": self._explaining.start_or_stop,
            "edit.copy": self._copy,
            **self._acts.runners(),
        }

    def why_not(self, action_id: str) -> str:
        """What needs a merge, or a conflict under the cursor."""
        merging = isinstance(self.view, MergeView)
        if action_id.startswith("merge.") and not merging:
            return "no merge is begun"
        if action_id == "merge.explain" and not (self.row and self.row.conflict):
            return "go to a conflict"
        return self._acts.why_not(action_id)

    # ---- reading -------------------------------------------------------------------------------

    @property
    def now(self) -> str:
        """The time, for ages."""
        return self.services.caller.store.now()

    def _compare(self, a: CheckpointId, b: CheckpointId) -> None:
        compare = self.services.merging.compare
        row = self.row

        def then(found: Comparison) -> None:
            view = CompareView(found, self.now)
            self.view = view
            swapped = row and next((r for r in view.rows if r.sides[::-1] == row.sides), None)
            if swapped is not None:
                self.panes.rows.move_to(swapped.key)

        hop(self, lambda: compare(a, b), then, self.failed, group="compare.load")

    def failed(self, error: SmritiError) -> None:
        """Says it; where nothing is shown, in the place of the list too."""
        if self.view is None:
            self.panes.broken(str(error))
        self.tell(error.message, error.hint)

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Others wrote: the branch of a merge may have another head."""
        self._acts.writing.look_for_news()

    # ---- showing -------------------------------------------------------------------------------

    @property
    def row(self) -> SlotRow | None:
        """What is under the cursor."""
        if self.view is None:
            return None
        key = self.panes.rows.cursor_key
        return next((row for row in self.view.rows if row.key == key), None)

    @property
    def merging(self) -> MergeView | None:
        """The merge that is shown; None in a comparison."""
        return self.view if isinstance(self.view, MergeView) else None

    def say(self, words: str) -> None:
        """A short note that needs no answer."""
        self.notify(clean_line(words), markup=False)

    def watch_view(self, view: View | None) -> None:
        """Draws everything; the cursor stays on the thing it is on."""
        if view is None:
            return
        merging = isinstance(view, MergeView)
        self.set_class(merging, "-merge")
        if not merging and self.at_side == 0:
            self.at_side = 1
        self.panes.show(view)
        self.panes.show_list(view, equal=self.equal)
        self._show_row()
        ready = isinstance(view, MergeView) and not view.plan.open
        self.show_footer(READY_KEYS if ready else MERGE_KEYS if merging else COMPARE_KEYS)

    def watch_equal(self) -> None:
        """The list with or without what is equal."""
        if self.view is not None:
            self.panes.show_list(self.view, equal=self.equal)
            self._show_row()

    def on_resize(self) -> None:
        """More room has more words."""
        if self.view is not None:
            self.call_after_refresh(self.panes.show, self.view)

    @on(RowList.Moved)
    def _show_row(self) -> None:
        if self.view is not None:
            self.panes.show_row(self.view)
            self._explaining.show(self.row.key if self.row is not None else None)

    # ---- moving --------------------------------------------------------------------------------

    def walk(self, by: int) -> None:
        """To the next difference; in a merge to the next open conflict, around the ends."""
        view = self.view
        if view is None:
            return
        wanted = [row.key for row in view.rows if row.sign == "!"]
        if not wanted:
            wanted = [row.key for row in view.rows if row.conflict or not row.equal]
        keys = [row.key for row in view.rows]
        at = keys.index(self.row.key) if self.row is not None else -1
        around = keys[at + 1 :] + keys[: at + 1] if by > 0 else (keys[at:] + keys[:at])[::-1]
        found = next((key for key in around if key in wanted), None)
        if found is None:
            self.say("Nothing differs here.")
        else:
            self.panes.rows.move_to(found)

    def first(self) -> None:
        """To the first open conflict, unless the cursor is on one."""
        open_keys = [row.key for row in self.view.rows if row.sign == "!"] if self.view else []
        if open_keys and not (self.row is not None and self.row.key in open_keys):
            self.panes.rows.move_to(open_keys[0])

    def _toggle_equal(self) -> None:
        self.equal = not self.equal

    def watch_at_side(self) -> None:
        """A narrow screen shows one side."""
        if self.is_mounted:
            self.panes.turn_to(self.at_side)

    def _step(self, by: int) -> None:
        """Wide: to the next pane. Narrow: the next side takes the place of the one shown."""
        if self.has_class(WIDE):
            self.focus_next() if by > 0 else self.focus_previous()
            return
        first = 0 if isinstance(self.view, MergeView) else 1
        count = 3 - first
        self.at_side = first + (self.at_side - first + by) % count
        if isinstance(self.focused, LiteralView):
            self.panes.side(self.at_side).focus()

    @on(RowList.Opened)
    def _to_side(self) -> None:
        self.panes.side(self.at_side).focus()

    def stays(self) -> str:
        """A merge is left by its own way, which keeps its answers."""
        return "esc leaves the merge and keeps its answers." if self.merging else ""

    def back(self) -> None:
        """The bar, a running explanation, the list, the comparison a merge began from; then off."""
        if self.query_one(NoticeBar).dismiss() or self._explaining.stop():
            return
        if self.focused is not self.panes.rows and self.view is not None:
            self.panes.rows.focus()
            return
        if isinstance(self.view, MergeView):
            self._acts.leave()
            if self._asked.a is not None:
                self._compare(self._asked.a, self._asked.b)
                return
        super().back()

    # ---- doing ---------------------------------------------------------------------------------

    def _swap(self) -> None:
        if not isinstance(self.view, CompareView):
            self.say("A merge has its sides: ours is the branch that moves.")
            return
        found = self.view.found
        self._asked = CompareAsked(b=found.a.id, a=found.b.id)
        self._compare(found.b.id, found.a.id)

    def _merge(self) -> None:
        """B into the line of A: onto the head of A's branch, whatever A is there."""
        if isinstance(self.view, CompareView):
            found = self.view.found
            self._acts.begin(found.a.branch, found.b.id, seen=found.a.id)
        else:
            self.say("The merge is begun: answer its conflicts, then w writes it.")

    def _copy(self) -> None:
        row = self.row
        one = next((side for side in row.sides[::-1] if side), None) if row is not None else None
        if row is not None and one is not None:
            text = getattr(one, "content", getattr(one, "text", one))
            copy_out(self.app, str(text), clean_line(row.label))

    async def put_away(self) -> None:
        """Stops what runs and waits until its end is stored."""
        await self._explaining.put_away()
