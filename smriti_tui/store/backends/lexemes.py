"""The words of the search in PostgreSQL: lexemes that the product makes, never the server's own.

So a query finds the same on both back ends, whatever languages the server knows.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, Final

from smriti_tui.domain.search_query import Query, Term
from smriti_tui.domain.search_words import parts_line, words
from smriti_tui.store.words import UNRANKED, Asked

LONGEST: Final = 2000
"""Bytes of a word that are kept; the server takes 2,046."""
MOST_PLACES: Final = 255
"""Places of one word, and below, the last place, that the server keeps."""
LAST_PLACE: Final = 16_382
ROOM: Final = 1_000_000
"""Bytes of an entry; the server takes 1,048,575."""
CUT, WORDS, PLACES = 0, 1, 2
"""What is held of an entry: not all words, all words, all places of all words too."""
_KEPT: Final = "SELECT id, held, CAST(words AS text) FROM search_index ORDER BY id"


class ServerLexemes:
    """A row for each entry, found by a GIN index. One whose text is too large for that is always a
    candidate, and told by its text."""

    create: tuple[str, ...] = (
        "CREATE TABLE search_index (id bigint PRIMARY KEY, held bigint NOT NULL, "
        "words tsvector NOT NULL)",
        "CREATE INDEX search_word ON search_index USING gin (words)",
        "CREATE INDEX search_large ON search_index (id) WHERE held < 2",
    )
    _add = "INSERT INTO search_index (id, held, words) VALUES (?, ?, CAST(? AS tsvector))"

    def add(self, cursor: Any, number: int, text: str) -> None:
        cursor.execute(self._add, (number, *lexemes(text)))

    def renew(self, cursor: Any) -> None:
        cursor.execute("DROP TABLE IF EXISTS search_index")
        for sql in self.create:
            cursor.execute(sql)

    def empty(self, cursor: Any) -> None:
        cursor.execute("DELETE FROM search_index")

    def ask(self, query: Query) -> Asked:
        taken = query.indexed
        exact = " & ".join(_exact(term) for term in taken)
        loose = " & ".join(_loose(term) for term in taken)
        rank = UNRANKED
        if query.telling:
            # Names in `camelCase` count half for their parts; long texts less than short ones.
            rank = "-10 * ts_rank('{1,0.5,0.5,0.5}', i.words, CAST(? AS tsquery), 1)"
        rule = "i.words @@ CAST(? AS tsquery)"
        large = f"i.held < {PLACES} AND (i.held = {CUT} OR i.words @@ CAST(? AS tsquery))"
        return Asked(
            source="search_index i JOIN search_entry e ON e.id = i.id",
            key="i.id",
            rank=rank,
            whole=f"i.held > {CUT}",
            rule=f"({rule} OR ({large}))",
            before=(exact,) if query.telling else (),
            values=(exact, loose),
        )

    def difference(self, kept: Callable[[str], Any], truth: Callable[[str], Any]) -> str | None:
        for mine, theirs in zip_longest(kept(_KEPT), truth(_KEPT)):
            if mine is None or theirs is None or tuple(mine) != tuple(theirs):
                return f"entry {min(row[0] for row in (mine, theirs) if row is not None)}"
        return None


class ListedLexemes(ServerLexemes):
    """The same in the SQLite database in which verify and rebuild fold the log: texts alone."""

    create: tuple[str, ...] = (
        "CREATE TABLE search_index (id INTEGER PRIMARY KEY, held INTEGER NOT NULL, "
        "words TEXT NOT NULL)",
    )
    _add = "INSERT INTO search_index (id, held, words) VALUES (?, ?, ?)"


def lexemes(text: str) -> tuple[int, str]:
    """What is held of a text, and it as the server writes it: words in the order of their bytes,
    each with its places; those of the parts of names are marked with C."""
    said = words(text)
    named = [part.lower() for part in parts_line(text).split()]
    places: dict[bytes, list[str]] = {}
    complete = len(said) + len(named) < LAST_PLACE
    for start, mark, listed in ((1, "", said), (len(said) + 2, "C", named)):
        for place, word in enumerate(listed, start):
            found = places.setdefault(_cut(word), [])
            if place <= LAST_PLACE and len(found) < MOST_PLACES:
                found.append(f"{place}{mark}")
            else:
                complete = False
    held = PLACES if complete else WORDS
    if sum(len(word) + 2 * len(found) + 8 for word, found in places.items()) > ROOM:
        held, places = _in_room(places)
    return held, " ".join(_lexeme(word, places[word]) for word in sorted(places))


def _in_room(places: dict[bytes, list[str]]) -> tuple[int, dict[bytes, list[str]]]:
    """Words without places, as many as there is room for."""
    kept: dict[bytes, list[str]] = {}
    left = ROOM
    for word in places:
        left -= len(word) + 8
        if left < 0:
            return CUT, kept
        kept[word] = []
    return WORDS, kept


def _cut(word: str) -> bytes:
    data = word.encode()
    return data if len(data) <= LONGEST else data[:LONGEST].decode(errors="ignore").encode()


def _lexeme(word: bytes, places: list[str]) -> str:
    return f"'{word.decode()}'{':' if places else ''}{','.join(places)}"


def _exact(term: Term) -> str:
    """A phrase: its words stand one behind the other."""
    return f"({' <-> '.join(_asked(term))})"


def _loose(term: Term) -> str:
    return f"({' & '.join(_asked(term))})"


def _asked(term: Term) -> list[str]:
    taken = term.indexed
    listed = [f"'{_cut(word).decode()}'" for word in taken]
    if term.prefix and len(taken) == len(term.words):
        listed[-1] += ":*"
    return listed
