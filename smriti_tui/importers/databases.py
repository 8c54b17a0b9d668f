"""SQLite files of other tools: opened to read alone, told apart by their tables."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.imported import Skipped, Thread, Tool
from smriti_tui.importers.files import SourceFile, unreadable

Row = dict[str, Any]
BESIDE: Final = ("-wal", "-shm")
LLM_OLD: Final = frozenset({"responses", "conversations"})
LLM_NEW: Final = frozenset({"threads", "turns", "messages", "parts"})
SMRITI: Final = frozenset({"repos", "commits", "chat_sessions", "turn_events"})


@dataclass(frozen=True)
class Database:
    """A database of another tool, of which no column is sure."""

    connection: sqlite3.Connection
    tables: dict[str, frozenset[str]]
    """The columns of each table."""

    def has(self, table: str, column: str) -> bool:
        return column in self.tables.get(table, frozenset())

    def rows(
        self, table: str, names: Sequence[str], rest: str = "", values: Sequence[object] = ()
    ) -> Iterator[Row]:
        """Rows with the named columns; one that the table does not have is None. `rest` is what
        follows the table's name.

        Raises: SmritiError (it is damaged).
        """
        there = self.tables.get(table)
        if there is None:
            return
        listed = ", ".join(f'"{name}"' if name in there else f'NULL AS "{name}"' for name in names)
        sql = f'SELECT {listed} FROM "{table}" {rest}'
        try:
            cursor = self.connection.execute(sql, tuple(values))
            while page := cursor.fetchmany(500):
                yield from (dict(zip(names, row, strict=True)) for row in page)
        except sqlite3.Error as error:
            raise SmritiError(
                f"The table {table} cannot be read: {error}.",
                "What was read before it is imported; a copy of the file may be sound.",
            ) from error


@contextmanager
def opened(file: SourceFile) -> Iterator[Database]:
    """A database to read, never to write: not even beside it.

    Raises:
        Invalid: it is none, or damaged. SmritiError: it cannot be read.
    """
    with ExitStack() as held:
        try:
            database = _looked_into(file.path, held)
        except sqlite3.OperationalError:
            # Its write-ahead log cannot be opened to read alone, as in a folder of somebody else's.
            database = _looked_into(_copied(file, held), held, file)
        except sqlite3.DatabaseError as error:
            raise _damaged(file, error) from error
        yield database


def _looked_into(path: Path, held: ExitStack, told: SourceFile | None = None) -> Database:
    try:
        connection = held.enter_context(closing(_connect(path)))
        return Database(connection, _tables(connection))
    except sqlite3.Error as error:
        if told is None:
            raise
        raise _damaged(told, error) from error


def _copied(file: SourceFile, held: ExitStack) -> Path:
    folder = held.enter_context(tempfile.TemporaryDirectory(prefix="smriti-import-"))
    copy = Path(folder) / "copy.db"
    try:
        shutil.copyfile(file.path, copy)
        for ending in BESIDE:
            beside = Path(f"{file.path}{ending}")
            if beside.exists():
                shutil.copyfile(beside, f"{copy}{ending}")
    except OSError as error:
        raise unreadable(file.name, error) from error
    return copy


def _damaged(file: SourceFile, error: sqlite3.Error) -> Invalid:
    return Invalid(
        f"{file.name} is no sound database: {error}.", "Make a copy with its own tool.",
        code="unknown_format",
    )  # fmt: skip


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    # What is no UTF-8 becomes lone surrogates, which the store repairs.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    connection.execute("PRAGMA query_only = 1")
    return connection


def _tables(connection: sqlite3.Connection) -> dict[str, frozenset[str]]:
    names = [
        str(row[0])
        for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return {
        name: frozenset(
            str(row[1]) for row in connection.execute("SELECT * FROM pragma_table_info(?)", (name,))
        )
        for name in names
    }


def tool_of(file: SourceFile) -> Tool:
    """The tool whose tables a database has. Raises: Invalid (code `unknown_format`)."""
    with opened(file) as database:
        names = set(database.tables)
        if names >= LLM_OLD or names >= LLM_NEW:
            return "llm"
        columns = ("chat_id", "role", "content")
        if "chat" in names and all(database.has("message", each) for each in columns):
            return "elia"
        if names >= SMRITI:
            return "smriti"
        found = ", ".join(sorted(names)[:10]) or "none"
        raise Invalid(
            f"{file.name} is a database of no tool that is known; its tables: {found}.",
            "Nothing was imported of it. `smriti import --help` lists the formats.",
            code="unknown_format",
        )


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """The conversations of a database of `llm` or elia. Raises: Invalid, SmritiError."""
    from smriti_tui.importers import elia, llm, llm_threads

    with opened(file) as database:
        names = set(database.tables)
        if "chat" in names:
            yield from elia.threads(file, database)
            return
        newer = names >= LLM_NEW
        if names >= LLM_OLD:
            yield from llm.threads(file, database)
        if newer:
            yield from llm_threads.threads(file, database)
