"""Sessions, lines and turns: rows in, domain values out."""

from __future__ import annotations

from typing import TypeVar

from sqlmodel import Session as Tx
from sqlmodel import col, func, select

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import BranchId, CheckpointId, RequestId, SessionId, SpaceId, short
from smriti_tui.domain.model import CopiedFrom, Cost, Fault, Line, LineRun, Session, Turn, Usage
from smriti_tui.store.decoding import decoded
from smriti_tui.store.rows import (
    BranchRow,
    LineRow,
    LineRunRow,
    SessionRow,
    StreamHeadRow,
    TurnRow,
)

T = TypeVar("T")


def session(tx: Tx, session_id: SessionId) -> Session:
    """Raises: NotFound (unknown or deleted)."""
    row = tx.get(SessionRow, session_id)
    if row is None or row.deleted:
        raise NotFound(f"There is no session {short(session_id)}.", "It may have been deleted.")
    return _session(tx, row)


def sessions_of(tx: Tx, space: SpaceId | None, limit: int | None = None) -> list[Session]:
    """Sessions of a Space (None: of no Space), last changed first."""
    query = (
        select(SessionRow)
        .where(col(SessionRow.space) == space, col(SessionRow.deleted).is_(False))
        .order_by(col(SessionRow.changed_position).desc())
    )
    rows = tx.exec(query.limit(limit) if limit else query).all()
    return [_session(tx, row) for row in rows]


def _session(tx: Tx, row: SessionRow) -> Session:
    branch = tx.get(BranchRow, row.branch) if row.branch else None
    return Session(
        id=SessionId(row.id),
        space=SpaceId(row.space) if row.space else None,
        branch=BranchId(row.branch) if row.branch else None,
        title=row.title,
        current_line=row.current_line,
        last_seq=row.last_seq,
        created_at=row.created_at,
        changed_at=row.changed_at,
        branch_name=branch.name if branch else None,
        fork_checkpoint=CheckpointId(row.fork_checkpoint) if row.fork_checkpoint else None,
        fork_session=SessionId(row.fork_session) if row.fork_session else None,
        fork_turn=row.fork_turn,
        model=row.model,
    )


def line(tx: Tx, session_id: SessionId, number: int) -> Line:
    """Raises: NotFound."""
    row = tx.get(LineRow, (session_id, number))
    if row is None:
        raise NotFound(
            f"Session {short(session_id)} has no line {number}.", "Run `smriti log verify`."
        )
    anchor = CheckpointId(row.anchor) if row.anchor else None
    return Line(session_id, row.line, anchor, row.history_base_seq)


def line_runs(tx: Tx, session_id: SessionId) -> list[LineRun]:
    """Which turns lie on which line, ascending; as many rows as there were changes of line."""
    rows = tx.exec(
        select(LineRunRow)
        .where(col(LineRunRow.session) == session_id)
        .order_by(col(LineRunRow.first))
    )
    return [LineRun(row.first, row.last, row.line) for row in rows]


def mounted_sessions(tx: Tx, checkpoint: CheckpointId) -> list[SessionId]:
    """Sessions whose current line is anchored on a checkpoint."""
    rows = tx.execute(
        select(LineRow.session)
        .join(SessionRow, col(SessionRow.id) == col(LineRow.session))
        .where(
            col(LineRow.anchor) == checkpoint,
            col(LineRow.line) == col(SessionRow.current_line),
            col(SessionRow.deleted).is_(False),
        )
    )
    return [SessionId(row[0]) for row in rows]


def turns_between(tx: Tx, session_id: SessionId, first: int, last: int) -> list[Turn]:
    """Turns `first` to `last` of a session, ascending."""
    rows = tx.exec(
        select(TurnRow)
        .where(
            col(TurnRow.session) == session_id,
            col(TurnRow.sequence_number).between(first, last),
        )
        .order_by(col(TurnRow.sequence_number))
    )
    return [to_turn(row) for row in rows]


def newest_turns(
    tx: Tx, session_id: SessionId, line_number: int, above: int, below: int, limit: int
) -> list[Turn]:
    """Up to `limit` turns of a line with `above < number < below`, newest first."""
    rows = tx.exec(
        select(TurnRow)
        .where(
            col(TurnRow.session) == session_id,
            col(TurnRow.line) == line_number,
            col(TurnRow.sequence_number) > above,
            col(TurnRow.sequence_number) < below,
        )
        .order_by(col(TurnRow.sequence_number).desc())
        .limit(limit)
    )
    return [to_turn(row) for row in rows]


def first_turn(tx: Tx, session_id: SessionId, line_number: int, above: int) -> int | None:
    """The lowest number above `above` on a line."""
    found = tx.execute(
        select(func.min(col(TurnRow.sequence_number))).where(
            col(TurnRow.session) == session_id,
            col(TurnRow.line) == line_number,
            col(TurnRow.sequence_number) > above,
        )
    ).scalar()
    return found if found is None else int(found)


def newest_ended_answer(tx: Tx, session_id: SessionId, line_number: int, above: int) -> int | None:
    """The highest number above `above` of an answer of a line that has ended."""
    row = tx.execute(
        select(TurnRow.sequence_number)
        .where(
            col(TurnRow.session) == session_id,
            col(TurnRow.line) == line_number,
            col(TurnRow.sequence_number) > above,
            col(TurnRow.role) == "assistant",
            col(TurnRow.status) != "running",
        )
        .order_by(col(TurnRow.sequence_number).desc())
        .limit(1)
    ).first()
    return int(row[0]) if row else None


def turn(tx: Tx, session_id: SessionId, number: int) -> Turn:
    """Raises: NotFound."""
    row = tx.get(TurnRow, (session_id, number))
    if row is None:
        raise NotFound(
            f"Session {short(session_id)} has no turn {number}.",
            f"`smriti session turns {short(session_id)}` lists them.",
        )
    return to_turn(row)


def answers_to(tx: Tx, session_id: SessionId, question: int) -> list[Turn]:
    """All answers of a question, oldest first. They follow it within its line."""
    rows = tx.exec(
        select(TurnRow)
        .where(
            col(TurnRow.session) == session_id,
            col(TurnRow.sequence_number) > question,
            col(TurnRow.question) == question,
        )
        .order_by(col(TurnRow.sequence_number))
    )
    return [to_turn(row) for row in rows]


def running_answers(tx: Tx, session_id: SessionId | None = None) -> list[tuple[Turn, str]]:
    """Answers that have not ended, each with its owner as JSON text."""
    query = select(TurnRow).where(col(TurnRow.status) == "running")
    if session_id is not None:
        query = query.where(col(TurnRow.session) == session_id)
    return [(to_turn(row), row.owner or "{}") for row in tx.exec(query)]


def to_turn(row: TurnRow) -> Turn:
    return Turn(
        session=SessionId(row.session),
        sequence_number=row.sequence_number,
        line=row.line,
        role=row.role,  # type: ignore[arg-type]
        text=row.text,
        content=row.content,
        status=row.status,  # type: ignore[arg-type]
        recorded_at=row.recorded_at,
        question=row.question,
        chosen=row.chosen,
        request=RequestId(row.request) if row.request else None,
        model=row.model,
        reasoning=row.reasoning,
        finish=row.finish,
        usage=_value(Usage, row.usage, row),
        cost=_value(Cost, row.cost, row),
        attempts=row.attempts,
        error=_value(Fault, row.error, row),
        copied_from=_value(CopiedFrom, row.copied_from, row),
        context_sha256=row.context_sha256,
        ended_at=row.ended_at,
    )


def _value(cls: type[T], text: str | None, row: TurnRow) -> T | None:
    where = f"turn {row.sequence_number} of session {short(row.session)}"
    return None if text is None else decoded(cls, text, where)


def stream_version(tx: Tx, stream: str) -> int:
    """Version of the newest event of a stream, 0 for none."""
    row = tx.get(StreamHeadRow, stream)
    return row.version if row else 0
