"""What differs in the SQL of the two back ends, so that each query is written once.

Statements stand in SQLite's words with `?` for a value; those that the other back end has no same
word for ask the dialect of the connection that they run on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final, Protocol

from sqlmodel import Session as Tx

from smriti_tui.store.envelope import COLUMNS
from smriti_tui.store.words import Fts5, Words

SET_HEAD = (
    "INSERT INTO stream_head (stream, version, chain_sha256, position, recorded_at) "
    "VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET version = excluded.version, "
    "chain_sha256 = excluded.chain_sha256, position = excluded.position, "
    "recorded_at = excluded.recorded_at"
)
INSERT_EVENT: Final = (
    f"INSERT INTO event ({', '.join(COLUMNS[1:])}) VALUES ({', '.join('?' * (len(COLUMNS) - 1))})"
)
CHANGE: Final = "UPDATE event SET payload = ? WHERE position = ?"
head_of: Final = itemgetter(
    *(COLUMNS.index(name) - 1 for name in ("stream", "version", "chain_sha256", "recorded_at"))
)
"""Of the columns of an event but the position, those that its stream's head repeats."""


class Dialect(Protocol):
    """The words of one kind of database."""

    name: str
    words: Words
    guards: Mapping[str, str]
    """The triggers that keep events from being changed, by name."""
    triggers: str
    """A query for the name and text of every trigger."""

    @property
    def shadow(self) -> Dialect:
        """That of the database aside in which verify and rebuild fold the log."""

    def append(self, cursor: Any, values: tuple[object, ...]) -> int:
        """Inserts an event, all its columns but the position, and makes it its stream's head; its
        position."""

    def marked(self, sql: str) -> str:
        """`sql` with the driver's marks in place of `?`."""

    def insert_numbered(self, table: str, columns: tuple[str, ...]) -> str:
        """Inserts a row whose key counts the rows; `number` is that key then."""

    def number(self, cursor: Any) -> int:
        """What the insert before gave."""

    def field(self, column: str, name: str) -> str:
        """A field of a JSON text, as text."""

    def fields(self, column: str, paths: Sequence[str]) -> str:
        """Fields of a JSON text (`name` or `name.inner`) as a JSON list; null for a damaged one."""

    def unsought(self, column: str) -> str:
        """A column by whose index the planner is not to look for rows."""

    def renew_guards(self, cursor: Any) -> None:
        """Puts the guards in the place of whatever triggers are there, in the caller's
        transaction."""

    def change_events(self, cursor: Any, changes: Sequence[tuple[str, int]]) -> None:
        """Gives the events of positions other payloads. The guards are not there then: the caller
        renews them in the same transaction."""

    def wipe(self, connection: Any) -> bool:
        """Rewrites the files, so that they hold no byte of what was changed or deleted; False while
        another program keeps them from it. Raises: the driver's errors."""


class Sqlite:
    """SQLite, with the words of the search in an FTS5 table or, aside, in another one."""

    name = "sqlite"
    guards: Mapping[str, str] = {
        f"event_never_{what.lower()}": f"CREATE TRIGGER event_never_{what.lower()} BEFORE {what} "
        "ON event BEGIN SELECT RAISE(ABORT, 'events never change'); END"
        for what in ("UPDATE", "DELETE")
    }
    triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"

    def __init__(self, words: Words) -> None:
        self.words = words

    @property
    def shadow(self) -> Dialect:
        return self

    def append(self, cursor: Any, values: tuple[object, ...]) -> int:
        cursor.execute(INSERT_EVENT, values)
        position = int(cursor.lastrowid)
        stream, version, chain, recorded_at = head_of(values)
        cursor.execute(SET_HEAD, (stream, version, chain, position, recorded_at))
        return position

    def marked(self, sql: str) -> str:
        return sql

    def insert_numbered(self, table: str, columns: tuple[str, ...]) -> str:
        return inserting(table, columns)

    def number(self, cursor: Any) -> int:
        return int(cursor.lastrowid)

    def field(self, column: str, name: str) -> str:
        return f"json_extract({column}, '$.{name}')"

    def fields(self, column: str, paths: Sequence[str]) -> str:
        listed = ", ".join(f"'$.{path}'" for path in paths)
        return f"CASE WHEN json_valid({column}) THEN json_extract({column}, {listed}) END"

    def unsought(self, column: str) -> str:
        return f"+{column}"

    def change_events(self, cursor: Any, changes: Sequence[tuple[str, int]]) -> None:
        cursor.execute("DROP TRIGGER IF EXISTS event_never_update")
        cursor.executemany(CHANGE, changes)

    def wipe(self, connection: Any) -> bool:
        connection.execute("VACUUM")
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def renew_guards(self, cursor: Any) -> None:
        for name, _ in cursor.execute(self.triggers).fetchall():
            quoted = name.replace('"', '""')
            cursor.execute(f'DROP TRIGGER "{quoted}"')
        for sql in self.guards.values():
            cursor.execute(sql)


@cache
def inserting(table: str, columns: tuple[str, ...]) -> str:
    """An INSERT of one row."""
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"


SQLITE: Final[Dialect] = Sqlite(Fts5())


def dialect_of(tx: Tx) -> Dialect:
    """The dialect of the database that is read."""
    if tx.connection().dialect.name == SQLITE.name:
        return SQLITE
    # Loaded by then: the connection is one of the other back end.
    from smriti_tui.store.backends.postgres_dialect import POSTGRES

    return POSTGRES


def rows_of(tx: Tx, sql: str, values: Sequence[object] = ()) -> Any:
    """The rows of a query with `?`, past all that SQLAlchemy does for a text of its own."""
    return tx.connection().exec_driver_sql(dialect_of(tx).marked(sql), tuple(values))
