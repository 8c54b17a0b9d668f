"""The list of a comparison or a merge: what the sides hold, under the names of its kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.render.slot_rows import HEADINGS, SlotRow
from smriti_tui.widgets.row_list import Piece, Row, RowLine, cut

LABEL_CELLS = 12
TONES = {"!": "strong", "*": "plain", "+": "accent", "-": "accent", "~": "accent", "=": "muted"}


@dataclass(frozen=True)
class Listed:
    """Rows for the list, and how many equal ones it hides."""

    rows: tuple[Row, ...]
    hidden: int


def listed(slots: Sequence[SlotRow], *, equal: bool) -> Listed:
    """The rows; equal ones only when they are asked for."""
    rows: list[Row] = []
    heading = ""
    shown = [slot for slot in slots if equal or not slot.equal]
    for slot in shown:
        if HEADINGS[slot.kind] != heading:
            if heading:
                rows.append(Row(f"gap {heading}", (RowLine(()),), rests=False))
            heading = HEADINGS[slot.kind]
            head = RowLine((Piece(f" {heading}", "strong"),))
            rows.append(Row(f"head {heading}", (head,), rests=False))
        rows.append(_row(slot))
    return Listed(tuple(rows), len(slots) - len(shown))


def _row(slot: SlotRow) -> Row:
    label = clean_line(slot.label)
    label = cut(label, LABEL_CELLS).rstrip() if len(label) > 3 else f"{label:<3}"
    gap = " " if len(label) == 3 else "  "
    pieces = (
        Piece(f" {slot.sign} ", TONES[slot.sign]), Piece(f"{label}{gap}"), Piece(slot.words),
    )  # fmt: skip
    return Row(slot.key, (RowLine(pieces),))
