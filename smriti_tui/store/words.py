"""How the words of the search index lie in a database. Which they are is `domain.search_words`'s.

In SQLite they are an FTS5 table without the texts; nothing is ever taken out of it, so that an id
is never given twice and any SQLite with FTS5 will do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, Protocol

from smriti_tui.domain.search_query import Query
from smriti_tui.domain.search_words import index_line, parts_line

TABLE: Final = "search_index"
PLACES: Final = (
    "SELECT term, count(*), "
    "sum((doc * 2654435761 + offset * 40503 + (col = 'parts')) & 2147483647) "
    "FROM search_word GROUP BY term"
)
"""Every word with its number of places and a sum over them. The database groups at a fifth of the
time that it takes to hand over each place."""
UNRANKED: Final = "CAST(0 AS real)"
SIZES: Final = "SELECT id, sz FROM search_index_docsize ORDER BY id"


@dataclass(frozen=True)
class Asked:
    """The part of a query that asks the index: `rank` is the less the better."""

    source: str
    """What stands before the joins; `e` is the entry."""
    key: str
    """Number of the entry, by the index's own column."""
    rank: str
    whole: str
    """Whether the index alone can tell what the text holds."""
    rule: str
    before: tuple[object, ...]
    """Values of the marks in `rank` and `source`, in their order."""
    values: tuple[object, ...]
    """Those of the marks in `rule`."""


class Words(Protocol):
    """The words of all entries by their numbers."""

    create: tuple[str, ...]

    def add(self, cursor: Any, number: int, text: str) -> None:
        """The words of one entry."""

    def renew(self, cursor: Any) -> None:
        """Makes the index anew, empty, whatever became of the one before."""

    def empty(self, cursor: Any) -> None:
        """Takes out everything."""

    def ask(self, query: Query) -> Asked:
        """The part of a query for a typed text with words."""

    def difference(self, kept: Callable[[str], Any], truth: Callable[[str], Any]) -> str | None:
        """The first place where the index is not what another one says. Raises: driver errors."""


class Fts5:
    """The tokenizer takes all that is not ASCII as part of a word: which signs are, is decided in
    `domain.search_words`, not by SQLite's table of them."""

    create: tuple[str, ...] = (
        "CREATE VIRTUAL TABLE search_index USING fts5(words, parts, content='', tokenize='ascii')",
        "CREATE VIRTUAL TABLE search_word USING fts5vocab(search_index, instance)",
    )

    def add(self, cursor: Any, number: int, text: str) -> None:
        sql = "INSERT INTO search_index(rowid, words, parts) VALUES (?, ?, ?)"
        cursor.execute(sql, (number, index_line(text), parts_line(text)))

    def renew(self, cursor: Any) -> None:
        for table in ("search_word", TABLE):
            cursor.execute(f"DROP TABLE IF EXISTS {table}")
        for sql in self.create:
            cursor.execute(sql)

    def empty(self, cursor: Any) -> None:
        cursor.execute("INSERT INTO search_index(search_index) VALUES ('delete-all')")

    def ask(self, query: Query) -> Asked:
        return Asked(
            # The words come first: `CROSS JOIN` keeps the order, and with it newest first for
            # nothing.
            source="search_index CROSS JOIN search_entry e ON e.id = search_index.rowid",
            key="search_index.rowid",
            # Ranking by one typed letter says nothing, and takes twice the time.
            rank="bm25(search_index, 1.0, 0.5)" if query.telling else UNRANKED,
            whole="1",
            rule="search_index MATCH ?",
            before=(),
            values=(query.match,),
        )

    def difference(self, kept: Callable[[str], Any], truth: Callable[[str], Any]) -> str | None:
        for sql, noun in ((PLACES, "word"), (SIZES, "entry")):
            for mine, theirs in zip_longest(kept(sql), truth(sql)):
                if mine is None or theirs is None or tuple(mine) != tuple(theirs):
                    found = min(row[0] for row in (mine, theirs) if row is not None)
                    return f"{noun} {found}"
        return None
