"""A log that is copied from a file to a server, and back: the same ids, state, hits and past."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from smriti_tui.domain.events import SessionOpened, TurnAdded
from smriti_tui.domain.search_hit import Filters
from smriti_tui.domain.search_query import parse
from smriti_tui.store import search
from smriti_tui.store.backends.lexemes import CUT, PLACES, WORDS
from smriti_tui.store.copying import copy_log
from smriti_tui.store.database import Store
from smriti_tui.store.readlog import last_position, read_all
from smriti_tui.store.rows import projected
from tests.opening import opened_store
from tests.postgres import Server
from tests.store.test_search_index import fill

QUERIES = (
    "a",
    "st",
    "state",
    "State one",
    '"state one"',
    "find things",
    "wie groß",
    "wie gross",
    "漢字",
    "漢",
    "字?",
    "café",
    "cafe",
    "fts5",
    "FTS",
    "camel",
    "case",
    "camelCase",
    "snake_case",
    "snake",
    "beta",
    "alpha",
    "second",
    "load test",
    "test load",
    "use",
    "use tantivy",
    "note mine",
    "*",
    "(",
    '"',
    "''",
    "a:*",
    "& |",
    "!x",
    "<->",
    "\\",
    "%",
    "_",
    "?",
    "forget",
    "zzz",
    "demo",
    "model",
    "conversation",
    "\u0915\u094d\u0937",
    "I am not an AI",
    "0",
    "1 2",
)
"""Words, phrases, beginnings, other scripts, and what is syntax to one of the servers."""


@pytest.fixture
async def filled(tmp_path: Path) -> Path:
    await fill(tmp_path)
    return tmp_path / "smriti.db"


@pytest.fixture
def both(filled: Path, server_of_run: Server) -> Iterator[tuple[Store, Store]]:
    """A file with something of every kind, and a database on the server with its log."""
    with (
        server_of_run.database("made") as url,
        opened_store(filled) as file,
        opened_store(url) as server,
    ):
        copy_log(file, server, lambda count: None)
        yield file, server


def tables(store: Store, at: int | None = None) -> dict[str, list[tuple[object, ...]]]:
    """Every folded row."""
    found = {}
    with store.read() as tx:
        for name, table in projected.metadata.tables.items():
            if at is not None and name.endswith("_past"):
                continue
            keys = ", ".join(column.name for column in table.primary_key)
            rows = tx.connection().execute(text(f"SELECT * FROM {name} ORDER BY {keys}"))
            names = sorted(rows.keys())
            found[name] = [tuple(row._mapping[each] for each in names) for row in rows]
    return found


def hits(store: Store, typed: str) -> set[tuple[int, str]]:
    with store.read() as tx:
        found, _ = search.matches(tx, parse(typed), Filters(), 200)
    return {(each.entry.id, each.text) for each in found}


def test_events_and_rows_are_the_same_and_come_back_the_same(
    both: tuple[Store, Store], tmp_path: Path
) -> None:
    file, server = both
    with file.read() as one, server.read() as two:
        assert list(read_all(one)) == list(read_all(two))
    assert tables(file) == tables(server)
    with opened_store(tmp_path / "back.db") as back:
        copy_log(server, back, lambda count: None)
        assert tables(back) == tables(file)


def test_every_query_finds_the_same(both: tuple[Store, Store]) -> None:
    file, server = both
    found = {typed: hits(file, typed) for typed in QUERIES}
    assert {typed: hits(server, typed) for typed in QUERIES} == found
    assert sum(map(bool, found.values())) > len(QUERIES) / 2


def test_texts_too_large_for_the_servers_index_are_found_all_the_same(
    filled: Path, server_of_run: Server
) -> None:
    """A word too often, words too many, all of it too long, a word that is too long itself."""
    texts = (
        f"{'over and ' * 400} done with kiwi",
        " ".join(f"w{n}" for n in range(20_000)) + " plum last",
        " ".join(f"{n:040x}" for n in range(30_000)) + " cherry end",
        f"short {'x' * 5000} quince",
    )
    asked = (
        "kiwi", "done with", "over and", '"and over"', "w19999", "plum last", "w5 w6", "w6 w5",
        '"w16500 w16501"', "cherry", f"{29_999:040x}", "quince", "x" * 900, "w1999",
    )  # fmt: skip
    with (
        server_of_run.database("made") as url,
        opened_store(filled) as file,
        opened_store(url) as server,
    ):
        with file.log.write(actor="ada", door="cli") as scope:
            scope.append("session/large", SessionOpened("Large", None, None))
            for number, each in enumerate(texts, 1):
                scope.append("session/large", TurnAdded(number, 1, "user", each, each))
        copy_log(file, server, lambda count: None)
        for typed in asked:
            assert hits(server, typed) == hits(file, typed), typed
        with server.read() as tx:
            held = tx.connection().execute(text("SELECT DISTINCT held FROM search_index"))
            assert {row[0] for row in held} == {CUT, WORDS, PLACES}


def test_every_moment_is_the_same(both: tuple[Store, Store]) -> None:
    file, server = both
    with file.read() as tx:
        newest = last_position(tx)
    for at in range(1, newest + 1):
        was = [Store(place.name, file.now, at=at) for place in (file, server)]
        one, two = (tables(each, at) for each in was)
        for each in was:
            each.close()
        assert one == two
