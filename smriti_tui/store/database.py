"""A store: one database with its log, tables and side tables."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from smriti_tui.domain.errors import StoreBroken, StoreBusy
from smriti_tui.store import schema
from smriti_tui.store.engine import (
    database_path,
    driver,
    memory_engine,
    private_file,
    private_folder,
    reading,
    reading_engine,
)
from smriti_tui.store.eventlog import WAIT_S, EventLog
from smriti_tui.store.faults import store_error
from smriti_tui.store.lock import WriteLock
from smriti_tui.store.side import SideTables


class Store:
    """Opened by `bootstrap`, one per process. Reading never creates or changes a file: one that is
    missing reads as empty. The first write creates or migrates it."""

    def __init__(self, url: str, now: Callable[[], str]) -> None:
        """`url` is a path or `sqlite:///PATH`; `now` gives the UTC text of the present.

        Raises:
            Invalid: a URL of another kind.
        """
        self.path: Path = database_path(url)
        self._now = now
        self._ready_to_write = False
        self._engine: Engine | None = None
        self._empty: Engine | None = None
        self._guard = threading.Lock()
        self._preparing = threading.Lock()
        self._lock = WriteLock(self.path.with_name(self.path.name + ".lock"))
        self.log = EventLog(self.path, self._lock, now, self.prepare)
        self.side = SideTables(self.path, self._lock, now, self.prepare, self.read)

    def now(self) -> str:
        """UTC text of the store's clock."""
        return self._now()

    def exists(self) -> bool:
        """Whether there is a database file with anything in it."""
        try:
            return self.path.stat().st_size > 0
        except OSError:
            return False

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A short read on one consistent state.

        Raises:
            StoreBroken: not a database, of another program, of an older or newer version.
            StoreError: the database failed.
        """
        with reading(self._reading_engine(), str(self.path)) as session:
            yield session

    def prepare(self) -> None:
        """Creates or migrates the database once; cheap afterwards.

        Raises:
            StoreError: it cannot be created or is not ours.
        """
        if self._ready_to_write:
            return
        with self._preparing:
            private_folder(self.path.parent)
            private_file(self.path)
            self._refuse_foreign()
            with self.log.exclusive() as connection:
                schema.migrate(connection, self.path, self._now)
            self._ready_to_write = True

    def _refuse_foreign(self) -> None:
        """Looks at an existing file before the writing connection does: that one sets the journal
        mode, which would change a database that is not ours."""
        self._lock.acquire(WAIT_S)
        try:
            if self.exists():
                self._revision()
        finally:
            self._lock.release()

    def close(self) -> None:
        """Closes every connection under the write lock; the next use opens them again."""
        with contextlib.suppress(StoreBusy):
            self._dispose_readers()
            self.side.close()
            self.log.close()
        self._lock.close()

    def _dispose_readers(self) -> None:
        if self._engine is None:
            return
        self._lock.acquire(1.0)
        try:
            self._engine.dispose()
            self._engine = None
        finally:
            self._lock.release()

    def _reading_engine(self) -> Engine:
        with self._guard:
            if self._engine is not None:
                return self._engine
            if not self.exists() or not self._is_filled():
                if self._empty is None:
                    self._empty = memory_engine(schema.create_all)
                return self._empty
            self._engine = reading_engine(self.path)
            return self._engine

    def _is_filled(self) -> bool:
        """Whether the database has this program's tables; a process may be just creating them."""
        found = self._revision()
        if found is not None and found != schema.HEAD:
            raise StoreBroken(
                f"{self.path} has an older schema ({found}).",
                "Run `smriti db migrate`, or any command that writes.",
                code="database_older",
            )
        return found is not None

    def _revision(self) -> str | None:
        try:
            connection = driver().connect(str(self.path), isolation_level=None)
        except driver().Error as error:
            raise store_error(error, str(self.path)) from error
        try:
            return schema.revision(connection, str(self.path))
        finally:
            connection.close()
