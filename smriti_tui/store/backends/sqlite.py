"""The back end of one file (DESIGN section 4, 10.23)."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from smriti_tui.domain.errors import StoreError
from smriti_tui.store import schema
from smriti_tui.store.backends.base import Measured, SideWriting, Writing
from smriti_tui.store.backends.copied import copy_file
from smriti_tui.store.dialect import SQLITE, Dialect
from smriti_tui.store.engine import (
    WAL_BYTES,
    driver,
    memory_engine,
    open_reader,
    open_writer,
    private_file,
    private_folder,
    reading_engine,
    unchanging,
)
from smriti_tui.store.faults import is_busy, store_error
from smriti_tui.store.lock import WriteLock
from smriti_tui.store.presence import Presence
from smriti_tui.store.waiting import Waits
from smriti_tui.store.watching import FileWatch

CLOSE_WAIT_S = 10.0
"""How long what ends a connection or tidies up waits for its turn (DESIGN 10.23)."""
SIDE_WAIT_S = 2.0
"""A side write that finds no turn in this time is left out; the next one carries the newer text."""
MAX_FAULTS = 20


class LogFile:
    """The log's connection to the file, and its turn by the lock."""

    def __init__(self, path: Path, lock: WriteLock, generation: Callable[[], int]) -> None:
        self.errors: type[Exception] = driver().Error
        self.name = str(path)
        self._path = path
        self._lock = lock
        self._wal = f"{path}-wal"
        self._generation = generation
        self._connection: Any = None
        self._opened: int | None = None
        self.serial = 0

    def begin(self, wait_s: float, ends: Callable[[], bool]) -> Any:
        self._lock.acquire(wait_s, ends)
        try:
            cursor = self._present().cursor()
            self._begin(cursor, wait_s, ends)
        except BaseException:
            self.end()
            raise
        return cursor

    def _begin(self, cursor: Any, wait_s: float, ends: Callable[[], bool]) -> None:
        end = time.monotonic() + wait_s
        while True:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                return
            except self.errors as error:
                if not is_busy(error) or time.monotonic() >= end or ends():
                    raise store_error(error, self.name) from error

    def commit(self, cursor: Any) -> None:
        cursor.execute("COMMIT")

    def stands(self, event_id: str) -> bool:
        return False  # SQLite's word on a commit is its last

    def undo(self, cursor: Any) -> None:
        with contextlib.suppress(self.errors):
            if cursor.connection.in_transaction:
                cursor.execute("ROLLBACK")

    def end(self) -> None:
        # A transaction that could not even be undone would bar every later one.
        if self._connection is not None and self._connection.in_transaction:
            self._forget()
        self._lock.release()

    def tidy(self) -> None:
        """Moves the write-ahead file into the database once it is past its bound.

        The file stays, and the next commits overwrite it in place: where it grows anew after a
        truncation, each of them costs twice the sync. What a reader still looks at waits for the
        next commit. The commit stands, whatever becomes of this.
        """
        with contextlib.suppress(OSError, StoreError, self.errors):
            if _size(self._wal) > WAL_BYTES:
                with self.exclusive(CLOSE_WAIT_S, lambda: False) as connection:
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    @contextlib.contextmanager
    def exclusive(self, wait_s: float, ends: Callable[[], bool]) -> Iterator[Any]:
        self._lock.acquire(wait_s, ends)
        try:
            yield self._present()
        finally:
            self.end()

    def close(self) -> None:
        if self._connection is not None:
            self._lock.acquire(CLOSE_WAIT_S)
            try:
                self._forget()
            finally:
                self._lock.release()

    def _present(self) -> Any:
        """The kept-open connection to the file that stands at the path now."""
        generation = self._generation()
        if self._opened != generation:
            self._forget()
        if self._connection is None:
            self._connection = open_writer(self._path, "FULL")
            self._opened = generation
            self.serial += 1
        return self._connection

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(self.errors):
                self._connection.close()
            self._connection = None


def _size(path: str) -> int:
    """Bytes of a file, by seeking its end.

    Looking at a file's times, as `stat` does, makes Linux write the next change of them with the
    next sync: half as much again for each commit.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.lseek(descriptor, 0, os.SEEK_END)
    finally:
        os.close(descriptor)


class SideFile:
    """The second connection, with `synchronous=NORMAL`: a killed process loses nothing."""

    def __init__(self, path: Path, lock: WriteLock, generation: Callable[[], int]) -> None:
        self._path = path
        self._lock = lock
        self._generation = generation
        self._connection: Any = None
        self._opened: int | None = None

    def run(self, sql: str, values: tuple[object, ...]) -> int:
        self._lock.acquire(SIDE_WAIT_S)
        try:
            generation = self._generation()
            if self._opened != generation:
                self._forget()
            if self._connection is None:
                self._connection = open_writer(self._path, "NORMAL")
                self._opened = generation
            return int(self._connection.execute(sql, values).rowcount)
        except driver().Error as error:
            raise store_error(error, str(self._path)) from error
        finally:
            self._lock.release()

    def close(self) -> None:
        if self._connection is not None:
            self._lock.acquire(SIDE_WAIT_S)
            try:
                self._forget()
            finally:
                self._lock.release()

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(driver().Error):
                self._connection.close()
            self._connection = None


class FileProbe:
    """`PRAGMA data_version` on one connection outside transactions."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Any = None
        self._frozen = False
        """Whether it takes the file for one that stays as it is."""

    def version(self) -> int:
        try:
            if self._frozen and not unchanging(self._path):
                self.close()
            if self._connection is None:
                self._frozen = unchanging(self._path)
                self._connection = open_reader(self._path)
            row = self._connection.execute("PRAGMA data_version").fetchone()
        except driver().Error as error:
            raise store_error(error, str(self._path)) from error
        return int(row[0])

    def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(driver().Error):
                self._connection.close()
            self._connection = None


class SqliteFile:
    """One file, its lock beside it."""

    dialect: Dialect = SQLITE

    def __init__(self, path: Path, now: Callable[[], str], at: int | None) -> None:
        self.path = path
        self.name = str(path)
        self._now = now
        self._at = at
        self._presence = Presence(path)
        # Beside the file itself: whoever comes by a link must wait with all others.
        self._lock = WriteLock(Path(f"{os.path.realpath(path)}.lock"))
        self.log: Writing = LogFile(path, self._lock, self.generation)
        self.side: SideWriting = SideFile(path, self._lock, self.generation)
        self._ready_to_write: int | None = None
        """Generation of the file that was prepared."""
        self._reading: int | None = None
        self._frozen = False
        self._engine: Engine | None = None
        self._empty: Engine | None = None
        self._guard = threading.Lock()
        self._preparing = threading.Lock()

    def generation(self) -> int:
        return self._presence.generation()

    def exists(self) -> bool:
        try:
            return self.path.stat().st_size > 0
        except OSError:
            return False

    def prepare(self, waits: Waits, wait_s: float) -> None:
        if self._ready_to_write is not None and self._ready_to_write == self.generation():
            return
        with self._preparing:
            # A file that was there and is gone is told, never made anew without a word.
            self.generation()
            private_folder(self.path.parent)
            private_file(self.path)
            self._refuse_foreign(waits, wait_s)
            with contextlib.ExitStack() as held:
                with waits.turn() as ends:
                    connection = held.enter_context(self.log.exclusive(wait_s, ends))
                schema.migrate(connection, self.path, self._now)
            self._ready_to_write = self.generation()

    def _refuse_foreign(self, waits: Waits, wait_s: float) -> None:
        """Looks at an existing file before the writing connection does: that one sets the journal
        mode, which would change a database that is not ours."""
        with waits.turn() as ends:
            self._lock.acquire(wait_s, ends)
        try:
            if self.exists():
                self._revision()
        finally:
            self._lock.release()

    def engine(self) -> Engine:
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
            raise schema.older(self.name, found)
        return found is not None

    def _revision(self) -> str | None:
        try:
            connection = open_reader(self.path)
        except driver().Error as error:
            raise store_error(error, self.name) from error
        try:
            return schema.revision(connection, self.name)
        finally:
            connection.close()

    def probe(self) -> FileProbe:
        return FileProbe(self.path)

    def watch(self, wake: Callable[[], None], failed: Callable[[str], None]) -> FileWatch:
        return FileWatch(self.path, wake, failed)

    def pause_s(self, interval_s: float) -> float:
        return interval_s

    def measure(self, tx: Session) -> Measured:
        row = tx.connection().exec_driver_sql("PRAGMA journal_mode").fetchone()
        return Measured(self.path.stat().st_size, str(row[0]) if row is not None else None)

    def writable(self) -> bool:
        return os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)

    def backup(self, tx: Session, target: Path) -> None:
        copy_file(self.path, target)

    def check(self, tx: Session) -> list[str]:
        db = tx.connection()
        rows = db.exec_driver_sql(f"PRAGMA integrity_check({MAX_FAULTS})").fetchall()
        found = [str(row[0]) for row in rows if row[0] != "ok"]
        rows = db.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MAX_FAULTS)
        return found + [f"row {row[1]} of {row[0]} refers to a missing {row[2]}" for row in rows]

    def close(self) -> None:
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
