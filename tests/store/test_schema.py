"""The schema: one by migration and by model, refused when it is not ours, raced by processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.errors import StoreBroken, StoreError
from smriti_tui.store import schema
from smriti_tui.store.database import Store
from smriti_tui.store.engine import driver
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import read_all
from tests.opening import opened_store


def shape(connection: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Columns and indexes of every table."""
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = [row[0] for row in connection.execute(sql)]
    shapes: dict[str, list[tuple[Any, ...]]] = {}
    for name in set(names) - {"alembic_version"}:
        # Where in the row a column stands is no matter: a migration can only add at the end.
        found = connection.execute(f"PRAGMA table_info({name})")
        columns = sorted(tuple(row[1:]) for row in found)
        indexes = [
            (
                row[2],
                row[4],
                [(c[0], c[2]) for c in connection.execute(f"PRAGMA index_info('{row[1]}')")],
            )
            for row in connection.execute(f"PRAGMA index_list({name})")
        ]
        shapes[name] = [*columns, *sorted(indexes, key=str)]
    return shapes


def test_migrating_gives_what_the_models_say(store: Store) -> None:
    memory = driver().connect(":memory:", isolation_level=None)
    schema.create_all(memory)
    store.prepare()
    with store.log.exclusive() as connection:
        assert shape(connection) == shape(memory)


def test_a_newer_database_is_refused_and_left_untouched(store: Store) -> None:
    store.prepare()
    with store.log.exclusive() as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    before = store.path.read_bytes()
    with opened_store(store.path) as again:
        for use in (lambda: again.read().__enter__(), again.prepare):
            with pytest.raises(StoreBroken) as caught:
                use()
            assert caught.value.code == "database_newer"
    assert store.path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"hello, this is a text file\n" * 50, "database_not_ours"), (b"SQLite format 3\0" * 99, "")],
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with opened_store(path) as store:
        for use in (lambda: store.read().__enter__(), store.prepare):
            with pytest.raises(StoreError) as caught:
                use()
            assert caught.value.code == code or not code
    assert path.read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = driver().connect(str(path))
    other.execute("CREATE TABLE recipes (name)")
    other.close()
    with opened_store(path) as store, pytest.raises(StoreBroken) as caught:
        store.prepare()
    assert caught.value.code == "database_not_ours"


CREATE = """
import sys
from tests.opening import opened_store
from smriti_tui.store.eventlog import NewEvent
from pathlib import Path
with opened_store(Path(sys.argv[1])) as store:
    sys.stdin.readline()
    store.log.append("a", [NewEvent("t", {})], actor="p", door="cli")
"""


def test_eight_processes_create_one_store(tmp_path: Path) -> None:
    path = tmp_path / "smriti.db"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", CREATE, str(path)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
    with opened_store(path) as store, store.read() as tx:
        events = list(read_all(tx))
    assert [event.stream for event in events] == ["store", *["a"] * 8]
    assert [event.version for event in events[1:]] == list(range(1, 9))


def test_a_read_only_file_is_named_as_that(store: Store) -> None:
    store.log.append("a", [NewEvent("t", {})], actor="p", door="cli")
    with store.log.exclusive() as connection:
        connection.execute("PRAGMA query_only=ON")
    with pytest.raises(StoreBroken) as caught:
        store.log.append("a", [NewEvent("t", {})], actor="p", door="cli")
    assert caught.value.code == "database_read_only"


def test_a_reader_that_meets_a_store_being_created_finds_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "smriti.db"
    creating = driver().connect(str(path), isolation_level=None)
    creating.execute("PRAGMA journal_mode=WAL")
    creating.execute("BEGIN IMMEDIATE")
    creating.execute("CREATE TABLE alembic_version (version_num)")
    assert path.stat().st_size > 0
    with opened_store(path) as store:
        with store.read() as one, store.read() as other:
            assert list(read_all(one)) == list(read_all(other)) == []
        creating.execute("ROLLBACK")
        creating.close()
        store.log.append("a", [NewEvent("t", {})], actor="p", door="cli")
        with store.read() as tx:
            assert len(list(read_all(tx))) == 2
