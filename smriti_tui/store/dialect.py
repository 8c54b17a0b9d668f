"""What differs in the SQL of the two back ends, so that each query is written once.

Statements stand in SQLite's words with `?` for a value; those that the other back end has no same
word for ask the dialect of the connection that they run on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Protocol

from sqlmodel import Session as Tx

from smriti_tui.store.envelope import COLUMNS
from smriti_tui.store.words import Fts5, Words


class Dialect(Protocol):
    """The words of one kind of database."""

    name: str
    words: Words
    insert_event: str
    """Takes all columns but the position, in their order; `number` is the position then."""
    guards: Mapping[str, str]
    """The triggers that keep events from being changed, by name."""
    triggers: str
    """A query for the name and text of every trigger."""

    @property
    def shadow(self) -> Dialect:
        """That of the database aside in which verify and rebuild fold the log."""

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


class Sqlite:
    """SQLite, with the words of the search in an FTS5 table or, aside, in another one."""

    name = "sqlite"
    insert_event = (
        f"INSERT INTO event ({', '.join(COLUMNS[1:])}) "
        f"VALUES ({', '.join('?' * (len(COLUMNS) - 1))})"
    )
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


@cache
def inserting(table: str, columns: tuple[str, ...]) -> str:
    """An INSERT of one row."""
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"


SQLITE: Final[Dialect] = Sqlite(Fts5())


def dialect_of(tx: Tx) -> Dialect:
    """The dialect of the database that is read."""
    return SQLITE


def rows_of(tx: Tx, sql: str, values: Sequence[object] = ()) -> Any:
    """The rows of a query with `?`, past all that SQLAlchemy does for a text of its own."""
    return tx.connection().exec_driver_sql(dialect_of(tx).marked(sql), tuple(values))
