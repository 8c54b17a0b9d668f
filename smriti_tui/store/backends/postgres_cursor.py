"""The cursor of a write: statements with `?`, and events that wait for the next way to the
server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.store.backends.postgres_dialect import POSTGRES
from smriti_tui.store.dialect import SET_HEAD, head_of
from smriti_tui.store.envelope import COLUMNS

if TYPE_CHECKING:
    from psycopg import Connection

_NUMBERS: Final = frozenset({"position", "version", "schema_version"})
_NAMES: Final = ", ".join(COLUMNS)
_ON_HEAD: Final = SET_HEAD[SET_HEAD.index("ON CONFLICT") :]
CHANNEL: Final = "smriti"
"""What all readers of a database listen to."""
_TOLD: Final = f"RETURNING pg_notify('{CHANNEL}', '')"
"""Goes out with the commit, once however often it is said."""
_HEADED: Final = (
    "WITH counted AS (UPDATE event_counter SET position = %s), headed AS (INSERT INTO stream_head "
    "(stream, version, chain_sha256, position, recorded_at) "
)
"""The row of the counter is held from here to the commit. A stranger who drew from it out of turn
has the position that this insert wants, and one of the two fails."""
_ONE: Final = (
    f"{_HEADED} VALUES (%s, %s, %s, %s, %s) {_ON_HEAD}) "
    f"INSERT INTO event ({_NAMES}) VALUES ({', '.join(['%s'] * len(COLUMNS))}) {_TOLD}"
)
_LISTS: Final = ", ".join(f"%s::{'bigint' if name in _NUMBERS else 'text'}[]" for name in COLUMNS)
_MANY: Final = (
    f"{_HEADED} SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], "
    f"%s::text[]) {_ON_HEAD}) INSERT INTO event ({_NAMES}) SELECT * FROM unnest({_LISTS}) {_TOLD}"
)


class Cursor:
    """Has what the store asks of a driver's cursor. Events that are queued are inserted before any
    other statement runs, at the latest with the commit."""

    def __init__(self, connection: Connection[tuple[Any, ...]], position: int) -> None:
        """`position` is that of the log's newest event."""
        self.connection = connection
        self._cursor = connection.cursor()
        self._position = position
        self._queued: list[tuple[object, ...]] = []

    def queue(self, values: tuple[object, ...]) -> int:
        """Takes an event, all its columns but the position, which it returns."""
        self._queued.append(values)
        return self._position + len(self._queued)

    def execute(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Runs a statement; the driver's cursor, which has its rows."""
        if self._queued:
            self.flush()
        return self._cursor.execute(POSTGRES.marked(sql), values)

    def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        if self._queued:
            self.flush()
        self._cursor.executemany(POSTGRES.marked(sql), rows)

    def fetchone(self) -> Any:
        return self._cursor.fetchone()

    def fetchall(self) -> Any:
        return self._cursor.fetchall()

    @property
    def has_queued(self) -> bool:
        """Whether events wait."""
        return bool(self._queued)

    def flush(self) -> None:
        """Inserts what is queued, with the heads of its streams and the counter, in one statement.

        Raises:
            psycopg's errors.
        """
        self._cursor.execute(*self.take())

    def take(self) -> tuple[str, tuple[object, ...]]:
        """The statement for what is queued, which is no longer, and its values."""
        rows = [(self._position + i, *event) for i, event in enumerate(self._queued, 1)]
        self._position += len(rows)
        self._queued = []
        # The newest of each stream.
        heads = {head[0]: head for head in map(_head, rows)}
        if len(rows) == 1:
            return _ONE, (self._position, *_head(rows[0]), *rows[0])
        columns = [*zip(*heads.values(), strict=True), *zip(*rows, strict=True)]
        return _MANY, (self._position, *map(list, columns))


def _head(row: tuple[object, ...]) -> tuple[object, ...]:
    stream, version, chain, recorded_at = head_of(row[1:])
    return stream, version, chain, row[0], recorded_at
