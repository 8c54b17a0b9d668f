"""Sessions, lines and turns: rows in, domain values out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Select, case, exists
from sqlalchemy import select as plain_select
from sqlmodel import Session as Tx
from sqlmodel import col, func, select

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import (
    BranchId,
    CheckpointId,
    SessionId,
    SpaceId,
    kind_and_owner,
    short,
)
from smriti_tui.domain.model import (
    CopiedFrom,
    Cost,
    Fault,
    Line,
    LineRun,
    Session,
    Turn,
    Usage,
    is_default_title,
)
from smriti_tui.domain.spending import Spent
from smriti_tui.store.decoding import decoded
from smriti_tui.store.rows import (
    BranchRow,
    LineRow,
    LineRunRow,
    SessionRow,
    SpaceRow,
    StreamHeadRow,
    TailRow,
    TurnRow,
    projected,
)

BEGINNING = 120
"""Characters of a first question that are read for a list."""
CHUNK = 500
"""Sessions that are asked for in one query."""


def session(tx: Tx, session_id: SessionId) -> Session:
    """Raises: NotFound (unknown or deleted)."""
    row = tx.get(SessionRow, session_id)
    if row is None or row.deleted:
        raise NotFound(f"There is no session {short(session_id)}.", "It may have been deleted.")
    home = tx.get(SpaceRow, row.space) if row.space else None
    if home is not None and home.deleted:
        raise NotFound(
            f"There is no session {short(session_id)} any more.", "Its Space was deleted."
        )
    return _session(tx, row, _beginnings(tx, [row]).get(row.id, ""))


def sessions_of(
    tx: Tx,
    space: SpaceId | None,
    limit: int | None = None,
    *,
    archived: bool | None = None,
    pinned_first: bool = False,
) -> list[Session]:
    """Sessions of a Space (None: of no Space), last changed first; `archived` takes one kind."""
    query = select(SessionRow).where(*_listed(space, archived))
    if pinned_first:
        query = query.order_by(col(SessionRow.pinned).desc())
    query = query.order_by(col(SessionRow.changed_position).desc())
    rows = tx.exec(query.limit(limit) if limit else query).all()
    begun = _beginnings(tx, rows)
    return [_session(tx, row, begun.get(row.id, "")) for row in rows]


def count_archived(tx: Tx, space: SpaceId | None) -> int:
    """How many sessions of a Space (None: of no Space) are archived."""
    query = select(func.count()).select_from(SessionRow).where(*_listed(space, True))
    return int(tx.exec(query).one())


def _listed(space: SpaceId | None, archived: bool | None) -> list[ColumnElement[bool]]:
    rules = [col(SessionRow.space) == space, col(SessionRow.deleted).is_(False)]
    return rules if archived is None else [*rules, col(SessionRow.archived).is_(archived)]


def _beginnings(tx: Tx, rows: Sequence[SessionRow]) -> dict[str, str]:
    """How the first questions of those sessions begin that nobody named, by session."""
    unnamed = [row.id for row in rows if row.last_seq and is_default_title(row.title)]
    found: dict[str, str] = {}
    for start in range(0, len(unnamed), CHUNK):
        query = plain_select(_C.session, func.substr(_C.text, 1, BEGINNING)).where(
            _C.session.in_(unnamed[start : start + CHUNK]),
            _C.sequence_number == 1,
            _C.role == "user",
        )
        found |= {row[0]: row[1] for row in tx.connection().execute(query)}
    return found


def _session(tx: Tx, row: SessionRow, beginning: str) -> Session:
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
        pinned=row.pinned,
        archived=row.archived,
        beginning=beginning,
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


def forked_sessions(tx: Tx, checkpoint: CheckpointId) -> list[SessionId]:
    """Sessions that were forked from a checkpoint."""
    rows = tx.execute(
        select(SessionRow.id).where(
            col(SessionRow.fork_checkpoint) == checkpoint, col(SessionRow.deleted).is_(False)
        )
    )
    return [SessionId(row[0]) for row in rows]


def turns_between(tx: Tx, session_id: SessionId, first: int, last: int) -> list[Turn]:
    """Turns `first` to `last` of a session, ascending."""
    query = _TURNS.where(_C.session == session_id, _C.sequence_number.between(first, last))
    return _turns(tx, query.order_by(_C.sequence_number))


def newest_turns(
    tx: Tx, session_id: SessionId, line_number: int, above: int, below: int, limit: int
) -> list[Turn]:
    """Up to `limit` turns of a line with `above < number < below`, newest first."""
    query = _TURNS.where(
        _C.session == session_id,
        _C.line == line_number,
        _C.sequence_number > above,
        _C.sequence_number < below,
    )
    return _turns(tx, query.order_by(_C.sequence_number.desc()).limit(limit))


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


def spent(tx: Tx, session_id: SessionId, before: Spent) -> Spent:
    """`before` and what has ended since, up to the first answer that is still running.

    Copied and imported answers cost nothing here. Only turns after `before` are read.
    """
    running, last = tx.connection().execute(
        plain_select(
            func.min(case((_C.status == "running", _C.sequence_number))),
            func.max(_C.sequence_number),
        ).where(_C.session == session_id, _C.sequence_number > before.through)
    ).one()  # fmt: skip
    if last is None:
        return before
    through = int(last) if running is None else int(running) - 1
    rows = tx.connection().execute(
        plain_select(_C.cost, func.count())
        .where(
            _C.session == session_id,
            _C.sequence_number.between(before.through + 1, through),
            _C.question.is_not(None),
            _C.copied_from.is_(None),
            ~exists().where(_B.session == session_id, _B.sequence_number == _C.sequence_number),
        )
        .group_by(_C.cost)
    )
    where = f"costs of session {short(session_id)}"
    costs = [(decoded(Cost, text, where).usd if text else None, int(n)) for text, n in rows]
    return before.add(through, costs)


def turn(tx: Tx, session_id: SessionId, number: int) -> Turn:
    """Raises: NotFound."""
    query = _TURNS.where(_C.session == session_id, _C.sequence_number == number)
    for found in _turns(tx, query):
        return found
    raise NotFound(
        f"Session {short(session_id)} has no turn {number}.",
        f"`smriti session turns {short(session_id)}` lists them.",
    )


def answers_to(tx: Tx, session_id: SessionId, question: int) -> list[Turn]:
    """All answers of a question, oldest first. They follow it within its line."""
    query = _TURNS.where(
        _C.session == session_id, _C.sequence_number > question, _C.question == question
    )
    return _turns(tx, query.order_by(_C.sequence_number))


def answering_in(tx: Tx, space: SpaceId) -> list[Turn]:
    """Answers that have not ended, of the sessions of a Space."""
    mine = plain_select(col(SessionRow.id)).where(col(SessionRow.space) == space)
    return _turns(tx, _TURNS.where(_C.status == "running", _C.session.in_(mine)))


def running_answers(tx: Tx, session_id: SessionId | None = None) -> list[tuple[Turn, str]]:
    """Answers that have not ended, each with its owner as JSON text."""
    query = _TURNS.add_columns(_C.owner).where(_C.status == "running")
    if session_id is not None:
        query = query.where(_C.session == session_id)
    return [(_turn(row[:-1]), row[-1] or "{}") for row in tx.connection().execute(query)]


# A context takes thousands of turns: as plain tuples they cost a third of what mapped rows do.
_C = projected.metadata.tables["turn"].c
_FIELDS = tuple(field.name for field in fields(Turn))
_TURN = projected.metadata.tables["turn"]
_BESIDE = projected.metadata.tables["imported_turn"]
_B = _BESIDE.c
_OF_IMPORTS = {"said_at": _B.said_at, "details": _B.detail_count}
_TURNS = plain_select(
    *(_OF_IMPORTS[name] if name in _OF_IMPORTS else _C[name] for name in _FIELDS)
).select_from(
    _TURN.outerjoin(
        _BESIDE, (_B.session == _C.session) & (_B.sequence_number == _C.sequence_number)
    )
)
_JSON = tuple(
    (_FIELDS.index(name), cls)
    for name, cls in (
        ("usage", Usage),
        ("cost", Cost),
        ("error", Fault),
        ("copied_from", CopiedFrom),
    )
)


def _turns(tx: Tx, query: Select[Any]) -> list[Turn]:
    return [_turn(row) for row in tx.connection().execute(query)]


def _turn(row: Sequence[Any]) -> Turn:
    values = list(row)
    for place, cls in _JSON:
        if (text := values[place]) is not None:
            where = f"turn {values[1]} of session {short(values[0])}"
            values[place] = decoded(cls, text, where)
    return Turn(*values)


def stream_version(tx: Tx, stream: str) -> int:
    """Version of the newest event of a stream, 0 for none."""
    row = tx.get(StreamHeadRow, stream_of(tx, stream))
    return row.version if row else 0


def stream_of(tx: Tx, stream: str) -> str:
    """The stream that holds what a session's is to hold (`store.tails.stream_of`)."""
    kind, subject = kind_and_owner(stream)
    if kind != "session":
        return stream
    row = tx.execute(select(TailRow.stream).where(col(TailRow.subject) == subject)).first()
    return str(row[0]) if row else stream
