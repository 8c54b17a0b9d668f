"""Checkpoints as rows with their lanes: values in, rows out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.widgets.row_list import Piece, Row, RowLine

if TYPE_CHECKING:
    from smriti_tui.domain.history import TreeRow
    from smriti_tui.domain.render.graph import Knot

MARK = "*"
"""Behind a checkpoint's sign when it is marked."""
PLAIN, HEAD, STANDS, NOISE = "o", "O", "@", "."
"""Signs in the lanes."""
LANES_CELLS = 7
"""Cells that the lanes have at least where a checkpoint takes one line: so titles stand below each
other in most histories."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One checkpoint with all that decides how it looks."""

    row: TreeRow
    knot: Knot | None
    """None draws no lanes."""
    head: bool
    stands: str
    """RESTORED or FORKED where the session stands on it by that; else empty."""
    marked: bool
    names_branch: bool
    """Whether its branch is another one than that of the row above."""
    age: str
    one: bool
    """Whether it takes one line."""
    lanes: int = 0
    """Cells of the lanes where it takes one line."""


def history_rows(drawn: Drawn) -> tuple[Row, ...]:
    """The checkpoint's row; above and below it lines where lanes join, on which nothing rests."""
    knot, lines = drawn.knot, _one(drawn) if drawn.one else _three(drawn)
    own = Row(drawn.row.id, lines)
    if knot is None or not (knot.above or knot.below):
        return (own,)
    rows = (
        _join(f"above:{drawn.row.id}", knot.above), own, _join(f"below:{drawn.row.id}", knot.below)
    )  # fmt: skip
    return tuple(row for row in rows if row is not None)


def _join(key: str, text: str) -> Row | None:
    return Row(key, (RowLine((Piece(f" {text}", "muted"),)),), rests=False) if text else None


def _one(drawn: Drawn) -> tuple[RowLine, ...]:
    row = drawn.row
    words = " ".join(_words(drawn))
    pieces = [*_lanes(drawn, drawn.lanes), _id(drawn), Piece(f" {words:<8} ", "strong")]
    pieces.append(Piece(row.title, _tone(row)))
    if branch := _branch(drawn):
        pieces.append(Piece(f"  ({branch})", "muted"))
    if row.milestone:
        pieces.append(Piece(f"  milestone: {row.milestone}", "accent"))
    right = f"{row.author[:10]:<10} {_counts(row):>9} {drawn.age:>4}"
    return (RowLine(tuple(pieces), right),)


def _three(drawn: Drawn) -> tuple[RowLine, ...]:
    row = drawn.row
    first = [*_lanes(drawn, 0), _id(drawn)]
    if words := _words(drawn):
        first.append(Piece(f" {' '.join(words)}", "strong"))
    if branch := _branch(drawn):
        first.append(Piece(f" {branch}", "muted"))
    told = f"{row.author}, {_notes(row)}" if row.notes else row.author
    lines = [
        RowLine(tuple(first), drawn.age),
        RowLine((_beside(drawn), Piece(row.title, _tone(row)))),
        RowLine((_beside(drawn), Piece(told, "muted")), _counts(row)),
    ]
    if row.milestone:
        milestone = Piece(f"milestone: {row.milestone}", "accent")
        lines.append(RowLine((_beside(drawn), milestone)))
    return tuple(lines)


def _lanes(drawn: Drawn, cells: int) -> Iterator[Piece]:
    """The lanes with the checkpoint's sign in them, and its mark."""
    knot, mark = drawn.knot, MARK if drawn.marked else " "
    if knot is None:
        yield Piece(f" {_sign(drawn)}{mark}", "strong")
        return
    before, behind = knot.head[: knot.at], knot.head[knot.at + 1 :]
    yield Piece(f" {before}", "muted")
    yield Piece(_sign(drawn), "strong")
    yield Piece(behind.ljust(cells - knot.at - 1), "muted")
    yield Piece(mark, "strong")


def _beside(drawn: Drawn) -> Piece:
    """What runs beside the further lines, as wide as beside the first."""
    knot = drawn.knot
    if knot is None:
        return Piece(" |  ", "muted")
    return Piece(f" {knot.body:<{len(knot.head)}} ", "muted")


def _sign(drawn: Drawn) -> str:
    if drawn.stands:
        return STANDS
    if drawn.head:
        return HEAD
    return NOISE if drawn.row.noise else PLAIN


def _id(drawn: Drawn) -> Piece:
    return Piece(drawn.row.id[:7], "muted" if drawn.row.noise else "accent")


def _words(drawn: Drawn) -> list[str]:
    facts = ((drawn.stands, drawn.stands), ("HEAD", drawn.head), ("noise", drawn.row.noise))
    return [word for word, there in facts if there]


def _branch(drawn: Drawn) -> str:
    """The branch where another one begins, and at the head of a closed one what became of it."""
    row = drawn.row
    closed = row.disposition != "active"
    if not (drawn.names_branch or (closed and row.tip)):
        return ""
    return f"{row.branch_name}, {row.disposition}" if closed else row.branch_name


def _tone(row: TreeRow) -> str:
    return "muted" if row.noise else "plain"


def _counts(row: TreeRow) -> str:
    return f"{row.decisions}d {row.assumptions}a {row.open_tasks}t"


def _notes(row: TreeRow) -> str:
    return f"{row.notes} note" if row.notes == 1 else f"{row.notes} notes"
