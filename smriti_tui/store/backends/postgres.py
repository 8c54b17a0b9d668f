"""The back end of a team: one PostgreSQL database (DESIGN section 9)."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, Integer, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool
from sqlmodel import Session

from smriti_tui.domain.errors import Invalid, StoreError
from smriti_tui.store import schema
from smriti_tui.store.backends import postgres_schema
from smriti_tui.store.backends.base import Measured, SideWriting, Writing
from smriti_tui.store.backends.postgres_connect import Server
from smriti_tui.store.backends.postgres_dialect import POSTGRES
from smriti_tui.store.backends.postgres_feed import NotifyWatch, ServerProbe
from smriti_tui.store.backends.postgres_writing import LogServer, SideServer
from smriti_tui.store.dialect import Dialect
from smriti_tui.store.engine import memory_engine, reading
from smriti_tui.store.faults import store_error
from smriti_tui.store.waiting import Waits

NET_S: Final = 1.0
"""How often is polled while the server wakes the poll."""
_BROKEN: Final = (
    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND NOT (i.indisvalid AND i.indisready)"
)
_MEASURED: Final = (
    "SELECT (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n "
    "ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r'), "
    "current_setting('server_version'), inet_server_addr() IS NULL "
    "OR coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)"
)
_MAY_APPEND: Final = (
    "SELECT has_table_privilege('event', 'INSERT') AND NOT pg_is_in_recovery() "
    "AND current_setting('default_transaction_read_only') = 'off'"
)
_ALL: Final = (
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND c.relkind = 'r' ORDER BY c.relname"
)


class PostgresServer:
    """One database on a server. Nothing is asked of it before the first use."""

    dialect: Dialect = POSTGRES

    def __init__(self, url: str, at: int | None) -> None:
        """Raises: Invalid (no URL, or psycopg is missing)."""
        self._server = Server(url)
        self.name = self._server.name
        self.log: Writing = LogServer(self._server)
        self.side: SideWriting = SideServer(self._server)
        self._at = at
        self._engine: Engine | None = None
        self._present: Engine | None = None
        """As the engine, never looking back."""
        self._empty: Engine | None = None
        self._filled = False
        self._ready = False
        self._guard = threading.Lock()
        self._preparing = threading.Lock()
        self._watch: NotifyWatch | None = None

    @property
    def path(self) -> Path:
        raise Invalid(
            f"{self.name} is no file.", "Use PostgreSQL's own tools there.", code="no_file"
        )

    def generation(self) -> int:
        return 0

    def exists(self) -> bool:
        return self._filled or self._revision() is not None

    def engine(self) -> Engine:
        if not self._filled and not self._is_filled():
            with self._guard:
                if self._empty is None:
                    self._empty = memory_engine(schema.create_all)
                return self._empty
        with self._guard:
            if self._engine is None:
                self._engine = _reading(self._server, self._at)
            return self._engine

    def _is_filled(self) -> bool:
        found = self._revision()
        if found is not None and found != schema.HEAD:
            raise schema.older(self.name, found)
        self._filled = found is not None
        return self._filled

    def _revision(self) -> str | None:
        with self._guard:
            if self._present is None:
                self._present = _reading(self._server, None)
        try:
            with self._present.connect() as connection:
                return postgres_schema.revision(connection.exec_driver_sql, self.name)
        except DBAPIError as error:
            raise store_error(error.orig or error, self.name) from error

    def prepare(self, waits: Waits, wait_s: float) -> None:
        if self._ready:
            return
        with self._preparing:
            # Who may only append has no right to more, and needs none where all is there.
            if self._revision() != schema.HEAD:
                self._migrate(waits, wait_s)
            self._ready = self._filled = True

    def _migrate(self, waits: Waits, wait_s: float) -> None:
        """Whoever comes second finds nothing to do."""
        import psycopg

        with contextlib.ExitStack() as held:
            with waits.turn() as ends:
                cursor = held.enter_context(self.log.exclusive(wait_s, ends))
            try:
                found = postgres_schema.revision(cursor.execute, self.name)
                if found is None:
                    postgres_schema.create(cursor)
                elif found != schema.HEAD:
                    # Alembic takes most of a second to import.
                    from smriti_tui.store.migrations import upgrade_server

                    upgrade_server(cursor.connection, schema.HEAD)
            except DBAPIError as error:
                raise store_error(error.orig or error, self.name) from error
            except psycopg.Error as error:
                raise store_error(error, self.name) from error

    def probe(self) -> ServerProbe:
        return ServerProbe(self._server)

    def watch(self, wake: Callable[[], None], failed: Callable[[str], None]) -> NotifyWatch:
        self._watch = NotifyWatch(self._server, wake)
        return self._watch

    def pause_s(self, interval_s: float) -> float:
        woken = self._watch is not None and self._watch.listens
        return max(interval_s, NET_S) if woken else interval_s

    def measure(self, tx: Session) -> Measured:
        size, version, sealed = tx.connection().exec_driver_sql(_MEASURED).one()
        return Measured(int(size or 0), server=f"PostgreSQL {version}", sealed=bool(sealed))

    def writable(self) -> bool:
        if not self.exists():
            return True
        with reading(self.engine(), self.name) as tx:
            return bool(tx.connection().exec_driver_sql(_MAY_APPEND).scalar())

    def backup(self, tx: Session, target: Path) -> None:
        raise Invalid(
            f"{self.name} is no file that could be copied.",
            "Use pg_dump, or the server's own backups.",
            code="no_file",
        )

    def check(self, tx: Session) -> list[str]:
        """Every row is read, and with it every page's checksum where the server keeps them."""
        db = tx.connection()
        found = [f"index {row[0]} is not valid" for row in db.exec_driver_sql(_BROKEN)]
        for (name,) in db.exec_driver_sql(_ALL).all():
            db.exec_driver_sql(f'SELECT count(t::text) FROM "{name}" t').all()
        return found

    def close(self) -> None:
        with self._guard:
            for engine in (self._engine, self._present, self._empty):
                if engine is not None:
                    engine.dispose()
            self._engine = self._present = self._empty = None
            self._filled = self._ready = False
        with contextlib.suppress(StoreError):
            self.side.close()
        with contextlib.suppress(StoreError):
            self.log.close()


def _reading(server: Server, at: int | None) -> Engine:
    """A pool of connections that cannot write; one that a restart of the server has cut is opened
    again before it is used."""

    def connect() -> Any:
        return server.reader(at)

    engine = create_engine(
        "postgresql+psycopg://",
        creator=connect,
        poolclass=QueuePool,
        pool_pre_ping=True,
        use_native_hstore=False,
    )
    # The driver sends each number in the size that it needs, which is right where a position is
    # asked for that no log has reached; SQLAlchemy would cast all to four bytes.
    dialect: Any = engine.dialect
    dialect.colspecs = {kind: told for kind, told in dialect.colspecs.items() if kind != Integer}
    return engine
