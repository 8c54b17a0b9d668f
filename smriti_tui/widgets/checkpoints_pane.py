"""The history of the Space as a graph, newest first: all branches, or what one comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.message import Message

from smriti_tui.keys import KeyTable, bindings, key_table
from smriti_tui.widgets.history_rows import LANES_CELLS, Drawn, history_rows
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.row_list import Row, RowList

if TYPE_CHECKING:
    from smriti_tui.domain.history import TreeRow
    from smriti_tui.domain.render.graph import Knot

ONE_LINE = 60
"""From this width on a checkpoint takes one line."""
NEAR_END = 60
"""Rows from the end of what is loaded at which more are asked for."""


@dataclass(frozen=True)
class CheckpointsView:
    """A history as far as it is loaded, and which of it matters to the session."""

    checkpoints: tuple[TreeRow, ...] = ()
    knots: Mapping[str, Knot] = field(default_factory=dict)
    """The lanes of each, by its id; without them none are drawn."""
    branch: str = ""
    """The name of the branch that the session stands on."""
    head: str | None = None
    mounted: str | None = None
    """What the session stands on when that is not HEAD."""
    mode: str = "RESTORED"
    """The word for that."""
    more: bool = False
    """Whether older ones are not loaded yet."""
    now: str = ""
    in_space: bool = False
    """Whether a Space is open."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What decides about all rows."""

    branch: str
    head: str | None
    mounted: str | None
    mode: str
    minute: str
    """Ages are told to the minute."""
    one: bool
    has_lanes: bool
    lanes: int
    """Cells of the lanes where a checkpoint takes one line."""


class CheckpointsPane(PaneRows, inherit_bindings=False):
    """Pane 2."""

    TITLE = "2 Checkpoints"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("checkpoints")]
    HELP = (
        "A checkpoint is a saved state of the reasoning. "
        "The lanes show where branches begin and merge: @ is mounted, O is HEAD, . is noise. "
        "Mounting one lets the model see that state and new turns only. "
        "] shows this branch alone, with all it comes from. History never changes."
    )

    @dataclass
    class MoreAsked(Message):
        """The cursor comes near the end of what is loaded."""

        count: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.view = CheckpointsView()
        self._made: dict[str, tuple[Drawn, tuple[Row, ...]]] = {}
        """Rows as they were drawn last: most stay as they are."""
        self._look: _Look | None = None
        self._shown: tuple[TreeRow, ...] = ()
        self._to_end: str | None = None
        """Where the cursor waits for older ones, on its way to the very last."""

    def show_checkpoints(self, view: CheckpointsView) -> None:
        """Takes the history as it is now."""
        self.view = view
        self._draw()
        self._ask_for_hits()
        if self._to_end is not None:
            self._go_on_to_end()
        elif view.more and self._near_end:
            self.post_message(self.MoreAsked(self.whole_count))

    def on_resize(self) -> None:
        """One line or three, by width."""
        super().on_resize()
        self._draw()

    # ---- drawing -------------------------------------------------------------------------------

    def _draw(self) -> None:
        """What is above older ones that came looks as before, and is not drawn anew."""
        view, one = self.view, self.size.width >= ONE_LINE
        # A filter hides rows: what is left of the lanes would tell nothing.
        knots: Mapping[str, Knot] = {} if self.filtered else view.knots
        widest = max((len(knot.head) for knot in knots.values()), default=0) if one else 0
        look = _Look(
            view.branch, view.head, view.mounted, view.mode, view.now[:16], one,
            not self.filtered, min(widest, LANES_CELLS),
        )  # fmt: skip
        kept = len(self._shown)
        if look != self._look or view.checkpoints[:kept] != self._shown:
            kept, self._made = 0, {}
        self._look, self._shown = look, view.checkpoints
        for drawn in self._drawn(look, knots, kept):
            self._made[drawn.row.id] = (drawn, history_rows(drawn))
        self._show_made()

    def _show_made(self) -> None:
        made, rows = self._made, self.view.checkpoints
        shown = tuple(row for each in rows for row in made[each.id][1])
        self.show_rows(shown, empty=self._next_step())

    def _next_step(self) -> str:
        """What an empty pane says: which keys lead on."""
        found = getattr(self.app, "table", None)
        table = found if isinstance(found, KeyTable) else key_table({})
        if self.view.in_space:
            key = table.key("checkpoint.new")
            return f"No checkpoint yet. {key} writes one." if key else "No checkpoint yet."
        keys = ", then ".join(filter(None, map(table.key, ("nav.pane_1", "space.new"))))
        made = f"{keys} makes one." if table.key("space.new") else ""
        return f"No Space is open. {made}".strip()

    def _drawn(self, look: _Look, knots: Mapping[str, Knot], kept: int) -> Iterator[Drawn]:
        """Those behind the first `kept`."""
        rows, marks = self.view.checkpoints, frozenset(self.marks)
        above = rows[kept - 1].branch_name if kept else look.branch
        for row, age in zip(rows[kept:], self._ages(rows[kept:]), strict=True):
            stands = look.mode if row.id == look.mounted else ""
            yield Drawn(
                row, knots.get(row.id), row.id == look.head, stands, row.id in marks,
                row.branch_name != above, age, look.one, look.lanes,
            )  # fmt: skip
            above = row.branch_name

    def _ages(self, rows: Sequence[TreeRow]) -> Iterator[str]:
        """How old each checkpoint is."""
        if not self.view.now:
            yield from ("" for _ in rows)
            return
        # Behind the first frame: what reads times loads more than that frame needs.
        from smriti_tui.domain.render.short_times import short_age

        yield from (short_age(row.created_at, self.view.now) for row in rows)

    @property
    def seen_count(self) -> int:
        """How many checkpoints there are down to the last that somebody looks at: the cursor, what
        is in view, a mark."""
        if self.filtered:
            return len(self.view.checkpoints)
        bottom = bisect_right(self._starts, self.scroll_offset.y + self.size.height)
        last = max(self.cursor_row + 1, bottom)
        seen = sum(row.rests for row in self._rows[:last])
        marks = frozenset(self.marks)
        marked = [at for at, row in enumerate(self.view.checkpoints, 1) if row.id in marks]
        return max([seen, *marked])

    def marks_changed(self) -> None:
        """Each row says whether it is marked; the others stay as they are."""
        marks = frozenset(self.marks)
        for key, (drawn, _) in self._made.items():
            if drawn.marked != (key in marks):
                other = replace(drawn, marked=not drawn.marked)
                self._made[key] = (other, history_rows(other))
        self._show_made()

    # ---- more of them --------------------------------------------------------------------------

    def set_filter(self, words: str) -> None:
        """As every pane; older ones are asked for until the hits fill the view."""
        before = self.filtered
        super().set_filter(words)
        if self.filtered != before:
            self._draw()
        self._ask_for_hits()

    def _ask_for_hits(self) -> None:
        if self.filtered and self.view.more and self._hit_lines() < self.size.height:
            self.post_message(self.MoreAsked(self.whole_count))

    def _hit_lines(self) -> int:
        return self.hit_count * (1 if self.size.width >= ONE_LINE else 3)

    @property
    def _near_end(self) -> bool:
        return self.cursor_row >= self.row_count - NEAR_END

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Asks for older ones in time."""
        if self.view.more and self._near_end:
            self.post_message(self.MoreAsked(self.whole_count))

    def action_bottom(self) -> None:
        """To the very last: what is not loaded comes on the way, as long as the cursor waits."""
        super().action_bottom()
        if self.view.more:
            self._to_end = self.cursor_key
            self.post_message(self.MoreAsked(self.whole_count))

    def _go_on_to_end(self) -> None:
        waits, self._to_end = self._to_end == self.cursor_key, None
        if waits:
            self.action_bottom()
