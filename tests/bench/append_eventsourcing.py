"""The library `eventsourcing` on SQLite, as a way to append: its application recorder."""

from __future__ import annotations

import json
import sqlite3
import uuid
from pathlib import Path
from typing import Any

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from tests.bench.append_way import STREAM, Way, payload

ORIGINATOR = uuid.uuid5(uuid.NAMESPACE_URL, STREAM)


class EventSourcing(Way):
    """One stream for all writers: who meets a version that is taken reads the newest again."""

    def __init__(self, database: Path, writer: int) -> None:
        super().__init__(database, writer)
        self._store = SQLiteDatastore(str(database))
        self._make = self._store.pool._create_connection
        self._store.pool._create_connection = self._connect  # type: ignore[method-assign]
        self._recorder = SQLiteApplicationRecorder(self._store)
        self._last = 0

    def _connect(self) -> Any:
        made = self._make()
        inner: sqlite3.Connection = made._sqlite_conn
        inner.execute("PRAGMA synchronous=FULL")
        return made

    def setup(self) -> None:
        self._recorder.create_table()

    def write(self, number: int) -> int:
        state = json.dumps(payload(self.writer, number)).encode()
        while True:
            event = StoredEvent(ORIGINATOR, self._last + 1, "item_created", state)
            try:
                self._recorder.insert_events([event])
            except IntegrityError:
                newest = self._recorder.select_events(ORIGINATOR, desc=True, limit=1)
                self._last = newest[0].originator_version if newest else 0
            else:
                self._last += 1
                return self._last

    def stored(self) -> list[int]:
        found = self._recorder.select_events(ORIGINATOR)
        return [event.originator_version for event in found]

    def close(self) -> None:
        self._store.close()
