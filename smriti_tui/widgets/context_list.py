"""The parts of a request and what stays out, as rows of a list."""

from __future__ import annotations

from collections.abc import Iterator

from smriti_tui.domain.render.context_request import request_rows
from smriti_tui.domain.render.context_rows import (
    ContextFacts,
    LeftRow,
    PartRow,
    Piece,
    budget_lines,
    left_rows,
    left_total,
    part_rows,
    sum_rows,
)
from smriti_tui.domain.values import sha256
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.row_list import Piece as Span
from smriti_tui.widgets.row_list import Row, RowLine

NEAR = 5
"""How many of the things left out stand under the parts; the tab has them all."""
_TONES = {"=": "muted", "-": "warning", "+": "accent"}


def sent_rows(facts: ContextFacts, room: int = 0) -> tuple[Row, ...]:
    """Parts, sums, the first things that stay out, and the sentence that nothing else goes out.

    More of what stays out is shown as far as all fits into `room` lines.
    """
    parts = part_rows(facts)
    digits = max(len(str(len(parts))), 1)
    head = _between("head", " " * digits + "   what", "from     tokens  hash")
    rows = [head, *(_part(part, digits) for part in parts), _blank("a")]
    rows += [
        _between(f"sum:{name}", f"   {name}", f"{sum_}      ") for name, sum_ in sum_rows(facts)
    ]
    rows.append(_blank("b"))
    end = [_blank("c")]
    end += [_between(f"budget:{line}", f" {line}", "") for line in budget_lines(facts)]
    near = room - len(rows) - len(end) - 1
    return (*rows, *_left_near(facts, max(near, NEAR + 1)), *end)


def _part(part: PartRow, digits: int) -> Row:
    number = f" {part.number:>{digits}}  "
    right = f"{part.origin:<8}{part.tokens:>7,}  {part.sha256[:4]}"
    return Row(f"part:{part.number}", (RowLine((Span(number), Span(part.what)), right),))


def _left_near(facts: ContextFacts, most: int) -> Iterator[Row]:
    """At most `most` lines below a heading; the last of them counts what has no line."""
    left = left_rows(facts)
    yield _between("left", f" Left out: {left_total(facts)}", "")
    shown = left if len(left) <= most else left[: most - 1]
    for number, row in enumerate(shown, 1):
        yield _between(f"near:{number}", f"  -  {row.what}", row.why)
    if len(shown) < len(left):
        yield _between("near:more", f"  -  {len(left) - len(shown)} more: next tab", "")


def out_rows(facts: ContextFacts) -> tuple[Row, ...]:
    """Everything that stays out, with its reason."""
    return tuple(_out(number, row) for number, row in enumerate(left_rows(facts), 1))


def _out(number: int, row: LeftRow) -> Row:
    return Row(f"out:{number}", (RowLine((Span(f" -  {row.what}"),), row.why),))


def compared_rows(rows: tuple[tuple[str, str], ...]) -> tuple[Row, ...]:
    """Signs and parts of a comparison."""
    return tuple(
        Row(f"cmp:{number}", (RowLine((Span(f" {sign}  {what}", _TONES[sign]),)),))
        for number, (sign, what) in enumerate(rows, 1)
    )


def _between(key: str, left: str, right: str) -> Row:
    return Row(key, (RowLine((Span(left, "muted"),), right),), rests=False)


def _blank(key: str) -> Row:
    return Row(f"blank:{key}", (RowLine(()),), rests=False)


def part_sections(part: PartRow) -> tuple[Section, ...]:
    """The text of a part exactly as it goes out, each piece under a line of ours."""
    return tuple(section for piece in part.pieces for section in piece_section(piece))


def piece_section(piece: Piece) -> tuple[Section, ...]:
    """One text exactly as it goes out, under a line of ours."""
    where = "" if piece.turn is None else f"turn {piece.turn}, "
    label = f"{where}role {piece.role}, {piece.size_bytes:,} bytes"
    empty = () if piece.text else (Section("(no text)", "", "muted"),)
    return (Section(label, piece.text), *empty)


def compared_pieces(old: ContextFacts, new: ContextFacts) -> tuple[tuple[str, Piece], ...]:
    """What each row of `compare_rows` stands for, and its text, in the same order."""
    before, after = _by_place(old), _by_place(new)
    return (*before.values(), *(found for key, found in after.items() if key not in before))


def _by_place(facts: ContextFacts) -> dict[tuple[str, str], tuple[str, Piece]]:
    found: dict[tuple[str, str], tuple[str, Piece]] = {}
    for row in part_rows(facts):
        for piece in row.pieces:
            place = row.origin if piece.turn is None else str(piece.turn)
            what = row.what if piece.turn is None else f"turn {piece.turn}"
            found[place, sha256(piece.text)] = (what, piece)
    return found


def request_list(facts: ContextFacts) -> tuple[Row, ...]:
    """Name and value of all that goes out beside the messages; the pane has the whole value."""
    named = request_rows(facts)
    width = max(len(name) for name, _ in named)
    return tuple(
        Row(f"req:{number}", (RowLine((Span(f" {name:<{width}}  ", "muted"), Span(value))),))
        for number, (name, value) in enumerate(named, 1)
    )


def row_number(key: str | None, kind: str) -> int | None:
    """The number in a row's key of this kind."""
    word, _, number = (key or "").partition(":")
    return int(number) if word == kind and number.isdecimal() else None
