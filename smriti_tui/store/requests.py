"""Stored requests: what was sent, found again by id, answer or stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import tuple_
from sqlmodel import Session as Tx
from sqlmodel import col, select

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.events import RequestStored
from smriti_tui.domain.ids import RequestId, SessionId, short
from smriti_tui.store.log_source import holds, of_reading
from smriti_tui.store.readlog import event_at
from smriti_tui.store.rows import RequestRow, StreamTextRow, TurnRow
from smriti_tui.store.sessions import stream_of

PAGE = 500


@dataclass(frozen=True)
class StoredRequest:
    stream: str
    position: int
    """Of the event that holds it."""
    recorded_at: str
    answer: int | None
    event: RequestStored
    status: str | None = None
    """How it ended; None also for all of the chat, whose answers tell."""


def request(tx: Tx, request_id: RequestId) -> StoredRequest:
    """Raises: SmritiError (code `context_broken`) when row or event is missing, damaged, or they do
    not belong together."""
    row = tx.get(RequestRow, request_id)
    if row is None:
        raise _broken(f"there is no request {short(request_id)}")
    stored = event_at(tx, row.stream, row.version)
    if stored is None or not holds(of_reading(tx).query, stored):
        raise _broken(f"the event of request {short(row.id)} is missing or damaged")
    try:
        event = stored.event()
    except (ValueError, Invalid) as error:
        raise _broken(f"the event of request {short(row.id)} cannot be read") from error
    if not isinstance(event, RequestStored) or event.request != row.id:
        raise _broken(f"the row of request {short(row.id)} leads to another event")
    if row.context_sha256 != event.context_sha256 or row.model != event.model:
        raise _broken(f"the row of request {short(row.id)} is not what its event says")
    return StoredRequest(
        row.stream, stored.position, stored.recorded_at, row.answer, event, row.status
    )


def _broken(what: str) -> SmritiError:
    return SmritiError(
        f"A stored request does not hold: {what}.",
        "Run `smriti log verify`.",
        code="context_broken",
    )


def stream_of_request(tx: Tx, request_id: RequestId) -> str | None:
    """The stream that a request lies in."""
    row = tx.get(RequestRow, request_id)
    return row.stream if row else None


def answers_asked(tx: Tx, session: SessionId | None) -> Iterator[tuple[SessionId, int, RequestId]]:
    """Every answer (of a session) that a model was asked for, with its request, in order."""
    turn = (col(TurnRow.session), col(TurnRow.sequence_number))
    query = select(TurnRow.session, TurnRow.sequence_number, TurnRow.request).where(
        col(TurnRow.request).is_not(None)
    )
    if session is not None:
        query = query.where(turn[0] == session)
    after = ("", 0)
    while True:
        page = tx.execute(query.where(tuple_(*turn) > after).order_by(*turn).limit(PAGE)).all()
        for row in page:
            yield SessionId(row[0]), int(row[1]), RequestId(row[2])
        if len(page) < PAGE:
            return
        after = (page[-1][0], page[-1][1])


def without_answer(tx: Tx, session: SessionId | None) -> list[RequestId]:
    """Requests (of a session) that no answer names: those for drafts and the like."""
    named = select(TurnRow.request).where(col(TurnRow.request).is_not(None))
    query = select(RequestRow.id).where(col(RequestRow.id).not_in(named))
    if session is not None:
        query = query.where(col(RequestRow.stream) == stream_of(tx, f"session/{session}"))
    return [RequestId(row[0]) for row in tx.execute(query.order_by(col(RequestRow.id)))]


def texts(tx: Tx, stream: str, digests: set[str]) -> dict[str, str]:
    """Those of the texts that the stream holds, by their hash."""
    place = (col(StreamTextRow.stream), col(StreamTextRow.sha256))
    query = select(StreamTextRow.sha256, StreamTextRow.text)
    rows = tx.execute(query.where(place[0] == stream_of(tx, stream), place[1].in_(digests)))
    return {row[0]: row[1] for row in rows}
