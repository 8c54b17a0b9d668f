"""The two connections that write: the log's, in its turn, and the side tables'."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.domain.errors import StoreError
from smriti_tui.store.backends.postgres_connect import LOG, SIDE, Server
from smriti_tui.store.backends.postgres_cursor import Cursor
from smriti_tui.store.backends.postgres_dialect import POSTGRES
from smriti_tui.store.backends.postgres_turn import BEGIN, LOCK, STEP_S, UNLOCK, at_once, wait_for
from smriti_tui.store.faults import busy, store_error

if TYPE_CHECKING:
    from psycopg import Connection

SETTLE_S: Final = 5.0
"""How long is waited for the server to tell what became of a commit."""
_STANDS: Final = "SELECT 1 FROM event WHERE event_id = %s"


class LogServer:
    """The log's connection, and its turn by the server's lock behind one of this process's."""

    def __init__(self, server: Server) -> None:
        import psycopg

        self.errors: type[Exception] = psycopg.Error
        self.name = server.name
        self.serial = 0
        self._server = server
        self._mine = threading.Lock()
        self._connection: Connection[tuple[Any, ...]] | None = None

    def begin(self, wait_s: float, ends: Callable[[], bool]) -> Cursor:
        end = time.monotonic() + wait_s
        self._take_mine(end, ends)
        try:
            connection, position = self._in_turn(BEGIN, end, ends)
            return Cursor(connection, int(position))
        except BaseException:
            self.end()
            raise

    def commit(self, cursor: Cursor) -> None:
        if cursor.has_queued:
            cursor.flush()
        done = at_once(cursor.connection, b"COMMIT")
        if done != b"COMMIT":  # one statement failed, and nobody said so
            raise self.errors(f"the transaction was not committed ({done.decode()})")

    def stands(self, event_id: str) -> bool:
        if self._connection is not None and not _is_cut(self._connection):
            return False
        self._forget()
        try:
            # In its turn: the server may still be at work on the commit.
            connection, _ = self._in_turn(BEGIN, time.monotonic() + SETTLE_S, lambda: False)
            found = connection.execute(_STANDS, (event_id,)).fetchone()
            connection.execute("ROLLBACK")
        except (StoreError, self.errors) as error:
            raise StoreError(
                f"The server {self.name} went away in the middle of a commit.",
                "Look whether it was stored once it is back, before you do it again.",
                code="database_unknown",
            ) from error
        return found is not None

    def undo(self, cursor: Cursor) -> None:
        with contextlib.suppress(self.errors):
            if not (cursor.connection.closed or _is_idle(cursor.connection)):
                cursor.connection.execute("ROLLBACK")

    def end(self) -> None:
        # A transaction that could not even be undone would bar every later one.
        if self._connection is not None and not _is_idle(self._connection):
            self._forget()
        self._mine.release()

    def tidy(self) -> None:
        """The server does it."""

    @contextlib.contextmanager
    def exclusive(self, wait_s: float, ends: Callable[[], bool]) -> Iterator[Cursor]:
        end = time.monotonic() + wait_s
        self._take_mine(end, ends)
        try:
            connection, _ = self._in_turn(LOCK, end, ends)
            try:
                yield Cursor(connection, 0)
            finally:
                self._unlock(connection)
        finally:
            self.end()

    def close(self) -> None:
        with self._mine:
            self._forget()

    def _unlock(self, connection: Connection[tuple[Any, ...]]) -> None:
        try:
            connection.autocommit = True
            connection.execute(UNLOCK)
        except self.errors:
            self._forget()  # the lock goes with the connection

    def _take_mine(self, end: float, ends: Callable[[], bool]) -> None:
        while not self._mine.acquire(timeout=min(STEP_S, max(0.0, end - time.monotonic()))):
            if time.monotonic() >= end or ends():
                raise busy(self.name)

    def _in_turn(
        self, sql: str, end: float, ends: Callable[[], bool]
    ) -> tuple[Connection[tuple[Any, ...]], bytes]:
        """The connection once it has its turn, and the last value that it told. One that a restart
        of the server has cut is opened again: nothing was asked on it yet."""
        known = self._connection is not None
        connection = self._connection or self._open()
        try:
            value = wait_for(connection, sql, self.name, end, ends)
        except self.errors as error:
            if not known or not _is_cut(connection):
                raise store_error(error, self.name) from error
            self._forget()
            return self._in_turn(sql, end, ends)
        return connection, value

    def _open(self) -> Connection[tuple[Any, ...]]:
        self._connection = self._server.open(LOG)
        self.serial += 1
        return self._connection

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(self.errors):
                self._connection.close()
            self._connection = None


class SideServer:
    """A second connection, whose commits wait for no disk."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._guard = threading.Lock()
        self._connection: Connection[tuple[Any, ...]] | None = None

    def run(self, sql: str, values: tuple[object, ...]) -> int:
        import psycopg

        with self._guard:
            known = self._connection is not None
            try:
                return self._run(sql, values)
            except psycopg.Error as error:
                cut = self._connection is None or _is_cut(self._connection)
                if cut:
                    self._forget()
                # Each of these statements comes to the same when it is done twice.
                if not (cut and known):
                    raise store_error(error, self._server.name) from error
            try:
                return self._run(sql, values)
            except psycopg.Error as error:
                raise store_error(error, self._server.name) from error

    def _run(self, sql: str, values: tuple[object, ...]) -> int:
        if self._connection is None:
            self._connection = self._server.open(SIDE)
        return self._connection.execute(POSTGRES.marked(sql), values).rowcount

    def close(self) -> None:
        with self._guard:
            self._forget()

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(StoreError):
                self._connection.close()
            self._connection = None


def _is_idle(connection: Connection[tuple[Any, ...]]) -> bool:
    import psycopg

    return connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def _is_cut(connection: Connection[tuple[Any, ...]]) -> bool:
    import psycopg

    return connection.closed or connection.info.status != psycopg.pq.ConnStatus.OK
