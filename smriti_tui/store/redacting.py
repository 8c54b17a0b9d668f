"""Taking a text out of the log, the tables, the side tables and the file (DESIGN section 4).

The one place where events are changed. A payload gets marks in the place of the text and keeps its
hash, so every link holds; an event of the same stream says what was changed, and the hash of what
is left. Tables and search index are folded anew in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import EventRedacted, Redacted
from smriti_tui.domain.redaction import Sought
from smriti_tui.domain.values import canonical, sha256
from smriti_tui.store.dialect import Dialect
from smriti_tui.store.engine import driver
from smriti_tui.store.envelope import COLUMNS, SELECT, StoredEvent
from smriti_tui.store.log_source import LogSource
from smriti_tui.store.rebuild import rebuild_in
from smriti_tui.store.scope import WriteScope

ENVELOPE: Final = ("actor", "type", "correlation_id", "causation_id")
"""Columns that the chain is made over: a text that stands there stays."""
SIDE: Final = (
    ("unsent", "text"),
    ("partial", "text"),
    ("partial", "reasoning"),
    ("merge_draft", "answers"),
)
"""Columns of side tables that hold what was typed or came in."""


@dataclass(frozen=True)
class Place:
    """An event whose payload holds the text."""

    event: StoredEvent
    payload: str
    """What it becomes."""


@dataclass(frozen=True)
class Places:
    """Where a text stands."""

    events: tuple[Place, ...]
    fixed: tuple[int, ...]
    """Positions of events that hold it in a column that cannot be changed."""


def find(source: LogSource, sought: Sought) -> Places:
    """Looks through the whole log, a page at a time.

    Raises:
        Invalid: it is part of a stream's name, or what would be left of an event is none of its
            type any more.
    """
    events: list[Place] = []
    fixed: list[int] = []
    for event in source.events(0):
        if sought.stands_in(event.stream):
            raise Invalid(
                f"It is part of the name of a stream ({event.stream}).",
                "Give a text that is no part of an id.",
                code="needed",
            )
        if any(sought.stands_in(getattr(event, name) or "") for name in ENVELOPE):
            fixed.append(event.position)
        if sought.may_stand_in(event.payload):
            left = canonical(sought.cleared(json.loads(event.payload)))
            if left != event.payload:
                events.append(Place(event, _checked(event, left)))
    return Places(tuple(events), tuple(fixed))


def _checked(event: StoredEvent, left: str) -> str:
    """An id that is part of the text cannot be taken out: others name it."""
    probe = StoredEvent(**{**_columns(event), "payload": left})
    try:
        probe.event()
    except (ValueError, Invalid) as error:
        raise Invalid(
            f"Event {event.position} ({event.type}) cannot be without it: {error}",
            "Give a text that is no part of an id or a fixed word.",
            code="needed",
        ) from error
    return left


def _columns(event: StoredEvent) -> dict[str, Any]:
    return {name: getattr(event, name) for name in COLUMNS}


def take_out(scope: WriteScope, dialect: Dialect, places: Places, sought: Sought) -> int:
    """Changes the payloads, says so in each stream, and folds the tables anew; how many rows of
    side tables were changed.

    Raises:
        StoreBroken: the log or what it folds to does not hold; nothing is to be committed.
    """
    cursor = scope.cursor
    dialect.change_events(
        cursor, [(place.payload, place.event.position) for place in places.events]
    )
    by_stream: dict[str, list[Redacted]] = {}
    for place in places.events:
        told = Redacted(place.event.event_id, sha256(place.payload))
        by_stream.setdefault(place.event.stream, []).append(told)
    for stream, events in by_stream.items():
        scope.append(stream, EventRedacted(tuple(events)))
    changed = sum(_clear_side(cursor, *column, sought) for column in SIDE)
    cursor.execute("DELETE FROM view_snapshot")
    rebuild_in(cursor, dialect)
    return changed


def _clear_side(cursor: Any, table: str, column: str, sought: Sought) -> int:
    rows = cursor.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall()
    changed = 0
    for (text,) in rows:
        left = sought.without(text or "")
        if left != (text or ""):
            sql = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"
            changed += cursor.execute(sql, (left, text)).rowcount
    return changed


def in_side_tables(rows: Any, sought: Sought) -> Iterator[str]:
    """Names of the side tables that hold the text; `rows` runs a query."""
    for table, column in SIDE:
        for (text,) in rows(f"SELECT {column} FROM {table}"):
            if sought.stands_in(text or ""):
                yield table
                break


def copy_holds(path: Path, sought: Sought) -> bool:
    """Whether a database's file that nobody has open holds the text in an event or in what was
    typed; False for one of another program. It is left untouched."""
    try:
        opened = driver().connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        with closing(opened) as connection:
            for table, column in (("event", "payload"), *SIDE):
                for (text,) in connection.execute(f"SELECT {column} FROM {table}"):
                    if isinstance(text, str) and sought.stands_in(text):
                        return True
    except driver().Error:
        pass
    return False


def event_of(source: LogSource, position: int) -> StoredEvent | None:
    """The event of a position."""
    for row in source.query(f"{SELECT} WHERE position = ?", (position,)):
        return StoredEvent(*row)
    return None
