"""Row changes on the driver's cursor, their SQL made once from the tables.

An ORM session costs 35 times the CPU of driver SQL, a Core statement 17 times (measured), and every
write goes through here. Names of tables and columns come from `store.rows`, never from data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from smriti_tui.store.dialect import Dialect, inserting
from smriti_tui.store.rows import CHANGING, projected

DATED: Final = frozenset(
    name
    for name, table in projected.metadata.tables.items()
    if "since" in table.columns and "until" not in table.columns
)


class Tables:
    """Insert, update, delete and look up rows by key; each O(1)."""

    def __init__(self, cursor: Any, dialect: Dialect) -> None:
        self._cursor = cursor
        self._dialect = dialect
        self.position = 0
        """Of the event whose changes are made."""

    def _dated(self, table: str, row: Mapping[str, object]) -> Mapping[str, object]:
        return {**row, "since": self.position} if table in DATED else row

    def _keep(self, table: str, key: Mapping[str, object]) -> None:
        """Puts what a row is aside, unless this same event made it so."""
        if table in CHANGING:
            sql = _keep(table, tuple(key))
            self._cursor.execute(sql, (self.position, *key.values(), self.position))

    def insert(self, table: str, row: Mapping[str, object]) -> None:
        row = self._dated(table, row)
        self._cursor.execute(inserting(table, tuple(row)), tuple(row.values()))

    def insert_numbered(self, table: str, row: Mapping[str, object]) -> int:
        """Inserts a row into a table whose key counts its rows; the key."""
        sql = self._dialect.insert_numbered(table, tuple(row))
        self._cursor.execute(sql, tuple(row.values()))
        return self._dialect.number(self._cursor)

    def insert_missing(self, table: str, row: Mapping[str, object]) -> None:
        """Inserts unless a row with the same key is there."""
        row = self._dated(table, row)
        self._cursor.execute(
            inserting(table, tuple(row)) + " ON CONFLICT DO NOTHING", tuple(row.values())
        )

    def update(self, table: str, key: Mapping[str, object], row: Mapping[str, object]) -> None:
        if row:
            self._keep(table, key)
            row = self._dated(table, row)
            sql = _update(table, tuple(key), tuple(row))
            self._cursor.execute(sql, (*row.values(), *key.values()))

    def add(self, table: str, key: Mapping[str, object], column: str, amount: int) -> None:
        self._keep(table, key)
        dated = ", since = ?" if table in DATED else ""
        sql = f"UPDATE {table} SET {column} = {column} + ?{dated} WHERE {_where(tuple(key))}"
        moment = (self.position,) if dated else ()
        self._cursor.execute(sql, (amount, *moment, *key.values()))

    def one(
        self, table: str, key: Mapping[str, object], columns: Sequence[str]
    ) -> tuple[Any, ...] | None:
        """The columns of the row with that key."""
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE {_where(tuple(key))}"
        row: tuple[Any, ...] | None = self._cursor.execute(sql, tuple(key.values())).fetchone()
        return row

    def index(self, number: int, text: str) -> None:
        """Puts the words of a text into the search index."""
        self._dialect.words.add(self._cursor, number, text)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """A query of a rule that is checked inside the transaction."""
        found: list[tuple[Any, ...]] = self._cursor.execute(sql, tuple(values)).fetchall()
        return found


@cache
def _update(table: str, key: tuple[str, ...], columns: tuple[str, ...]) -> str:
    changes = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE {_where(key)}"


@cache
def _keep(table: str, key: tuple[str, ...]) -> str:
    names = ", ".join(column.name for column in projected.metadata.tables[table].columns)
    return (
        f"INSERT INTO {table}_past ({names}, until) SELECT {names}, ? FROM {table} "
        f"WHERE {_where(key)} AND since < ?"
    )


@cache
def _where(key: tuple[str, ...]) -> str:
    return " AND ".join(f"{column} = ?" for column in key)
