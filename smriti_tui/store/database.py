"""A store: one database with its log, tables and side tables."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlmodel import Session

from smriti_tui.domain.errors import Invalid
from smriti_tui.store.backends.base import Backend, Measured, Probe, Watch
from smriti_tui.store.backends.sqlite import SqliteFile
from smriti_tui.store.dialect import Dialect
from smriti_tui.store.engine import database_path, reading
from smriti_tui.store.eventlog import WAIT_S, EventLog
from smriti_tui.store.side import SideTables


def _backend(url: str, now: Callable[[], str], at: int | None) -> Backend:
    scheme, found, _ = url.partition("://")
    if found and scheme.lower().startswith("postgres"):
        # With it comes a driver that a file does not need.
        from smriti_tui.store.backends.postgres import PostgresServer

        return PostgresServer(url, at)
    return SqliteFile(database_path(url), now, at)


class Store:
    """Opened by `bootstrap`, one per process. Reading never creates or changes a database: one that
    is missing reads as empty. The first write creates or migrates it."""

    def __init__(self, url: str, now: Callable[[], str], *, at: int | None = None) -> None:
        """`url` is a path, `sqlite:///PATH` or `postgresql+psycopg://HOST/NAME`; `now` gives the
        UTC text of the present.

        With `at` it reads as it was after the event of that position, and writes nothing.

        Raises:
            Invalid: a URL of another kind, or of a server whose driver is missing.
        """
        self._backend = _backend(url, now, at)
        self._now = now
        self._at = at
        self.log = EventLog(self._backend.log, self.dialect, now, self.prepare)
        self.side = SideTables(self._backend.side, now, self.prepare, self.read)

    @property
    def name(self) -> str:
        """What messages call the database: its path, or its URL without the password."""
        return self._backend.name

    @property
    def on_server(self) -> bool:
        """Whether it is no file."""
        return self.dialect.name != "sqlite"

    @property
    def path(self) -> Path:
        """The database's file. Raises: Invalid (it has none, code `no_file`)."""
        return self._backend.path

    @property
    def dialect(self) -> Dialect:
        """Its kind of SQL."""
        return self._backend.dialect

    def now(self) -> str:
        """UTC text of the store's clock."""
        return self._now()

    def generation(self) -> int:
        """Changes when another file takes the path. Raises: StoreBroken (it is gone)."""
        return self._backend.generation()

    def exists(self) -> bool:
        """Whether there is a database with anything in it."""
        return self._backend.exists()

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A short read on one consistent state.

        Raises:
            StoreBroken: not a database, of another program, of an older or newer version.
            StoreError: the database failed.
        """
        with reading(self._backend.engine(), self.name) as session:
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
        self._backend.prepare(self.log.waits, WAIT_S)

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

    def probe(self) -> Probe:
        """A look at whether there may be something new. Raises: StoreError."""
        return self._backend.probe()

    def watch(self, wake: Callable[[], None], failed: Callable[[str], None]) -> Watch:
        """Calls `wake` when the database may have changed, once started."""
        return self._backend.watch(wake, failed)

    def pause_s(self, interval_s: float) -> float:
        """How long a poll may rest that is to look each `interval_s`."""
        return self._backend.pause_s(interval_s)

    def measure(self, tx: Session) -> Measured:
        """Size and kind. Raises: DBAPIError."""
        return self._backend.measure(tx)

    def writable(self) -> bool:
        """Whether this process may append events. Raises: StoreError."""
        return self._backend.writable()

    def backup(self, tx: Session, target: Path) -> None:
        """Copies the database into a new file. Raises: Invalid (it is on a server), StoreError."""
        self._backend.backup(tx, target)

    def check(self, tx: Session) -> list[str]:
        """What the database's own check finds, empty when it is sound."""
        return self._backend.check(tx)

    def close(self) -> None:
        """Closes every connection; the next use opens them again."""
        self._backend.close()
