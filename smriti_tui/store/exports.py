"""What only an export reads: the events of a selection in one pass, and who owns a session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import text
from sqlmodel import Session, col, select

from smriti_tui.domain.ids import (
    STORE_STREAM,
    BranchId,
    CheckpointId,
    SessionId,
    SpaceId,
)
from smriti_tui.domain.model import Line
from smriti_tui.store.envelope import SELECT, StoredEvent
from smriti_tui.store.readlog import StreamInfo, streams
from smriti_tui.store.rows import LineRow, SessionRow

ROWS = 100
"""Events held at a time; one may be as large as a payload can be."""

_FAMILY = (
    "SELECT f.family FROM tail f WHERE f.subject = :session UNION SELECT t.stream FROM tail t JOIN "
    "tail f ON f.family = t.family WHERE f.subject = :session OR t.family = :stream"
)
"""Of a session that came apart in two stores: all of it, since a tail begins in the middle."""


@dataclass(frozen=True)
class EventScope:
    """Which streams: all but the store's own, those of a Space, or one session's."""

    space: SpaceId | None = None
    session: SessionId | None = None
    branch: BranchId | None = None
    """Of a Space's sessions, those on this branch."""
    with_space: bool = True
    with_sessions: bool = True


def events(tx: Session, scope: EventScope) -> Iterator[StoredEvent]:
    """The events of a selection in order of position, damaged ones too, a few rows at a time."""
    where, order, values = _where(scope)
    query = text(f"{SELECT} WHERE {where} ORDER BY {order}")
    rows = tx.connection().execute(query, values, execution_options={"yield_per": ROWS})
    for row in rows:
        yield StoredEvent(*row)


def _where(scope: EventScope) -> tuple[str, str, dict[str, object]]:
    """Condition, order and bound values.

    `stream || ''` keeps the planner on the order of position: through the index of streams it would
    sort whole rows.
    """
    if scope.session is not None:
        own: dict[str, object] = {"session": scope.session, "stream": f"session/{scope.session}"}
        return f"stream = :stream OR stream IN ({_FAMILY})", "position", own
    if scope.space is None:
        some = "" if scope.with_sessions else " AND stream NOT LIKE 'session/%'"
        return f"stream <> :store{some}", "position", {"store": STORE_STREAM}
    parts = ["1 = 0"]
    values: dict[str, object] = {}
    if scope.with_space:
        values |= {kind: f"{kind}/{scope.space}" for kind in ("space", "claims", "worktrees")}
        values["subject"] = scope.space
        parts.append("stream || '' IN (:space, :claims, :worktrees)")
        parts.append("stream || '' IN (SELECT stream FROM tail WHERE subject = :subject)")
    if scope.with_sessions:
        values["owner"] = scope.space
        mine = "SELECT 'session/' || id FROM session WHERE space = :owner"
        if scope.branch is not None:
            values["branch"] = scope.branch
            mine += " AND branch = :branch"
        parts.append(f"stream || '' IN ({mine})")
        tails = mine.replace("'session/' || id", "id")
        parts.append(f"stream || '' IN (SELECT stream FROM tail WHERE subject IN ({tails}))")
    return " OR ".join(parts), "position", values


def session_spaces(tx: Session) -> dict[str, str | None]:
    """The Space of every session there ever was, None for those in none."""
    rows = tx.execute(select(SessionRow.id, SessionRow.space)).all()
    return {row[0]: row[1] for row in rows}


def lines(tx: Session, session: SessionId) -> list[Line]:
    """All lines of a session, ascending."""
    rows = tx.exec(
        select(LineRow).where(col(LineRow.session) == session).order_by(col(LineRow.line))
    )
    return [
        Line(
            session,
            row.line,
            CheckpointId(row.anchor) if row.anchor else None,
            row.history_base_seq,
        )
        for row in rows
    ]


def open_streams(tx: Session) -> list[StreamInfo]:
    """The streams that a team uses for its own process, by name."""
    found = streams(tx)
    return [info for info in found if "/" not in info.name and info.name != STORE_STREAM]
