"""The search index: grown with the log, filled by a migration, rebuilt, tampered with."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.events import CheckpointDeleted, NoteAdded
from smriti_tui.domain.ids import new_id
from smriti_tui.domain.model import Artifact, Item, Task
from smriti_tui.store import schema
from smriti_tui.store.database import Store
from smriti_tui.store.migrations import upgrade
from smriti_tui.store.rebuild import rebuild
from smriti_tui.store.verify import Difference, verify
from smriti_tui.store.words import PLACES
from tests.support import opened_services, opened_store, send

ENTRIES = "SELECT * FROM search_entry ORDER BY id"


async def fill(folder: Path) -> None:
    """Something of every kind, some of it renamed, carried on, copied and deleted."""
    with opened_services(folder) as services:
        space = services.spaces.create("Alpha search", description="about snake_case")
        services.spaces.change(space.id, name="Beta search")
        services.spaces.change(space.id, description="about camelCase")
        session = services.sessions.new(space.id, title="Erstes Gespräch")
        await send(services, session.id, "Wie groß ist das 漢字?")
        services.sessions.rename(session.id, "Second title")
        first = CheckpointInput(
            title="State one",
            objective="Find things",
            decisions=(Item("", "Use FTS5"),),
            tasks=(Task("", "Load test"),),
            artifacts=(Artifact("00000000-0000-4000-8000-000000000001", "text", "log", "café"),),
        )
        saved = services.checkpoints.create(space.id, first, session=session.id).checkpoint
        again = CheckpointInput(title="State two", decisions=(Item("", "Use Tantivy"),))
        services.checkpoints.create(space.id, again, carry_all=True)
        gone = services.checkpoints.create(
            space.id, CheckpointInput(title="Gone", decisions=(Item("", "Forget"),))
        )
        with services.caller.write() as scope:
            stream = f"space/{space.id}"
            scope.append(stream, NoteAdded(new_id(), saved.id, "a note of mine"))
            scope.append(stream, CheckpointDeleted(gone.checkpoint.id))


def places(connection: Any) -> tuple[list[Any], list[Any]]:
    return (
        [tuple(row) for row in connection.execute(PLACES)],
        [tuple(row) for row in connection.execute(ENTRIES)],
    )


def difference(store: Store) -> Difference | None:
    with store.read() as tx:
        return verify(tx).difference


async def test_what_is_carried_on_is_indexed_where_it_was_said_first(tmp_path: Path) -> None:
    await fill(tmp_path)
    with opened_store(tmp_path / "smriti.db") as store, store.log.exclusive() as connection:
        found = connection.execute(
            "SELECT kind, count(*) FROM search_entry WHERE live GROUP BY kind"
        )
        assert dict(found.fetchall()) == {
            "space": 2, "branch": 1, "session": 1, "turn": 2, "checkpoint": 2, "decision": 2,
            "task": 1, "artifact": 1, "note": 1,
        }  # fmt: skip


async def test_rebuilt_and_migrated_it_is_as_it_grew(tmp_path: Path) -> None:
    await fill(tmp_path)
    with opened_store(tmp_path / "smriti.db") as store:
        with store.log.exclusive() as connection:
            grown = places(connection)
            connection.execute("INSERT INTO search_index(search_index) VALUES ('delete-all')")
            connection.execute("DELETE FROM search_entry")
        rebuild(store)
        with store.log.exclusive() as connection:
            assert places(connection) == grown
            for table in ("search_word", "search_index", "search_entry"):
                connection.execute(f"DROP TABLE {table}")
            connection.execute("UPDATE alembic_version SET version_num = '0002'")
            upgrade(connection, "0003")
            connection.execute("UPDATE alembic_version SET version_num = ?", (schema.HEAD,))
            assert places(connection) == grown
        assert difference(store) is None


@pytest.mark.parametrize(
    ("sql", "where"),
    [
        ("INSERT INTO search_index(rowid, words, parts) VALUES (99, 'forged', '')", "forged"),
        ("INSERT INTO search_index(search_index, rowid, words, parts) "
         "VALUES ('delete', 1, 'Alpha search', '')", "alpha"),
        ("DELETE FROM search_index_docsize WHERE id = 2", "entry 2"),
        ("UPDATE search_index_data SET block = x'00' WHERE id > 10", "search_index"),
        ("UPDATE search_entry SET author = 'eve' WHERE id = 1", "search_entry, key 1"),
    ],
)  # fmt: skip
async def test_an_index_that_was_changed_is_named(tmp_path: Path, sql: str, where: str) -> None:
    await fill(tmp_path)
    with opened_store(tmp_path / "smriti.db") as store:
        with store.log.exclusive() as connection:
            connection.execute(sql)
        found = difference(store)
        assert found is not None
        assert where in found.where
        assert "search" in found.what + found.where
        rebuild(store)
        assert difference(store) is None


def test_an_older_database_with_an_unreadable_event_still_comes_along(tmp_path: Path) -> None:
    old = driver_at(tmp_path / "old.db", "0001")
    old.execute(
        "INSERT INTO event (event_id, origin, stream, version, type, schema_version, payload, "
        "actor, door, recorded_at, correlation_id, payload_sha256, chain_sha256) VALUES "
        "('a', 'o', 'session/s', 1, 'turn.added', 1, '{broken', 'ada', 'cli', 't', 'c', 'h', 'h')"
    )
    old.close()
    with opened_store(tmp_path / "old.db") as store:
        store.prepare()
        with store.log.exclusive() as connection:
            assert places(connection) == ([], [])


def driver_at(path: Path, revision: str) -> Any:
    """A database of an older program."""
    from smriti_tui.store.engine import open_writer

    connection = open_writer(path, "FULL")
    upgrade(connection, revision)
    return connection


async def test_a_database_of_the_first_schema_is_indexed_with_its_data(tmp_path: Path) -> None:
    await fill(tmp_path)
    path = tmp_path / "smriti.db"
    with opened_store(path) as store, store.log.exclusive() as connection:
        grown = places(connection)
        rows = connection.execute("SELECT * FROM event ORDER BY position").fetchall()
    old = tmp_path / "old"
    old.mkdir()
    connection = driver_at(old / "smriti.db", "0001")
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO event VALUES ({marks})", rows)
    connection.close()
    with opened_store(old / "smriti.db") as store:
        rebuild(store)
        with store.log.exclusive() as again:
            assert places(again) == grown
        assert difference(store) is None
    assert list(old.glob("smriti.db.before-0001-*"))
    shutil.rmtree(old)
