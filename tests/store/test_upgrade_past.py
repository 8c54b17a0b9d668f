"""Databases of every older schema, with a life in their logs: each moment is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.store.database import Store
from smriti_tui.store.engine import open_writer
from smriti_tui.store.migrations import upgrade
from smriti_tui.store.rebuild import rebuild
from smriti_tui.store.verify import verify
from tests.store.test_past import digest, lived
from tests.support import opened_store, ticking_clock

REVISIONS = ("0001", "0002", "0003", "0004")


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_migrated_database_has_every_moment(tmp_path: Path, revision: str) -> None:
    digests = await lived(tmp_path, 30, 3)
    with opened_store(tmp_path / "smriti.db") as store, store.log.exclusive() as connection:
        rows = connection.execute("SELECT * FROM event ORDER BY position").fetchall()
    path = tmp_path / "old" / "smriti.db"
    path.parent.mkdir()
    connection = open_writer(path, "FULL")
    upgrade(connection, revision)
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO event VALUES ({marks})", rows)
    connection.close()
    with opened_store(path) as store:
        store.prepare()
        if revision == "0004":
            rebuild(store)
    found_again(path, digests)
    with opened_store(path) as store:
        rebuild(store)
        with store.read() as tx:
            assert verify(tx).difference is None
    found_again(path, digests)


def found_again(path: Path, digests: dict[int, str]) -> None:
    for position, found in digests.items():
        past = Store(str(path), ticking_clock(), at=position)
        assert digest(past) == found, position
        past.close()
