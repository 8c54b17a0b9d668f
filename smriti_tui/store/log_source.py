"""Where a fold reads the log: in a read of its own, or in the transaction that changed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import EventRedacted
from smriti_tui.domain.values import sha256
from smriti_tui.store import readlog
from smriti_tui.store.dialect import rows_of
from smriti_tui.store.envelope import SELECT, StoredEvent
from smriti_tui.store.tails import Query

PAGE: Final = 1000
_SQL: Final = f"{SELECT} WHERE position > "


@dataclass(frozen=True)
class LogSource:
    """The events, and queries on the database that holds them."""

    page: Callable[[int], list[StoredEvent]]
    """Up to `PAGE` events after a position."""
    query: Query

    def events(self, after: int) -> Iterator[StoredEvent]:
        """All events after a position."""
        while True:
            page = self.page(after)
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].position


def of_reading(tx: Session) -> LogSource:
    """A damaged row comes with what is wrong (`readlog.events`)."""
    sql = f"{_SQL}:after ORDER BY position LIMIT :size"

    def query(sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in rows_of(tx, sql, values)]

    return LogSource(lambda after: readlog.events(tx, sql, {"after": after, "size": PAGE}), query)


def of_cursor(cursor: Any) -> LogSource:
    """What the transaction of this cursor has written is in it."""
    sql = f"{_SQL}? ORDER BY position LIMIT ?"

    def query(sql: str, values: Sequence[object]) -> Any:
        return cursor.execute(sql, tuple(values)).fetchall()

    return LogSource(lambda after: [StoredEvent(*row) for row in query(sql, (after, PAGE))], query)


def holds(query: Query, event: StoredEvent) -> bool:
    """Whether a payload is what was written, or what a redaction left of it."""
    now = sha256(event.payload)
    return now == event.payload_sha256 or _is_backed(query, event.event_id, now)


def _is_backed(query: Query, event_id: str, now: str) -> bool:
    """The log itself has to say so, not the table that tells where. Where stores came together that
    had redacted it each in its own way, the newest event that says so is the other's."""
    newest = f"{SELECT} WHERE event_id = (SELECT by_event FROM redacted WHERE event_id = ?)"
    every = f"{SELECT} WHERE type = ? AND payload LIKE ?"
    if any(_says(StoredEvent(*row), event_id, now) for row in query(newest, (event_id,))):
        return True
    found = query(every, (EventRedacted.TYPE, f"%{event_id}%"))
    return any(_says(StoredEvent(*row), event_id, now) for row in found)


def _says(by: StoredEvent, event_id: str, now: str) -> bool:
    """Whether an event tells that this is what is left of another."""
    if sha256(by.payload) != by.payload_sha256:
        return False
    try:
        said = by.event()
    except (ValueError, Invalid):
        return False
    return isinstance(said, EventRedacted) and any(
        (each.event_id, each.sha256) == (event_id, now) for each in said.events
    )
