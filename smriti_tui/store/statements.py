"""Row changes on the driver's cursor, their SQL made once from the tables.

An ORM session costs 35 times the CPU of driver SQL, a Core statement 17 times (measured), and every
write goes through here. Names of tables and columns come from `store.rows`, never from data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any


class Tables:
    """Insert, update, delete and look up rows by key; each O(1)."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def insert(self, table: str, row: Mapping[str, object]) -> int:
        """Inserts a row; the number is its own in a table whose key is a number."""
        self._cursor.execute(_insert(table, tuple(row)), tuple(row.values()))
        number: int = self._cursor.lastrowid
        return number

    def insert_missing(self, table: str, row: Mapping[str, object]) -> None:
        """Inserts unless a row with the same key is there."""
        self._cursor.execute(
            _insert(table, tuple(row)) + " ON CONFLICT DO NOTHING", tuple(row.values())
        )

    def update(self, table: str, key: Mapping[str, object], row: Mapping[str, object]) -> None:
        if row:
            sql = _update(table, tuple(key), tuple(row))
            self._cursor.execute(sql, (*row.values(), *key.values()))

    def add(self, table: str, key: Mapping[str, object], column: str, amount: int) -> None:
        sql = f"UPDATE {table} SET {column} = {column} + ? WHERE {_where(tuple(key))}"
        self._cursor.execute(sql, (amount, *key.values()))

    def one(
        self, table: str, key: Mapping[str, object], columns: Sequence[str]
    ) -> tuple[Any, ...] | None:
        """The columns of the row with that key."""
        sql = f"SELECT {', '.join(columns)} FROM {table} WHERE {_where(tuple(key))}"
        row: tuple[Any, ...] | None = self._cursor.execute(sql, tuple(key.values())).fetchone()
        return row

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        """A statement that no other method has: those of the search index."""
        self._cursor.execute(sql, tuple(values))

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """A query of a rule that is checked inside the transaction."""
        found: list[tuple[Any, ...]] = self._cursor.execute(sql, tuple(values)).fetchall()
        return found


@cache
def _insert(table: str, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"


@cache
def _update(table: str, key: tuple[str, ...], columns: tuple[str, ...]) -> str:
    changes = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE {_where(key)}"


@cache
def _where(key: tuple[str, ...]) -> str:
    return " AND ".join(f"{column} = ?" for column in key)
