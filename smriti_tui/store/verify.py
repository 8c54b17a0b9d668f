"""Proving the log: chains, gaps, heads, and a refold of all tables compared row by row.

What it proves: no event was changed, removed, inserted or moved since it was written, as far as the
log itself can tell, and the tables are what the log says. Who rewrites every hash is only found
against an anchor kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import family
from smriti_tui.domain.values import sha256
from smriti_tui.store import schema
from smriti_tui.store.dialect import SET_HEAD, Dialect, dialect_of, rows_of
from smriti_tui.store.engine import driver
from smriti_tui.store.envelope import StoredEvent, expected_chain
from smriti_tui.store.log_source import LogSource, holds, of_reading
from smriti_tui.store.projectors import project, project_open
from smriti_tui.store.rows import projected
from smriti_tui.store.statements import Tables
from smriti_tui.store.tails import Query, begin_tail, parent_of
from smriti_tui.store.words import TABLE


@dataclass(frozen=True)
class Difference:
    """The first thing that is wrong: what and where, in one sentence each."""

    what: str
    where: str
    stream: str | None = None
    position: int | None = None


@dataclass
class Fold:
    """State of one pass over the log."""

    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    last: int = 0
    events: int = 0
    redacted: list[int] = field(default_factory=list)
    """Positions of events that a text was taken out of, each told by an event of the log."""
    unknown: dict[str, int] = field(default_factory=dict)
    """Types without a class in this program, with how often they came; never fatal."""


@dataclass(frozen=True)
class Verified:
    """What a verification looked at, and the first difference if there is one."""

    events: int
    streams: int
    rows: int
    unknown: dict[str, int]
    difference: Difference | None
    redacted: tuple[int, ...] = ()
    """Positions of events that a text was taken out of."""
    whole: tuple[int, ...] = ()
    """Of those that a text was taken out of in another store alone: here it still stands."""


def verify(tx: Session) -> Verified:
    """Checks the whole log of a store on one consistent state."""
    dialect = dialect_of(tx)
    shadow = shadow_database(dialect)
    fold = Fold()
    rows = 0
    try:
        difference = fold_log(of_reading(tx), shadow, dialect, fold)
        if difference is None:
            difference, rows = _compare_tables(tx, shadow)
        if difference is None:
            difference = _compare_guards(tx, dialect) or _compare_index(tx, dialect, shadow)
    finally:
        shadow.close()
    whole = tuple(_still_whole(tx)) if difference is None else ()
    heads, redacted = len(fold.heads), tuple(fold.redacted)
    return Verified(fold.events, heads, rows, fold.unknown, difference, redacted, whole)


def _still_whole(tx: Session) -> Iterator[int]:
    sql = (
        "SELECT e.position, e.payload, e.payload_sha256 FROM redacted r "
        "JOIN event e ON e.event_id = r.event_id ORDER BY e.position"
    )
    for position, payload, written in rows_of(tx, sql):
        if sha256(payload) == written:
            yield position


def shadow_database(dialect: Dialect) -> Any:
    """Empty projected tables in SQLite, on disk that goes with the connection."""
    connection = driver().connect("", isolation_level=None)
    schema.create_projections(connection, dialect.shadow.words)
    return connection


def fold_log(source: LogSource, shadow: Any, dialect: Dialect, fold: Fold) -> Difference | None:
    """Folds events after `fold.last` into `shadow`, checking each link; stops at the first
    fault."""
    cursor = shadow.cursor()
    tables = Tables(cursor, dialect.shadow)
    cursor.execute("BEGIN")
    for event in source.events(fold.last):
        difference = _check_link(event, fold, tables, source.query)
        if difference is not None:
            return difference
        difference = _apply(cursor, tables, event, fold)
        if difference is not None:
            return difference
        fold.last = event.position
        fold.events += 1
    cursor.execute("COMMIT")
    return None


def _check_link(event: StoredEvent, fold: Fold, tables: Tables, query: Query) -> Difference | None:
    """Also begins the tail whose first event it is."""
    where = f"event {event.position}, version {event.version} of {event.stream}"
    if (fault := event.fault()) is not None:
        return Difference(f"the event cannot be read: {fault}", where, position=event.position)
    begins = event.is_tail and event.stream not in fold.heads
    version, chain = fold.heads.get(event.stream, (0, ""))
    if event.version != version + 1 and not begins:
        what = f"version {version + 1} of {event.stream} is missing or out of order"
        return Difference(what, where, event.stream, event.position)
    if sha256(event.payload) != event.payload_sha256:
        if not holds(query, event):
            what = "the payload is not what was written (its hash differs)"
            return Difference(what, where, event.stream, event.position)
        fold.redacted.append(event.position)
    if begins:
        parent = parent_of(tables, query, event)
        if parent is None or event.stream != f"{family(event.stream)}~{event.event_id}":
            what = "the tail does not begin with what its name says, or follows nothing here"
            return Difference(what, where, event.stream, event.position)
        begin_tail(tables, query, event, parent)
    elif expected_chain(chain, event) != event.chain_sha256:
        what = "the event does not follow the one before it (its chain hash differs)"
        return Difference(what, where, event.stream, event.position)
    fold.heads[event.stream] = (event.version, event.chain_sha256)
    return None


def _apply(cursor: Any, tables: Tables, event: StoredEvent, fold: Fold) -> Difference | None:
    head = (event.stream, event.version, event.chain_sha256, event.position, event.recorded_at)
    cursor.execute(SET_HEAD, head)
    if "/" not in event.stream and event.stream != "store":
        project_open(tables, event)
        return None
    try:
        typed = event.event()
        if typed is None:
            fold.unknown[event.type] = fold.unknown.get(event.type, 0) + 1
        else:
            project(tables, event, typed)
    except (ValueError, Invalid, driver().Error) as error:
        where = f"event {event.position}, version {event.version} of {event.stream}"
        return Difference(f"the event cannot be folded: {error}", where, event.stream)
    return None


def _compare_tables(tx: Session, shadow: Any) -> tuple[Difference | None, int]:
    counted = 0
    # The heads first: a stream whose end was cut is named as that, not by the rows it wrote.
    for table in sorted(projected.metadata.tables, key=lambda name: (name != "stream_head", name)):
        try:
            difference, rows = _compare(tx, shadow, table)
        except DBAPIError as error:
            if "decode" not in str(error.orig):
                raise
            return Difference("a row holds bytes that are no text", f"table {table}"), counted
        counted += rows
        if difference is not None:
            return difference, counted
    return None, counted


def _compare(tx: Session, shadow: Any, table: str) -> tuple[Difference | None, int]:
    columns = [column.name for column in projected.metadata.tables[table].columns]
    keys = [column.name for column in projected.metadata.tables[table].primary_key]
    sql = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(keys)}"
    kept = iter(tx.connection().execute(text(sql)))
    folded = iter(shadow.execute(sql))
    counted = 0
    while True:
        mine, truth = next(kept, None), next(folded, None)
        if mine is None and truth is None:
            return None, counted
        if mine is None or truth is None or tuple(mine) != tuple(truth):
            return _row_difference(table, columns, keys, mine, truth), counted
        counted += 1


def _compare_guards(tx: Session, dialect: Dialect) -> Difference | None:
    """The triggers: those that keep events from being changed are all there, and no other is."""
    found = {str(name): str(told) for name, told in rows_of(tx, dialect.triggers)}
    for name, sql in dialect.guards.items():
        if found.pop(name, None) != sql:
            return Difference("nothing keeps events from being changed", f"trigger {name}")
    for name in found:
        return Difference("a trigger is there that this program did not make", f"trigger {name}")
    return None


def _compare_index(tx: Session, dialect: Dialect, shadow: Any) -> Difference | None:
    """The words of the search index and the places where they stand."""
    mend = "`smriti log rebuild` makes it anew"
    try:
        where = dialect.words.difference(lambda sql: rows_of(tx, sql), shadow.execute)
        if where is not None:
            what = f"the search index is not what the log says; {mend}"
            return Difference(what, f"table {TABLE}, {where}")
    except (DBAPIError, driver().Error) as error:
        why = getattr(error, "orig", None) or error
        return Difference(f"the search index cannot be read: {why}; {mend}", f"table {TABLE}")
    return None


def _row_difference(
    table: str, columns: list[str], keys: list[str], mine: Any, truth: Any
) -> Difference:
    size = len(keys)
    first_key = [columns.index(key) for key in keys]

    def key_of(row: Any) -> tuple[str, ...]:
        return tuple(str(row[i]) for i in first_key)

    if truth is None or (mine is not None and key_of(mine) < key_of(truth)):
        where = f"table {table}, key {', '.join(key_of(mine)[:size])}"
        return Difference(
            "a row is there that no event wrote, or the end of its stream is cut", where
        )
    if mine is None or key_of(mine) > key_of(truth):
        where = f"table {table}, key {', '.join(key_of(truth)[:size])}"
        return Difference("a row that the log tells of is missing", where)
    names = [name for name, a, b in zip(columns, mine, truth, strict=True) if a != b]
    where = f"table {table}, key {', '.join(key_of(truth)[:size])}"
    if table == "stream_head":
        what = f"the stream's end in the log is not the recorded one ({', '.join(names)} differ)"
        return Difference(what, where, stream=str(truth[0]))
    return Difference(f"a row was changed: {', '.join(names)}", where)
