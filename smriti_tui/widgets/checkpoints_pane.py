"""The checkpoints of the session's branch, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.message import Message

from smriti_tui.keys import bindings
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.domain.model import CheckpointSummary

ONE_LINE = 60
"""From this width on a checkpoint takes one line."""
NEAR_END = 20


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


class CheckpointsPane(RowList):
    """Pane 2."""

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
        self.border_title = "2 Checkpoints"

    def show_checkpoints(self, view: CheckpointsView) -> None:
        """Takes the list as it is now."""
        self.view = view
        self._draw()

    def on_resize(self) -> None:
        """One line or three, by width."""
        super().on_resize()
        self._draw()

    def _draw(self) -> None:
        view, one = self.view, self.size.width >= ONE_LINE
        rows = tuple(_row(checkpoint, view, one) for checkpoint in view.checkpoints)
        empty = "No checkpoint yet. n writes one." if view.in_space else "No Space is open."
        self.show_rows(rows, empty=empty)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        """Asks for older ones in time."""
        if self.view.more and self.cursor_row >= self.row_count - NEAR_END:
            self.post_message(self.MoreAsked(self.row_count))


def _row(checkpoint: CheckpointSummary, view: CheckpointsView, one: bool) -> Row:
    mounted, head = checkpoint.id == view.mounted, checkpoint.id == view.head
    sign = "@" if mounted else "o"
    words = " ".join(word for word, there in (("RESTORED", mounted), ("HEAD", head)) if there)
    age = _age(checkpoint.created_at, view.now)
    short = Piece(checkpoint.id[:7], "accent")
    counts = f"{checkpoint.decisions}d {checkpoint.assumptions}a {checkpoint.open_tasks}t"
    if one:
        pieces = (
            Piece(f"{sign} ", "strong"), short, Piece(f" {words:<8} ", "strong"),
            Piece(checkpoint.title),
        )  # fmt: skip
        right = f"{checkpoint.author[:10]:<10} {counts:>9} {age:>4}"
        return Row(checkpoint.id, (RowLine(pieces, right),))
    first = RowLine((Piece(f"{sign} ", "strong"), short, Piece(f"  {words}", "strong")), age)
    title = RowLine((Piece("| ", "muted"), Piece(checkpoint.title)))
    by = RowLine((Piece("| ", "muted"), Piece(checkpoint.author, "muted")), counts)
    return Row(checkpoint.id, (first, title, by))


def _age(moment: str, now: str) -> str:
    # Behind the first frame: what reads times loads more than that frame needs.
    from smriti_tui.domain.render.short_times import short_age

    return short_age(moment, now) if now else ""
