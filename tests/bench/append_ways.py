"""The ways that ours is measured against: a raw loop, and a connection for each event."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from typing import Final

from tests.bench.append_way import STREAM, Way, payload

DDL = """
CREATE TABLE IF NOT EXISTS events(
  id INTEGER PRIMARY KEY,
  ts TEXT NOT NULL, actor TEXT NOT NULL, stream TEXT NOT NULL,
  type TEXT NOT NULL, payload TEXT NOT NULL, version INTEGER NOT NULL,
  UNIQUE(stream, version))
"""
MAX = "SELECT coalesce(max(version),0) FROM events WHERE stream=?"
INSERT = "INSERT INTO events(ts,actor,stream,type,payload,version) VALUES(?,?,?,?,?,?)"
INSERT_NEXT = (
    "INSERT INTO events(ts,actor,stream,type,payload,version) "
    "SELECT ?,?,?,?,?, coalesce(max(version),0)+1 FROM events WHERE stream=? RETURNING version"
)


class Plain(Way):
    """A table with the bare columns of an event log: no envelope, no hashes, no head row."""

    def setup(self) -> None:
        with closing(sqlite3.connect(self.database, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(DDL)

    def stored(self) -> list[int]:
        with closing(sqlite3.connect(self.database)) as connection:
            sql = "SELECT version FROM events WHERE stream=? ORDER BY version"
            return [row[0] for row in connection.execute(sql, (STREAM,))]

    def open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.database, isolation_level=None, timeout=5.0)
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def row(self, number: int) -> tuple[str, str, str, str, str]:
        text = json.dumps(payload(self.writer, number))
        moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return (moment, f"agent-{self.writer}", STREAM, "item_created", text)


class Raw(Plain):
    """A kept connection and one statement, which is the transaction, behind the same `flock`."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self._connection: sqlite3.Connection | None = None
        self._lock = -1

    def write(self, number: int) -> int:
        if self._connection is None:
            self._connection = self.open()
            self._lock = os.open(f"{self.database}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            rows = self._connection.execute(INSERT_NEXT, (*self.row(number), STREAM)).fetchall()
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
        version: int = rows[0][0]
        return version

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            os.close(self._lock)


class PerEvent(Plain):
    """Connect, BEGIN IMMEDIATE, read the highest version, insert, commit, close: for each event."""

    def write(self, number: int) -> int:
        with closing(self.open()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("BEGIN IMMEDIATE")
            version: int = connection.execute(MAX, (STREAM,)).fetchone()[0] + 1
            connection.execute(INSERT, (*self.row(number), version))
            connection.execute("COMMIT")
            return version


def way_named(name: str) -> type[Way]:
    """The way of that name. Ours are loaded only when they are asked for."""
    if name in PLAIN:
        return PLAIN[name]
    if name == LIBRARY:
        from tests.bench.append_eventsourcing import EventSourcing

        return EventSourcing
    from tests.bench.append_ours import OURS

    return OURS[name]


LIBRARY: Final = "eventsourcing"
PLAIN: Final[Mapping[str, type[Way]]] = {"raw": Raw, "per_event": PerEvent}
