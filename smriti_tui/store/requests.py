"""Stored requests: what was sent, found again by id, answer or stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlmodel import Session as Tx
from sqlmodel import col, select

from smriti_tui.domain.errors import NotFound, SmritiError
from smriti_tui.domain.events import RequestStored
from smriti_tui.domain.ids import RequestId, SessionId
from smriti_tui.store.readlog import event_at
from smriti_tui.store.rows import RequestRow, StreamTextRow


@dataclass(frozen=True)
class StoredRequest:
    stream: str
    position: int
    """Of the event that holds it."""
    recorded_at: str
    answer: int | None
    event: RequestStored


def request(tx: Tx, request_id: RequestId) -> StoredRequest:
    """Raises: NotFound; SmritiError when the event is missing or damaged."""
    row = tx.get(RequestRow, request_id)
    if row is None:
        raise NotFound(f"There is no request {request_id}.", "Run `smriti log verify`.")
    return _stored(tx, row)


def requests_of(tx: Tx, session: SessionId | None, after: str = "") -> Iterator[StoredRequest]:
    """All requests (of one session), in order of their ids' rows; a page at a time."""
    while True:
        query = select(RequestRow).where(col(RequestRow.id) > after)
        if session is not None:
            query = query.where(col(RequestRow.stream) == f"session/{session}")
        rows = tx.exec(query.order_by(col(RequestRow.id)).limit(200)).all()
        for row in rows:
            yield _stored(tx, row)
        if len(rows) < 200:
            return
        after = rows[-1].id


def _stored(tx: Tx, row: RequestRow) -> StoredRequest:
    stored = event_at(tx, row.stream, row.version)
    event = stored.event() if stored else None
    if stored is None or not isinstance(event, RequestStored):
        raise SmritiError(
            f"The event of request {row.id} is missing or damaged.",
            "Run `smriti log verify`.",
            code="context_broken",
        )
    return StoredRequest(row.stream, stored.position, stored.recorded_at, row.answer, event)


def texts(tx: Tx, stream: str, digests: set[str]) -> dict[str, str]:
    """Those of the texts that the stream holds, by their hash."""
    rows = tx.execute(
        select(StreamTextRow.sha256, StreamTextRow.text).where(
            col(StreamTextRow.stream) == stream, col(StreamTextRow.sha256).in_(digests)
        )
    )
    return {row[0]: row[1] for row in rows}
