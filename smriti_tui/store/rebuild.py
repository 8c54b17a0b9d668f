"""Recreating the tables from the log: folded aside, caught up and swapped under the lock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Boolean
from sqlmodel import Session

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.store import search_index
from smriti_tui.store.database import Store
from smriti_tui.store.dialect import SQLITE, Dialect
from smriti_tui.store.log_source import of_cursor, of_reading
from smriti_tui.store.rows import projected
from smriti_tui.store.verify import Difference, Fold, fold_log, shadow_database

BATCH = 500
_TABLES = frozenset(projected.metadata.tables) - {"search_entry"}


@dataclass(frozen=True)
class Rebuilt:
    events: int
    rows: int


def rebuild(store: Store) -> Rebuilt:
    """Folds the whole log anew and puts the result in place of the tables, or changes nothing.

    Raises:
        StoreBroken: the log itself is damaged; the tables stay as they are.
        StoreBusy, StoreError.
    """
    store.prepare()
    dialect = store.dialect
    shadow = shadow_database(dialect)
    fold = Fold()
    try:
        with store.read() as tx:
            _must_hold(fold_log(of_reading(tx), shadow, dialect, fold))
        with store.log.transaction() as cursor:
            with store.read() as tx:
                _must_hold(fold_log(of_reading(tx), shadow, dialect, fold))
            rows = _swap(cursor, shadow, dialect)
    finally:
        shadow.close()
    return Rebuilt(fold.events, rows)


def rebuild_in(cursor: Any, dialect: Dialect) -> int:
    """The same inside a transaction that has changed the log; the number of rows.

    Raises:
        StoreBroken: the log does not hold; nothing is to be committed then.
    """
    shadow = shadow_database(dialect)
    try:
        _must_hold(fold_log(of_cursor(cursor), shadow, dialect, Fold()))
        return _swap(cursor, shadow, dialect)
    finally:
        shadow.close()


def _must_hold(difference: Difference | None) -> None:
    if difference is not None:
        raise StoreBroken(
            f"The log is damaged: {difference.what} ({difference.where}).",
            "Restore a backup; the tables were left as they are.",
            code="log_damaged",
        )


def refold(tx: Session, cursor: Any) -> None:
    """Folds all tables but the search index anew inside a migration; those that a later revision
    makes are not there yet. A damaged log leaves them as they are: `log verify` names the
    damage."""
    there = cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    names = {name for (name,) in there}
    source = of_reading(tx)
    if "redacted" not in names:
        # No event of then was redacted or came from another store.
        source = replace(source, query=lambda sql, values: ())
    shadow = shadow_database(SQLITE)
    try:
        if fold_log(source, shadow, SQLITE, Fold()) is None:
            _copy(shadow, cursor, _TABLES & names)
    finally:
        shadow.close()


def _copy(shadow: Any, cursor: Any, tables: frozenset[str]) -> int:
    total = 0
    for table in sorted(tables):
        columns = [column.name for column in projected.metadata.tables[table].columns]
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        cursor.execute(f"DELETE FROM {table}")
        source = shadow.execute(f"SELECT {names} FROM {table}")
        flags = _flags(table)
        while rows := source.fetchmany(BATCH):
            typed = [_typed(row, flags) for row in rows] if flags else rows
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", typed)
            total += len(rows)
    return total


def _flags(table: str) -> frozenset[int]:
    """Places of the columns that say yes or no."""
    columns = projected.metadata.tables[table].columns
    return frozenset(i for i, column in enumerate(columns) if isinstance(column.type, Boolean))


def _typed(row: tuple[Any, ...], flags: frozenset[int]) -> tuple[Any, ...]:
    return tuple(bool(value) if i in flags else value for i, value in enumerate(row))


def _swap(cursor: Any, shadow: Any, dialect: Dialect) -> int:
    dialect.renew_guards(cursor)
    total = _copy(shadow, cursor, _TABLES)
    # The index holds no texts that could be copied: it is filled from the log once more.
    dialect.words.renew(cursor)
    return total + search_index.refill(cursor, dialect)
