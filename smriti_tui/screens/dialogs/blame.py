"""Where an item comes from: the items of a checkpoint, then what happened to one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import Checkpoint, Item, Task
from smriti_tui.domain.render.retired import retired_words
from smriti_tui.domain.render.short_times import short_age
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.domain.blame import Trace

MOST_LINES = 14
WHAT = {
    "appeared": "first stands here",
    "changed": "was changed here",
    "merged": "came in by this merge",
    "retired": "was retired here",
}


class BlameDialog(Dialog[CheckpointId]):
    """Dismissed with a checkpoint to open."""

    HELP = (
        "Enter on an item tells where it comes from: where it first stood, each change, and the "
        "merges that brought it. Enter on one of these opens that checkpoint. "
        "esc leads back to the items."
    )
    KEYS = "enter Open   esc Back"

    class Traced(Message):
        """What happened to an item was read."""

        def __init__(self, label: str, traces: Sequence[Trace]) -> None:
            super().__init__()
            self.label = label
            self.traces = tuple(traces)

    def __init__(
        self, checkpoint: Checkpoint, now: str, trace: Callable[[str], Sequence[Trace]]
    ) -> None:
        """`trace` is called in a thread with an item's label."""
        super().__init__()
        self._checkpoint = checkpoint
        self._now = now
        self._trace = trace
        self._label = ""
        """The item whose traces are shown; empty while the items are."""

    def heading(self) -> str:
        return f"Where items of {short(self._checkpoint.id)} come from"

    def body(self) -> Iterable[Widget]:
        yield Static(classes="dialog--words", id="blame-words")
        yield RowList(id="blame-rows", empty="It holds no items.")

    def on_mount(self) -> None:
        """The items first."""
        self._show_items()
        self.query_one("#blame-rows").focus()

    def _show_items(self) -> None:
        label, self._label = self._label, ""
        self._show(f"{self._checkpoint.title}\nWhich item?", tuple(_item_rows(self._checkpoint)))
        self.query_one("#blame-rows", RowList).move_to(label)

    def _show(self, words: str, rows: tuple[Row, ...]) -> None:
        self.query_one("#blame-words", Static).update(literal(words))
        shown = self.query_one("#blame-rows", RowList)
        lines = sum(len(row.lines) for row in rows)
        shown.styles.height = min(max(lines, 1), MOST_LINES)
        shown.show_rows(rows)
        shown.action_top()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        if self._label:
            self.dismiss(CheckpointId(message.key.partition(":")[2]))
            return
        label = message.key
        in_thread(
            self,
            lambda: self._trace(label),
            lambda traces: self.Traced(label, traces),
            group="blame",
            what="Reading the history",
        )

    @on(Traced)
    def _traced(self, message: Traced) -> None:
        self._label = message.label
        text = clean_line(message.traces[0].item.text) if message.traces else ""
        rows = [_trace_row(at, each, self._now) for at, each in enumerate(message.traces)]
        self._show(f"{message.label}  {text}", tuple(rows))

    def submit(self) -> None:
        """As enter."""
        self.query_one("#blame-rows", RowList).action_open()

    def action_run(self, action_id: str) -> None:
        """esc leads back to the items first."""
        if action_id == "nav.back" and self._label:
            self._show_items()
        else:
            super().action_run(action_id)


def _item_rows(checkpoint: Checkpoint) -> Iterable[Row]:
    for kind in KINDS:
        for number, item in enumerate(item_list(checkpoint.body, kind), 1):
            label = f"{LETTERS[kind]}{number}"
            pieces = (Piece(f" {label:<4} ", "accent"), Piece(item.text), Piece(_state(item)))
            yield Row(label, (RowLine(pieces),))


def _state(item: Item | Task) -> str:
    return "  (retired)" if item.state == "retired" else ""


def _trace_row(at: int, trace: Trace, now: str) -> Row:
    found = trace.checkpoint
    age = short_age(found.body.created_at, now)
    pieces = [
        Piece(f" {short(found.id)}", "accent"), Piece(f"  {WHAT[trace.what]}", "strong"),
        Piece(f"  {found.title}"),
    ]  # fmt: skip
    lines = [RowLine(tuple(pieces), f"{clean_line(found.body.author)[:12]} {age}")]
    if trace.before is not None and "text" in trace.changes:
        lines.append(RowLine((Piece("   before: ", "muted"), Piece(trace.before.text))))
    if trace.what == "retired" and trace.item.reason:
        lines.append(RowLine((Piece(f"   {retired_words(trace.item)}", "muted"),)))
    if other := [name.replace("_", " ") for name in trace.changes if name != "text"]:
        lines.append(RowLine((Piece(f"   changed: {', '.join(other)}", "muted"),)))
    if trace.what == "appeared" and (turns := _turns(found)):
        lines.append(RowLine((Piece(f"   made from {turns}", "muted"),)))
    return Row(f"{at}:{found.id}", tuple(lines))


def _turns(checkpoint: Checkpoint) -> str:
    source = checkpoint.source
    if source is None or source.first is None:
        return ""
    return f"turns {source.first} to {source.last} of session {short(source.session)}"
