"""Reading the log: by stream or whole, in pages, damaged rows reported and not hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from smriti_tui.store.envelope import SELECT, StoredEvent

PAGE = 500


@dataclass(frozen=True)
class Damaged:
    """A row whose payload cannot be read; its neighbours keep their versions."""

    position: int
    stream: str
    version: int
    reason: str


@dataclass(frozen=True)
class StreamInfo:
    name: str
    version: int
    """Version of its newest event: how many there are, with those that a tail begins after."""
    position: int
    recorded_at: str


def events(tx: Session, sql: str, values: dict[str, object]) -> list[StoredEvent]:
    """The events of a query for `COLUMNS`. A text that is not UTF-8 comes as bytes, so that one
    damaged row does not hide its neighbours; `StoredEvent.fault` tells it."""
    connection = tx.connection()
    try:
        return [StoredEvent(*row) for row in connection.execute(text(sql), values)]
    except DBAPIError as error:
        if "decode" not in str(error.orig):
            raise
    opened: Any = connection.connection.driver_connection
    usual = opened.text_factory
    opened.text_factory = _text_or_bytes
    try:
        return [StoredEvent(*row) for row in connection.execute(text(sql), values)]
    finally:
        opened.text_factory = usual


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


@dataclass(frozen=True)
class EventFilter:
    """Which events of a reading are wanted; all that is given must hold. Times are UTC texts."""

    types: tuple[str, ...] = ()
    actor: str | None = None
    since: str | None = None
    until: str | None = None
    newest: bool = False
    """A limit keeps the newest ones, not the first; they come in the same order."""

    def where(self) -> tuple[str, dict[str, object]]:
        """Further conditions, and their values."""
        names = {f"type{number}": name for number, name in enumerate(self.types)}
        parts = [f"type IN ({', '.join(f':{name}' for name in names)})"] if names else []
        values: dict[str, object] = dict(names)
        for name, sql in (
            ("actor", "actor = :actor"),
            ("since", "recorded_at >= :since"),
            ("until", "recorded_at <= :until"),
        ):
            if (value := getattr(self, name)) is not None:
                parts.append(sql)
                values[name] = value
        return "".join(f" AND {part}" for part in parts), values


ALL = EventFilter()


def read_stream(
    tx: Session,
    stream: str,
    after: int = 0,
    limit: int | None = None,
    wanted: EventFilter = ALL,
) -> Iterator[StoredEvent | Damaged]:
    """Events of a stream with a version greater than `after`, ascending; none for an unknown
    one."""
    return _pages(tx, "stream = :stream AND version", {"stream": stream}, after, limit, wanted)


def read_all(
    tx: Session, after: int = 0, limit: int | None = None, wanted: EventFilter = ALL
) -> Iterator[StoredEvent | Damaged]:
    """Events of all streams with a position greater than `after`, in order of position."""
    return _pages(tx, "position", {}, after, limit, wanted)


def _pages(
    tx: Session,
    where: str,
    values: dict[str, object],
    after: int,
    limit: int | None,
    wanted: EventFilter,
) -> Iterator[StoredEvent | Damaged]:
    """Pages by what `where` ends with: the version or the position."""
    more, given = wanted.where()
    by = where.rpartition(" ")[2]
    sql = f"{SELECT} WHERE {where} > :after{more} ORDER BY {by}"
    values = {**values, **given}
    if wanted.newest and limit is not None:
        newest = events(tx, f"{sql} DESC LIMIT :size", {**values, "after": after, "size": limit})
        yield from map(_checked, reversed(newest))
        return
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        page = events(tx, f"{sql} LIMIT :size", {**values, "after": after, "size": size})
        yield from map(_checked, page)
        if len(page) < size:
            return
        after = int(getattr(page[-1], by))
        left = None if left is None else left - len(page)


def last_position(tx: Session) -> int:
    """Position of the newest event, 0 for an empty log."""
    found = tx.connection().execute(text("SELECT max(position) FROM event")).scalar()
    return int(found or 0)


def streams(tx: Session) -> list[StreamInfo]:
    """All streams by name."""
    rows = tx.connection().execute(
        text("SELECT stream, version, position, recorded_at FROM stream_head ORDER BY stream")
    )
    return [StreamInfo(*row) for row in rows]


def event_at(tx: Session, stream: str, version: int) -> StoredEvent | None:
    rows = tx.connection().execute(
        text(f"{SELECT} WHERE stream = :stream AND version = :version"),
        {"stream": stream, "version": version},
    )
    row = rows.first()
    return StoredEvent(*row) if row else None


def event_by_id(tx: Session, event_id: str) -> StoredEvent | None:
    rows = tx.connection().execute(text(f"{SELECT} WHERE event_id = :id"), {"id": event_id})
    row = rows.first()
    return StoredEvent(*row) if row else None


def _checked(event: StoredEvent) -> StoredEvent | Damaged:
    reason = event.fault()
    if reason is None:
        try:
            event.body()
        except ValueError as error:
            reason = str(error)
    if reason is None:
        return event
    return Damaged(event.position, f"{event.stream}", event.version, reason)
