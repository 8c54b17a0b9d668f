"""How a database is: for `doctor`, `status` and the `db` commands. Reading changes nothing."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from smriti_tui.domain.errors import NotFound, StoreError
from smriti_tui.store import schema
from smriti_tui.store.backends.base import Measured
from smriti_tui.store.backends.copied import taken
from smriti_tui.store.database import Store
from smriti_tui.store.disk import NETWORK, file_system
from smriti_tui.store.engine import driver
from smriti_tui.store.faults import store_error

PENDING = ".redacting"
"""Ending of the file that says that bytes of a text may still lie in the database's files."""


def pending_mark(database: Path) -> Path:
    """The file beside a database that is there until a redaction has rewritten it."""
    real = Path(os.path.realpath(database))
    return real.with_name(f"{real.name}{PENDING}")


@dataclass(frozen=True)
class Sqlite:
    """Which SQLite runs, and whether several writers are safe on it by themselves."""

    version: str
    module: str
    sound: bool
    """False: it has the WAL-reset fault, which the write lock keeps out of reach (DESIGN 10.23)."""


@dataclass(frozen=True)
class DatabaseFacts:
    name: str
    """Its path, or its URL without the password."""
    path: Path | None
    """None for one on a server."""
    exists: bool
    size_bytes: int
    mode: int | None
    """Permission bits of the file, None where it is missing."""
    folder_mode: int | None
    schema: str | None
    """Revision of the file, None where it is missing or cannot be read."""
    fault: StoreError | None
    """Why it cannot be read."""
    journal: str | None = None
    """`wal`, or `delete` where the file system has no shared memory; None where it is missing."""
    file_system: str | None = None
    """Its kind, None where the system does not tell."""
    server: str | None = None
    """Kind and version; None for a file, or while it cannot be reached."""
    pending: bool = False
    """Whether a redaction did not get to rewriting its files."""
    sealed: bool = True
    """Whether nobody between here and the server can read along."""

    @property
    def on_network(self) -> bool:
        """Whether other machines may write it too, or locks are not to be relied on."""
        return self.file_system in NETWORK

    @property
    def private(self) -> bool:
        """Whether nobody but its owner can read it: by the file's mode, or by its folder's."""
        return any(mode is None or not mode & 0o077 for mode in (self.mode, self.folder_mode))


def sqlite() -> Sqlite:
    """The SQLite of the driver. Sound: 3.51.3 on, 3.50.7 on within 3.50, 3.44.6 on within 3.44."""
    module = driver()
    version = tuple(int(part) for part in module.sqlite_version.split("."))
    sound = (
        version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    )
    return Sqlite(module.sqlite_version, module.__name__.partition(".")[0], sound)


def facts(store: Store) -> DatabaseFacts:
    """Where it is, permissions, schema and readability. Never raises for a database that is
    broken."""
    path = None if store.on_server else store.path
    there, fault, measured = False, None, Measured(0)
    try:
        there = store.exists()
        if there:
            with store.read() as tx:
                tx.connection().exec_driver_sql("SELECT count(*) FROM stream_head").fetchall()
                measured = store.measure(tx)
    except StoreError as error:
        fault = error
    return DatabaseFacts(
        name=store.name,
        path=path,
        exists=there,
        size_bytes=measured.size_bytes or (path.stat().st_size if path and there else 0),
        mode=_mode(path) if path else None,
        folder_mode=_mode(path.parent) if path else None,
        schema=schema.HEAD if there and fault is None else None,
        fault=fault,
        journal=measured.journal,
        file_system=file_system(path.parent) if path else None,
        server=measured.server,
        pending=path is not None and pending_mark(path).exists(),
        sealed=measured.sealed,
    )


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def check(store: Store) -> list[str]:
    """What the database's own check of it finds, empty when it is sound; slow on a large
    one.

    Raises:
        NotFound: there is no file. StoreError.
    """
    _must_exist(store)
    with store.read() as tx:
        return store.check(tx)


def migrate(store: Store) -> bool:
    """Creates the database or brings it to this program's schema; whether anything was to do.

    Raises:
        StoreError: it is not ours, newer, or cannot be written.
    """
    before = facts(store).schema
    store.prepare()
    return before != schema.HEAD


def backup(store: Store, target: Path) -> int:
    """Copies the database into a new file, consistent while others write; its size in bytes.

    Raises:
        NotFound: there is no database. Conflict: the target exists. StoreError.
    """
    _must_exist(store)
    try:
        there = os.path.lexists(target)
    except OSError as error:  # a name that is too long
        raise store_error(OSError(f"unable to open: {error.strerror}"), str(target)) from error
    if there:
        raise taken(target)
    with store.read() as tx:
        store.backup(tx, target)
    return target.stat().st_size


def _must_exist(store: Store) -> None:
    if not store.exists():
        raise NotFound(
            f"There is no database {store.name} yet.", "`smriti space create NAME` makes it."
        )
