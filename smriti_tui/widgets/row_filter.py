"""Which rows hold some typed words: values in, values out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from smriti_tui.widgets.row_list import Row


class Sifted(NamedTuple):
    """What a filter leaves of some rows."""

    rows: tuple[Row, ...]
    """The hits, and above them the rows that they hang under, all the way up."""
    hits: frozenset[str]
    """Keys of the rows that hold the words."""
    of: int
    """How many rows there are to choose from."""


def folded(text: str) -> str:
    """`text` so that capitals, ligatures and the two ways to write an accent do not matter."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def holds(text: str, words: Sequence[str]) -> bool:
    """Whether `text` holds all of `words`, which are folded already, in any order."""
    if not words:
        return False
    hay = folded(text)
    return all(word in hay for word in words)


def row_text(row: Row) -> str:
    """All that a row says."""
    lines = (" ".join([*(piece.text for piece in line.left), line.right]) for line in row.lines)
    return " ".join(lines)


def sift(rows: Sequence[Row], text: str) -> Sifted:
    """The rows that hold all words of `text`; with nothing typed all rows and no hits."""
    words = folded(text).split()
    of = sum(row.rests for row in rows)
    if not words:
        return Sifted(tuple(rows), frozenset(), of)
    hits = frozenset(row.key for row in rows if row.rests and holds(row_text(row), words))
    under = {row.key: row.under for row in rows}
    above: set[str] = set()
    for key in hits:
        while (key := under.get(key, "")) and key not in above:
            above.add(key)
    kept = tuple(row for row in rows if row.key in hits or row.key in above)
    return Sifted(kept, hits, of)
