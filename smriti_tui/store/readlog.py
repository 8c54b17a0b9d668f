"""Reading the log: by stream or whole, in pages, damaged rows reported and not hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import text
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
    """Version of its newest event, which is also the number of its events."""
    position: int
    recorded_at: str


def read_stream(
    tx: Session, stream: str, after: int = 0, limit: int | None = None
) -> Iterator[StoredEvent | Damaged]:
    """Events of a stream with a version greater than `after`, ascending; none for an unknown
    one."""
    sql = f"{SELECT} WHERE stream = :stream AND version > :after ORDER BY version LIMIT :size"
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        rows = tx.connection().execute(text(sql), {"stream": stream, "after": after, "size": size})
        page = [StoredEvent(*row) for row in rows]
        yield from map(_checked, page)
        if len(page) < size:
            return
        after = page[-1].version
        left = None if left is None else left - len(page)


def read_all(
    tx: Session, after: int = 0, limit: int | None = None
) -> Iterator[StoredEvent | Damaged]:
    """Events of all streams with a position greater than `after`, in order of position."""
    sql = f"{SELECT} WHERE position > :after ORDER BY position LIMIT :size"
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        rows = tx.connection().execute(text(sql), {"after": after, "size": size})
        page = [StoredEvent(*row) for row in rows]
        yield from map(_checked, page)
        if len(page) < size:
            return
        after = page[-1].position
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


def _checked(event: StoredEvent) -> StoredEvent | Damaged:
    try:
        event.body()
    except ValueError as error:
        return Damaged(event.position, event.stream, event.version, str(error))
    return event
