"""The checkpoints of the session's branch, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.message import Message

from smriti_tui.keys import bindings
from smriti_tui.widgets.pane_rows import PaneRows
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.domain.model import CheckpointSummary

ONE_LINE = 60
"""From this width on a checkpoint takes one line."""
NEAR_END = 20
MARK = "*"
"""Behind a checkpoint's sign when it is marked."""


@dataclass(frozen=True)
class CheckpointsView:
    """A branch's checkpoints, and which of them matter to the session."""

    checkpoints: tuple[CheckpointSummary, ...] = ()
    branch: str = ""
    head: str | None = None
    mounted: str | None = None
    more: bool = False
    """Whether older ones are not loaded yet."""
    now: str = ""
    in_space: bool = False
    """Whether a Space is open."""


class CheckpointsPane(PaneRows, inherit_bindings=False):
    """Pane 2."""

    TITLE = "2 Checkpoints"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("checkpoints")]
    HELP = (
        "A checkpoint is a saved state of the reasoning. "
        "Mounting one lets the model see that state and new turns only. "
        "History never changes."
    )

    @dataclass
    class MoreAsked(Message):
        """The cursor comes near the end of what is loaded."""

        count: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.view = CheckpointsView()

    def show_checkpoints(self, view: CheckpointsView) -> None:
        """Takes the list as it is now."""
        self.view = view
        self._draw()
        self._ask_for_hits()

    def on_resize(self) -> None:
        """One line or three, by width."""
        super().on_resize()
        self._draw()

    def _draw(self) -> None:
        view, one = self.view, self.size.width >= ONE_LINE
        marked = frozenset(self.marks)
        rows = tuple(_row(each, view, one, each.id in marked) for each in view.checkpoints)
        empty = "No checkpoint yet. n writes one." if view.in_space else "No Space is open."
        self.show_rows(rows, empty=empty)

    def marks_changed(self) -> None:
        """Each row says whether it is marked."""
        self._draw()

    def set_filter(self, words: str) -> None:
        """As every pane; older ones are asked for until the hits fill the view."""
        super().set_filter(words)
        self._ask_for_hits()

    def _ask_for_hits(self) -> None:
        if self.filtered and self.view.more and self._hit_lines() < self.size.height:
            self.post_message(self.MoreAsked(self.whole_count))

    def _hit_lines(self) -> int:
        return self.hit_count * (1 if self.size.width >= ONE_LINE else 3)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Asks for older ones in time."""
        if self.view.more and self.cursor_row >= self.row_count - NEAR_END:
            self.post_message(self.MoreAsked(self.whole_count))


def _row(checkpoint: CheckpointSummary, view: CheckpointsView, one: bool, marked: bool) -> Row:
    mounted, head = checkpoint.id == view.mounted, checkpoint.id == view.head
    sign = f"{'@' if mounted else 'o'}{MARK if marked else ' '}"
    words = " ".join(word for word, there in (("RESTORED", mounted), ("HEAD", head)) if there)
    age = _age(checkpoint.created_at, view.now)
    short = Piece(checkpoint.id[:7], "accent")
    counts = f"{checkpoint.decisions}d {checkpoint.assumptions}a {checkpoint.open_tasks}t"
    if one:
        pieces = (
            Piece(sign, "strong"), short, Piece(f" {words:<8} ", "strong"),
            Piece(checkpoint.title),
        )  # fmt: skip
        right = f"{checkpoint.author[:10]:<10} {counts:>9} {age:>4}"
        return Row(checkpoint.id, (RowLine(pieces, right),))
    first = RowLine((Piece(sign, "strong"), short, Piece(f"  {words}", "strong")), age)
    title = RowLine((Piece("| ", "muted"), Piece(checkpoint.title)))
    by = RowLine((Piece("| ", "muted"), Piece(checkpoint.author, "muted")), counts)
    return Row(checkpoint.id, (first, title, by))


def _age(moment: str, now: str) -> str:
    # Behind the first frame: what reads times loads more than that frame needs.
    from smriti_tui.domain.render.short_times import short_age

    return short_age(moment, now) if now else ""
