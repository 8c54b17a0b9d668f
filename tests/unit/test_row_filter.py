"""A filter keeps the whole way from a hit to the top of its tree."""

from __future__ import annotations

from smriti_tui.widgets.row_filter import sift
from smriti_tui.widgets.row_list import Piece, Row, RowLine


def row(key: str, words: str, under: str = "") -> Row:
    return Row(key, (RowLine((Piece(words),)),), under=under)


def test_a_hit_keeps_all_it_hangs_under() -> None:
    tree = (
        row("space", "search"),
        row("archived", "(archived: 2)", "space"),
        row("one", "needle", "archived"),
        row("two", "hay", "archived"),
        row("other", "hay"),
        row("loop", "needle", "loop"),
    )
    assert [each.key for each in sift(tree, "needle").rows] == ["space", "archived", "one", "loop"]
