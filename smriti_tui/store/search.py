"""Asking the search index: candidates from the words, checked against the texts, best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session as Tx

from smriti_tui.domain.search_hit import ITEM_KINDS, NAME_KINDS, Filters
from smriti_tui.domain.search_query import Query
from smriti_tui.store.dialect import dialect_of, rows_of
from smriti_tui.store.search_texts import texts_of
from smriti_tui.store.words import UNRANKED, Asked

CANDIDATES: Final = 2000
"""Newest entries of the index that are ranked against each other; older ones come behind them."""
MOST: Final = 20_000
"""Candidates that one search looks at, at most."""
SCANNED: Final = 5000
"""Newest entries that are read for a query without a word."""
CHUNK: Final = 100
"""Texts that are read at once."""
_WEIGHT: Final = {
    **dict.fromkeys(NAME_KINDS, 1.6),
    "checkpoint": 1.4,
    **dict.fromkeys(ITEM_KINDS, 1.2),
}
"""Names and saved states stand somewhat above what was only said."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the index."""

    id: int
    kind: str
    space: str | None
    session: str | None
    number: int | None
    owner: str | None
    ref: str | None
    author: str
    recorded_at: str
    rank: float
    whole: bool = True
    """Whether all words of its text are in the index."""

    @property
    def thing(self) -> tuple[str, str]:
        """What it is, however often it was copied or carried on."""
        if self.kind == "turn":
            return self.kind, self.ref or f"{self.session}:{self.number}"
        if self.kind == "space":
            return self.kind, self.space or ""
        return self.kind, self.ref or self.owner or ""

    @property
    def order(self) -> tuple[float, int]:
        """Best first; among those that are about as good, newest first."""
        return round(self.rank * _WEIGHT.get(self.kind, 1.0), 1), -self.id


@dataclass(frozen=True, slots=True)
class Matched:
    """An entry whose text holds what was typed."""

    entry: Entry
    text: str
    role: str | None = None


def matches(tx: Tx, query: Query, filters: Filters, limit: int) -> tuple[list[Matched], bool]:
    """At most `limit` of what holds the query, best first, and whether there is more."""
    if not query.terms or limit < 1:
        return [], False
    found: list[Matched] = []
    seen: set[tuple[str, str]] = set()
    more = False
    for page, full in _pages(tx, query, filters):
        fresh = _once(page, seen)
        for matched in _checked(tx, query, fresh):
            if len(found) == limit:
                return found, True
            found.append(matched)
        more = full
        if len(found) == limit and full:
            return found, True
    return found, more


def _pages(tx: Tx, query: Query, filters: Filters) -> Iterator[tuple[list[Entry], bool]]:
    """Candidates, newest pages first, and whether the page is the last one that is looked at
    though there are more."""
    before: int | None = None
    size, most = (CANDIDATES, MOST) if query.match else (CHUNK, SCANNED)
    looked = 0
    while True:
        page = _candidates(tx, query, filters, before, size)
        looked += len(page)
        full = len(page) == size
        yield page, full
        if not full or looked >= most:
            return
        before = page[-1].id


def _once(page: list[Entry], seen: set[tuple[str, str]]) -> list[Entry]:
    """Each thing once, by its oldest entry on the page, in the order of the ranking."""
    oldest = {entry.thing: entry for entry in page}
    fresh = [entry for thing, entry in oldest.items() if thing not in seen]
    seen.update(oldest)
    return sorted(fresh, key=lambda entry: entry.order)


def _checked(tx: Tx, query: Query, entries: list[Entry]) -> Iterator[Matched]:
    for start in range(0, len(entries), CHUNK):
        chunk = entries[start : start + CHUNK]
        texts = texts_of(tx, chunk)
        for entry in chunk:
            known = texts.get(entry.id)
            # The index still leads to a thing by a name that it has no more, or does not yet have.
            sure = entry.whole and entry.kind not in NAME_KINDS
            if known is not None and query.holds(known.text, sure=sure):
                yield Matched(entry, known.text, known.role)


# ---- the one query -----------------------------------------------------------------------------

_COLUMNS: Final = (
    "e.id, e.kind, coalesce(e.space, s.space), e.session, e.number, e.owner, e.ref, e.author, "
    "e.recorded_at"
)
_JOINS: Final = " LEFT JOIN session s ON s.id = e.session"
_GONE_SPACES: Final = "SELECT id FROM space WHERE deleted"
# What is gone is little and looked up once; a join would look up each of 100,000 candidates.
_ALIVE: Final = (
    f"e.live AND (e.space IS NULL OR e.space NOT IN ({_GONE_SPACES})) "
    "AND (e.session IS NULL OR e.session NOT IN "
    f"(SELECT id FROM session WHERE deleted OR space IN ({_GONE_SPACES})))"
)


_EVERY: Final = Asked("search_entry e", "e.id", UNRANKED, "1", "1 = 1", (), ())


def _candidates(
    tx: Tx, query: Query, filters: Filters, before: int | None, size: int
) -> list[Entry]:
    asked = dialect_of(tx).words.ask(query) if query.match else _EVERY
    values, rules = [*asked.before, *asked.values], [asked.rule, _ALIVE]
    for rule, value in _rules(filters):
        rules.append(rule)
        values.extend(value)
    if before is not None:
        rules.append(f"{asked.key} < ?")
        values.append(before)
    where = " AND ".join(rules)
    sql = (
        f"SELECT {_COLUMNS}, {asked.rank}, {asked.whole} FROM {asked.source}{_JOINS} "
        f"WHERE {where} ORDER BY {asked.key} DESC LIMIT {size}"
    )
    return [Entry(*row) for row in rows_of(tx, sql, values)]


def _rules(filters: Filters) -> Iterator[tuple[str, Sequence[Any]]]:
    if filters.space is not None:
        theirs = "e.session IN (SELECT id FROM session WHERE space = ?)"
        yield f"(e.space = ? OR {theirs})", (filters.space, filters.space)
    if filters.kinds:
        yield f"e.kind IN ({', '.join('?' * len(filters.kinds))})", filters.kinds
    if filters.author is not None:
        yield "lower(e.author) = ?", (_lower(filters.author),)
    if filters.since is not None:
        yield "e.recorded_at >= ?", (filters.since,)
    if filters.until is not None:
        yield "e.recorded_at < ?", (filters.until,)


def _lower(name: str) -> str:
    """As the databases fold: ASCII alone."""
    return "".join(sign.lower() if sign.isascii() else sign for sign in name)


def authors(tx: Tx, limit: int) -> list[str]:
    """Who wrote what can be found, who wrote most first."""
    sql = (
        "SELECT author FROM search_entry WHERE live "
        "GROUP BY author ORDER BY count(*) DESC, author LIMIT ?"
    )
    return [str(row[0]) for row in rows_of(tx, sql, (limit,))]


def text_of(tx: Tx, entry_id: int) -> str:
    """The whole text of an entry; empty when it is gone."""
    sql = f"SELECT {_COLUMNS}, {UNRANKED} FROM search_entry e{_JOINS} WHERE {_ALIVE} AND e.id = ?"
    row = rows_of(tx, sql, (entry_id,)).first()
    if row is None:
        return ""
    entry = Entry(*row)
    known = texts_of(tx, [entry]).get(entry.id)
    return known.text if known is not None else ""
