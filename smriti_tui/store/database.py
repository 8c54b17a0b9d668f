"""A store: one database with its log, tables and side tables."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from smriti_tui.domain.errors import Invalid, StoreBroken, StoreError
from smriti_tui.store import schema
from smriti_tui.store.engine import (
    database_path,
    driver,
    memory_engine,
    open_reader,
    private_file,
    private_folder,
    reading,
    reading_engine,
    unchanging,
)
from smriti_tui.store.eventlog import WAIT_S, EventLog
from smriti_tui.store.faults import store_error
from smriti_tui.store.lock import WriteLock
from smriti_tui.store.presence import Presence
from smriti_tui.store.side import SideTables


class Store:
    """Opened by `bootstrap`, one per process. Reading never creates or changes a file: one that is
    missing reads as empty. The first write creates or migrates it."""

    def __init__(self, url: str, now: Callable[[], str], *, at: int | None = None) -> None:
        """`url` is a path or `sqlite:///PATH`; `now` gives the UTC text of the present.

        With `at` it reads as it was after the event of that position, and writes nothing.

        Raises:
            Invalid: a URL of another kind.
        """
        self.path: Path = database_path(url)
        self._now = now
        self._at = at
        self._presence = Presence(self.path)
        self._ready_to_write: int | None = None
        """Generation of the file that was prepared."""
        self._reading: int | None = None
        self._frozen = False
        self._engine: Engine | None = None
        self._empty: Engine | None = None
        self._guard = threading.Lock()
        self._preparing = threading.Lock()
        # Beside the file itself: whoever comes by a link must wait with all others.
        self._lock = WriteLock(Path(f"{os.path.realpath(self.path)}.lock"))
        self.log = EventLog(self.path, self._lock, now, self.prepare, self.generation)
        self.side = SideTables(self.path, self._lock, now, self.prepare, self.read, self.generation)

    def now(self) -> str:
        """UTC text of the store's clock."""
        return self._now()

    def generation(self) -> int:
        """Changes when another file takes the path. Raises: StoreBroken (it is gone)."""
        return self._presence.generation()

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
            Invalid: the store looks into the past (code `at_event`).
        """
        if self._at is not None:
            raise Invalid(
                f"This is the state at event {self._at}: it is read only.",
                "Go back to now to write; a fork from here is made now.",
                code="at_event",
            )
        if self._ready_to_write is not None and self._ready_to_write == self.generation():
            return
        with self._preparing:
            # A file that was there and is gone is told, never made anew without a word.
            self.generation()
            private_folder(self.path.parent)
            private_file(self.path)
            self._refuse_foreign()
            with self.log.exclusive() as connection:
                schema.migrate(connection, self.path, self._now)
            self._ready_to_write = self.generation()

    def present_only(self) -> None:
        """Of what works on the whole log and its file.

        Raises:
            Invalid: the store looks into the past (code `at_event`).
        """
        if self._at is not None:
            raise Invalid(
                f"This is the state at event {self._at}: a log is proved, followed and copied "
                "whole, as it is now.",
                "Leave --at out.",
                code="at_event",
            )

    def _refuse_foreign(self) -> None:
        """Looks at an existing file before the writing connection does: that one sets the journal
        mode, which would change a database that is not ours."""
        with self.log.waits.turn() as ends:
            self._lock.acquire(WAIT_S, ends)
        try:
            if self.exists():
                self._revision()
        finally:
            self._lock.release()

    def close(self) -> None:
        """Closes every connection under the write lock; the next use opens them again."""
        self._dispose_readers()
        with contextlib.suppress(StoreError):
            self.side.close()
        with contextlib.suppress(StoreError):
            self.log.close()
        self._lock.close()

    def _dispose_readers(self) -> None:
        if self._engine is None:
            return
        try:
            self._lock.acquire(1.0)
        except StoreError:
            # Where no lock can be had, as in a folder that may not be written, nobody writes.
            self._engine.dispose()
        else:
            try:
                self._engine.dispose()
            finally:
                self._lock.release()
        self._engine = None

    def _reading_engine(self) -> Engine:
        with self._guard:
            generation = self.generation()
            if self._engine is not None:
                if generation == self._reading and not self._thawed():
                    return self._engine
                self._engine.dispose()
                self._engine = None
            if not self.exists() or not self._is_filled():
                if self._empty is None:
                    self._empty = memory_engine(schema.create_all)
                return self._empty
            self._frozen = unchanging(self.path)
            self._engine = reading_engine(self.path, self._at)
            self._reading = generation
            return self._engine

    def _thawed(self) -> bool:
        """Whether the file was read as one that stays as it is, and may change now."""
        return self._frozen and not unchanging(self.path)

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
            connection = open_reader(self.path)
        except driver().Error as error:
            raise store_error(error, str(self.path)) from error
        try:
            return schema.revision(connection, str(self.path))
        finally:
            connection.close()
