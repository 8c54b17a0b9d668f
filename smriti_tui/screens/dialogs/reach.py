"""What rests on an item: the things in a checkpoint, then what rests on one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.reach import ARTIFACTS, Reach, Reached, targets
from smriti_tui.domain.render.reach import claim_why, link_words, name_of
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.worker import in_thread

MOST_LINES = 14


@dataclass(frozen=True)
class Behind:
    """What a row opens."""

    checkpoint: CheckpointId
    at: str
    """An item's label, or an artifact's id."""


class ReachDialog(Dialog[Behind]):
    """Dismissed with what is to be opened."""

    HELP = (
        "Enter on an item or artifact tells what rests on it: in this checkpoint, on the heads of "
        "other live branches, and in claims that hold. What rests on that counts too. "
        "Enter on one of these opens it. esc leads back."
    )
    KEYS = "enter Open   esc Back"

    @dataclass
    class Found(Message):
        """What rests on a thing was read."""

        reach: Reach

    def __init__(
        self, checkpoint: Checkpoint, read: Callable[[str], Reach], at: str | None = None
    ) -> None:
        """`read` is called in a thread with an id; the cursor begins at `at`, a label or id."""
        super().__init__()
        self._checkpoint = checkpoint
        self._read = read
        self._at = at or ""
        self._behind: tuple[Behind | None, ...] = ()
        self._found = False
        """Whether what rests on one thing is shown."""

    def heading(self) -> str:
        return f"What rests on items of {short(self._checkpoint.id)}"

    def body(self) -> Iterable[Widget]:
        yield Static(classes="dialog--words", id="reach-words")
        yield RowList(id="reach-rows", empty="Nothing.")

    def on_mount(self) -> None:
        """All that something can rest on."""
        self._show_things()
        self._rows.focus()

    @property
    def _rows(self) -> RowList:
        return self.query_one("#reach-rows", RowList)

    def _show_things(self) -> None:
        self._found = False
        self._show(f"{self._checkpoint.title}\nOn which?", tuple(_things(self._checkpoint)))
        begin = [
            each.uid
            for each in targets(self._checkpoint.body)
            if self._at and self._at in (each.uid, each.label)
        ]
        if begin:
            self._rows.move_to(begin[0])

    def _show(self, words: str, rows: tuple[Row, ...]) -> None:
        self.query_one("#reach-words", Static).update(literal(words))
        self._rows.styles.height = min(max(sum(len(row.lines) for row in rows), 1), MOST_LINES)
        self._rows.show_rows(rows)
        self._rows.action_top()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        key = message.key
        if not self._found:
            self._at = key
            in_thread(
                self, lambda: self._read(key), self.Found, group="reach",
                what="Reading what rests on it",
            )  # fmt: skip
        elif (behind := self._behind[int(key)]) is not None:
            self.dismiss(behind)

    @on(Found)
    def _told(self, message: Found) -> None:
        reach = message.reach
        if reach.target.uid != self._at:
            return  # Another one was asked for meanwhile.
        found = [*_here(reach), *_elsewhere(reach), *_claims(reach)]
        self._found = bool(found)
        self._behind = tuple(behind for behind, _ in found)
        if not found:
            name = name_of(reach.target)
            self._show_things()
            words = f"{self._checkpoint.title}\nNothing rests on {name}."
            self.query_one("#reach-words", Static).update(literal(words))
            return
        rows = tuple(Row(str(number), (line,)) for number, (_, line) in enumerate(found))
        self._show(f"On {name_of(reach.target)} rests:", rows)

    def submit(self) -> None:
        """As enter."""
        self._rows.action_open()

    def action_run(self, action_id: str) -> None:
        """esc leads back to the items first."""
        if action_id == "nav.back" and self._found:
            self._show_things()
        else:
            super().action_run(action_id)


Line = tuple[Behind | None, RowLine]


def _things(checkpoint: Checkpoint) -> Iterator[Row]:
    for each in targets(checkpoint.body):
        label, text = each.label, each.text
        if each.kind == ARTIFACTS:
            label, text = "", f"{each.label}  ({each.text})"
        yield Row(each.uid, (RowLine((Piece(f" {label:<4} ", "accent"), Piece(text))),))


def _line(found: Reached, right: str) -> RowLine:
    return RowLine((Piece(f" {found.label:<4} ", "accent"), Piece(found.item.text)), right)


def _here(reach: Reach) -> Iterator[Line]:
    for found in reach.here:
        yield Behind(reach.checkpoint.id, found.label), _line(found, link_words(found))


def _elsewhere(reach: Reach) -> Iterator[Line]:
    for head in reach.elsewhere:
        where = clean_line(head.branch)
        for found in head.reached:
            right = f"{link_words(found)}, on {where}"
            yield Behind(head.checkpoint, found.label), _line(found, right)
        if head.label is not None and not head.reached:
            at = reach.target.uid if reach.target.kind == ARTIFACTS else head.label
            pieces = (Piece(f" {head.label:<4} ", "accent"), Piece("itself", "muted"))
            yield Behind(head.checkpoint, at), RowLine(pieces, f"still there, on {where}")


def _claims(reach: Reach) -> Iterator[Line]:
    for found in reach.claims:
        claim = found.claim
        words = f"claim of {clean_line(claim.agent)}: {clean_line(claim.scope)}"
        behind = Behind(claim.base, found.label) if claim.base else None
        yield behind, RowLine((Piece(f" {words}"),), claim_why(found))
