"""Databases of every older schema, with a life in their logs: each moment is found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.store.database import Store
from smriti_tui.store.engine import open_writer
from smriti_tui.store.migrations import upgrade
from smriti_tui.store.rebuild import rebuild
from smriti_tui.store.rows import OFTEN
from smriti_tui.store.verify import verify
from tests.store.test_past import digest, lived
from tests.support import opened_store, ticking_clock

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
SINCE_0011 = (
    "view_snapshot", "view_file", "tail", "branch_alias", "deletion", "redacted",
    "imported_thread", "imported_thread_past", "imported_turn",
)  # fmt: skip
SINCE_0007 = (
    "claim",
    "claim_past",
    "finding",
    "finding_past",
    "review",
    "worktree",
    "worktree_past",
)


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
        if revision > "0003":  # nothing after it folds anew
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


async def test_what_was_kept_of_the_past_is_carried_over(tmp_path: Path) -> None:
    """A database of schema 5 with its tables filled."""
    digests = await lived(tmp_path, 30, 3)
    path = tmp_path / "smriti.db"
    with opened_store(path) as store, store.log.exclusive() as connection:
        for name in OFTEN:
            table = f"{name}_past"
            told = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
            shape = connection.execute(told, (table,)).fetchone()[0]
            assert shape.rstrip().endswith("WITHOUT ROWID")
            connection.execute(f"CREATE TABLE kept AS SELECT * FROM {table}")
            connection.execute(f"DROP TABLE {table}")
            connection.execute(shape.replace("WITHOUT ROWID", ""))
            connection.execute(f"CREATE INDEX ix_{table}_until ON {table} (until)")
            connection.execute(f"INSERT INTO {table} SELECT * FROM kept")
            connection.execute("DROP TABLE kept")
        for table in SINCE_0007:
            connection.execute(f"DROP TABLE {table}")
        for table in SINCE_0011:
            connection.execute(f"DROP TABLE {table}")
        connection.execute("ALTER TABLE model_limit DROP COLUMN form")
        connection.execute("UPDATE alembic_version SET version_num = '0005'")
    with opened_store(path) as store:
        store.prepare()
        with store.read() as tx:
            assert verify(tx).difference is None
    found_again(path, digests)
