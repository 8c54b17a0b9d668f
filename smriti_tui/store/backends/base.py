"""What a back end does for the store; all else of the store is the same for both.

The kinds of SQL that differ are in `store.dialect`; here are connections, turns and wakings.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Engine
from sqlmodel import Session

from smriti_tui.store.dialect import Dialect
from smriti_tui.store.waiting import Waits


class Writing(Protocol):
    """The kept-open connection that writes the log, and its turn among all that write."""

    errors: type[Exception]
    """Base of the driver's errors."""
    name: str
    """What messages call the database."""
    serial: int
    """Changes with each new connection: what was known of the database may be of another one."""

    def begin(self, wait_s: float, ends: Callable[[], bool]) -> Any:
        """Takes the turn and opens a transaction; its cursor.

        Raises:
            StoreBusy: no turn within `wait_s`, or `ends` said so.
            StoreError: the database failed.
        """

    def commit(self, cursor: Any) -> None:
        """Makes the transaction last. Raises: the driver's errors."""

    def stands(self, event_id: str) -> bool:
        """Whether an event was stored by a commit that failed: a connection may be cut between the
        commit and the word of it. Raises: StoreError (nobody can tell now)."""

    def undo(self, cursor: Any) -> None:
        """Undoes the transaction; never raises for a database that is gone."""

    def end(self) -> None:
        """Gives the turn back."""

    def tidy(self) -> None:
        """What is to be done now and then after a commit; never raises."""

    def exclusive(self, wait_s: float, ends: Callable[[], bool]) -> AbstractContextManager[Any]:
        """The connection in its turn without a transaction, for maintenance. Raises: as `begin`."""

    def close(self) -> None:
        """Closes the connection; the next use opens one. Raises: StoreError."""


class SideWriting(Protocol):
    """Writes side tables, whose last half second a power cut may take."""

    def run(self, sql: str, values: tuple[object, ...]) -> int:
        """One statement on its own; the number of rows it changed. Raises: StoreError."""

    def close(self) -> None:
        """Closes the connection; the next use opens one. Raises: StoreError."""


class Probe(Protocol):
    """A long-lived look at whether there may be something new."""

    def version(self) -> int:
        """A number that changes with each commit. Raises: StoreError."""

    def close(self) -> None:
        """Ends it; never raises."""


class Watch(Protocol):
    """Wakes a poll early, in a thread of its own."""

    def start(self) -> None:
        """Begins."""

    def stop(self) -> None:
        """Ends the thread soon."""


@dataclass(frozen=True)
class Measured:
    """How a database is, as far as it tells itself."""

    size_bytes: int
    journal: str | None = None
    """Of a file: `wal`, or `delete` where the file system has no shared memory."""
    server: str | None = None
    """Kind and version of a server."""
    sealed: bool = True
    """Whether nobody between here and there can read along."""


class Backend(Protocol):
    """One database as one process uses it. Safe from several threads."""

    name: str
    """What messages call it: a path, or a URL without its password."""
    dialect: Dialect
    log: Writing
    side: SideWriting

    @property
    def path(self) -> Path:
        """The file. Raises: Invalid (there is none, code `no_file`)."""

    def generation(self) -> int:
        """Changes when another database has taken the place. Raises: StoreBroken (it is gone)."""

    def exists(self) -> bool:
        """Whether there is a database with anything in it."""

    def engine(self) -> Engine:
        """Connections that read. Raises: StoreError."""

    def prepare(self, waits: Waits, wait_s: float) -> None:
        """Creates or migrates the database once; cheap afterwards. Raises: StoreError."""

    def probe(self) -> Probe:
        """Raises: StoreError."""

    def watch(self, wake: Callable[[], None], failed: Callable[[str], None]) -> Watch:
        """`failed` gets the reason where nothing can wake the poll."""

    def pause_s(self, interval_s: float) -> float:
        """How long a poll may rest that is to look each `interval_s`."""

    def measure(self, tx: Session) -> Measured:
        """Size and kind. Raises: DBAPIError."""

    def writable(self) -> bool:
        """Whether this process may append events. Raises: StoreError."""

    def backup(self, tx: Session, target: Path) -> None:
        """Copies the database into a new file, consistent while others write.

        Raises:
            Invalid: the server's own tools do that (code `no_file`). StoreError.
        """

    def check(self, tx: Session) -> list[str]:
        """What the database's own check finds, empty when it is sound."""

    def close(self) -> None:
        """Closes all connections; the next use opens them again."""
