"""The parts of a request and what stays out, as rows of a list."""

from __future__ import annotations

from collections.abc import Iterator

from smriti_tui.domain.render.context_rows import (
    ContextFacts,
    LeftRow,
    PartRow,
    budget_lines,
    left_rows,
    left_total,
    part_rows,
    sum_rows,
)
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.row_list import Piece, Row, RowLine

NEAR = 5
"""How many of the things left out stand under the parts; the tab has them all."""
_TONES = {"=": "muted", "-": "warning", "+": "accent"}


def sent_rows(facts: ContextFacts) -> tuple[Row, ...]:
    """Parts, sums, the first things that stay out, and the sentence that nothing else goes out."""
    parts = part_rows(facts)
    digits = max(len(str(len(parts))), 1)
    head = _between("head", " " * digits + "   what", "from     tokens  hash")
    rows = [head, *(_part(part, digits) for part in parts), _blank("a")]
    rows += [
        _between(f"sum:{name}", f"   {name}", f"{sum_}      ") for name, sum_ in sum_rows(facts)
    ]
    rows += [_blank("b"), *_left_near(facts), _blank("c")]
    rows += [_between(f"budget:{line}", f" {line}", "") for line in budget_lines(facts)]
    return tuple(rows)


def _part(part: PartRow, digits: int) -> Row:
    number = f" {part.number:>{digits}}  "
    right = f"{part.origin:<8}{part.tokens:>7,}  {part.sha256[:4]}"
    return Row(f"part:{part.number}", (RowLine((Piece(number), Piece(part.what)), right),))


def _left_near(facts: ContextFacts) -> Iterator[Row]:
    left = left_rows(facts)
    yield _between("left", f" Left out: {left_total(facts)}", "")
    for number, row in enumerate(left[:NEAR], 1):
        yield _between(f"near:{number}", f"  -  {row.what}", row.why)
    if len(left) > NEAR:
        yield _between("near:more", f"  -  {len(left) - NEAR} more lines: next tab", "")


def out_rows(facts: ContextFacts) -> tuple[Row, ...]:
    """Everything that stays out, with its reason."""
    return tuple(_out(number, row) for number, row in enumerate(left_rows(facts), 1))


def _out(number: int, row: LeftRow) -> Row:
    return Row(f"out:{number}", (RowLine((Piece(f" -  {row.what}"),), row.why),))


def compared_rows(rows: tuple[tuple[str, str], ...]) -> tuple[Row, ...]:
    """Signs and parts of a comparison."""
    return tuple(
        Row(f"cmp:{number}", (RowLine((Piece(f" {sign}  {what}", _TONES[sign]),)),))
        for number, (sign, what) in enumerate(rows, 1)
    )


def _between(key: str, left: str, right: str) -> Row:
    return Row(key, (RowLine((Piece(left, "muted"),), right),), rests=False)


def _blank(key: str) -> Row:
    return Row(f"blank:{key}", (RowLine(()),), rests=False)


def part_sections(part: PartRow) -> tuple[Section, ...]:
    """The text of a part exactly as it goes out, each piece under a line of ours."""
    sections: list[Section] = []
    for piece in part.pieces:
        where = "" if piece.turn is None else f"turn {piece.turn}, "
        label = f"{where}role {piece.role}, {piece.size_bytes:,} bytes"
        sections.append(Section(label, piece.text))
        if not piece.text:
            sections.append(Section("(no text)", "", "muted"))
    return tuple(sections)


def row_number(key: str | None, kind: str) -> int | None:
    """The number in a row's key of this kind."""
    word, _, number = (key or "").partition(":")
    return int(number) if word == kind and number.isdecimal() else None
