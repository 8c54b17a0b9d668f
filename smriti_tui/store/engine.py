"""Connections: which SQLite, which pragmas, who may write (DESIGN section 4, 10.23)."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import QueuePool
from sqlmodel import Session

from smriti_tui.domain.errors import Invalid
from smriti_tui.store.faults import store_error
from smriti_tui.store.past import look_back

Tx: TypeAlias = Session
"""One short read on one consistent state; see `reading`."""

BUSY_MS = 250
"""One wait of SQLite for its own lock; the door repeats it up to its time limit."""

NO_SHARED_MEMORY = ("disk i/o error", "locking protocol", "unable to open")
"""What SQLite says where the files of a write-ahead log cannot be shared."""

WAL_BYTES = 4 * 1024 * 1024
"""Size of the write-ahead file past which the door empties it, and to which SQLite cuts one that
grew larger when it begins it anew."""


def driver() -> ModuleType:
    """The DB-API module: the wheel that carries a sound SQLite, else the standard library's."""
    try:
        import pysqlite3.dbapi2
    except ImportError:
        return sqlite3
    module: ModuleType = pysqlite3.dbapi2
    return module


def database_path(url: str) -> Path:
    """The file of a path or `sqlite:///` URL.

    Raises:
        Invalid: another kind of URL, or it names no file.
    """
    if "://" not in url:
        return _file(url)
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise Invalid(
            f"{url!r} is no database URL.", "Give a file path or sqlite:///PATH."
        ) from error
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        raise Invalid(
            f"Databases of the kind {parsed.drivername!r} are not supported yet.",
            "Give a file path or sqlite:///PATH.",
        )
    return _file(parsed.database)


def _file(said: str) -> Path:
    try:
        path = Path(said).expanduser().absolute()
    except RuntimeError as error:  # ~nobody
        raise Invalid(f"{said!r} names no file: {error}", "Give its whole path.") from error
    if not path.name or "\0" in said:
        raise Invalid(f"{said!r} names no file.", "Give its whole path.")
    return path


def _connect(path: Path) -> Any:
    return driver().connect(
        str(path), isolation_level=None, timeout=BUSY_MS / 1000, check_same_thread=False
    )


def open_writer(path: Path, synchronous: str) -> Any:
    """A driver connection that may write; `synchronous` is FULL (the log) or NORMAL (side tables).

    Raises:
        StoreError: the file cannot be opened or is no database.
    """
    try:
        connection = _journaled(path)
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute(f"PRAGMA journal_size_limit={WAL_BYTES}")
        connection.execute(f"PRAGMA synchronous={synchronous}")
    except (driver().Error, OSError) as error:
        raise store_error(error, str(path)) from error
    return connection


def _journaled(path: Path) -> Any:
    """A connection with a write-ahead log, where the file system has the shared memory for it; else
    with a rollback journal, which works on any."""
    connection = _connect(path)
    # Only after the first use it is known which one the file has.
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    if mode != "wal" and _shares_memory(path):
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
    return connection


def _shares_memory(path: Path) -> bool:
    """Whether a write-ahead log works beside `path`: tried on a file of its own, since a database
    that has none of it is not led out of that mode while others read it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    try:
        with contextlib.closing(_connect(Path(name))) as trial:
            trial.execute("PRAGMA journal_mode=WAL").fetchone()
            trial.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except driver().OperationalError as error:
        if not any(word in str(error).lower() for word in NO_SHARED_MEMORY):
            raise
        return False
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{name}{end}").unlink(missing_ok=True)
    return True


def open_reader(path: Path, at: int | None = None) -> Any:
    """A driver connection that cannot write and creates no file; with `at` it sees what was after
    the event of that position.

    A write-ahead log needs files beside the database. In a folder that may not be written, where
    there are none, nobody has it open: there it is read as a file that does not change.

    Raises:
        the driver's errors.
    """
    how = "immutable=1" if unchanging(path) else "mode=rw"
    connection = driver().connect(
        f"{path.as_uri()}?{how}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_MS / 1000,
        check_same_thread=False,
    )
    if at is not None:
        look_back(connection, at)
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    return connection


def unchanging(path: Path) -> bool:
    """Whether nobody can write the database now, so that it is read as a file that stays as it is.
    A connection of that kind never sees what is written once it can be."""
    beside = any(path.with_name(path.name + end).exists() for end in ("-wal", "-shm"))
    return not beside and not os.access(path.parent, os.W_OK)


def reading_engine(path: Path, at: int | None = None) -> Engine:
    """An engine whose connections cannot write, whatever an ORM session is asked to flush."""
    return _engine(lambda: open_reader(path, at))


def memory_engine(build: Callable[[Any], None]) -> Engine:
    """An engine whose connections each have a database of their own in memory, filled by `build`:
    what a file that does not exist answers from."""

    def connect() -> Any:
        connection = driver().connect(":memory:", isolation_level=None, check_same_thread=False)
        build(connection)
        connection.execute("PRAGMA query_only=ON")
        return connection

    return _engine(connect)


def _engine(connect: Callable[[], Any]) -> Engine:
    engine = create_engine("sqlite://", module=driver(), creator=connect, poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


@contextlib.contextmanager
def reading(engine: Engine, where: str) -> Iterator[Session]:
    """One short read on one consistent state; rows must not leave it.

    Raises:
        StoreError: the database failed.
    """
    try:
        with Session(engine, expire_on_commit=False) as session:
            yield session
    except DBAPIError as error:
        raise store_error(error.orig or error, where) from error


def private_folder(folder: Path) -> None:
    """Makes `folder` for its owner alone, if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(OSError(f"unable to open: {error.strerror}"), str(folder)) from error


def private_file(path: Path) -> None:
    """Creates an empty file with mode 0600 if it is missing; SQLite keeps the mode for its
    others.

    One that is there is never opened here: closing it again would drop all locks that this
    process's connections hold on it, and the next program that leaves the database would take the
    write-ahead log away from under them.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC
    try:
        os.close(os.open(os.path.realpath(path), flags, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise store_error(OSError(f"unable to open: {error.strerror}"), str(path)) from error
