"""Checkpoints and notes: rows in, domain values out."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session, col, select

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId, short
from smriti_tui.domain.model import (
    Checkpoint,
    CheckpointBody,
    CheckpointSummary,
    Note,
)
from smriti_tui.store.decoding import decoded
from smriti_tui.store.rows import BranchRow, CheckpointParentRow, CheckpointRow, NoteRow

_SUMMARY = (
    CheckpointRow.id,
    CheckpointRow.space,
    CheckpointRow.branch,
    BranchRow.name,
    CheckpointRow.title,
    CheckpointRow.author,
    CheckpointRow.created_at,
    CheckpointRow.decisions,
    CheckpointRow.assumptions,
    CheckpointRow.tasks,
    CheckpointRow.open_tasks,
    CheckpointRow.open_questions,
    CheckpointRow.artifacts,
    CheckpointRow.position,
)


def checkpoint(tx: Session, checkpoint_id: CheckpointId) -> Checkpoint:
    """Raises: NotFound (unknown or deleted)."""
    found = find_checkpoint(tx, checkpoint_id)
    if found is None:
        raise NotFound(
            f"There is no checkpoint {short(checkpoint_id)}.", "It may have been deleted."
        )
    return found


def find_checkpoint(tx: Session, checkpoint_id: CheckpointId | None) -> Checkpoint | None:
    """The checkpoint, None if there is none or it was deleted. Raises: StoreBroken (damaged)."""
    row = tx.get(CheckpointRow, checkpoint_id) if checkpoint_id else None
    if row is None or row.deleted:
        return None
    owner = tx.get(BranchRow, row.branch)
    body = decoded(CheckpointBody, row.body, f"checkpoint {short(row.id)}")
    elsewhere = body.source is not None and body.source.session != row.source_session
    return Checkpoint(
        id=CheckpointId(row.id),
        branch=BranchId(row.branch),
        body=body,
        position=row.position,
        branch_name=owner.name if owner else "",
        source_session=SessionId(row.source_session or "") if elsewhere else None,
    )


def content(tx: Session, checkpoint_id: CheckpointId) -> CheckpointBody | None:
    """What a checkpoint holds, of a deleted one too; None if the store never held it."""
    row = tx.get(CheckpointRow, checkpoint_id)
    return decoded(CheckpointBody, row.body, f"checkpoint {short(row.id)}") if row else None


def is_known(tx: Session, checkpoint_id: CheckpointId) -> bool:
    """Whether the store ever held the checkpoint, deleted ones included."""
    return tx.get(CheckpointRow, checkpoint_id) is not None


def first_parents(tx: Session, start: CheckpointId | None, depth: int) -> tuple[Checkpoint, ...]:
    """The checkpoint and up to `depth - 1` ancestors along first parents, oldest first."""
    chain: list[Checkpoint] = []
    current = find_checkpoint(tx, start)
    while current is not None and len(chain) < depth:
        chain.append(current)
        parents = current.body.parents
        current = find_checkpoint(tx, parents[0] if parents else None)
    return tuple(reversed(chain))


def summaries(
    tx: Session,
    space: SpaceId,
    *,
    branch: BranchId | None = None,
    author: str | None = None,
    limit: int | None = None,
    before: int | None = None,
) -> list[CheckpointSummary]:
    """Checkpoints of a Space, newest first; `before` is a position to page on from."""
    query = (
        select(*_SUMMARY)  # type: ignore[call-overload]
        .join(BranchRow, col(BranchRow.id) == col(CheckpointRow.branch))
        .where(col(CheckpointRow.space) == space, col(CheckpointRow.deleted).is_(False))
        .order_by(col(CheckpointRow.position).desc())
    )
    if branch is not None:
        query = query.where(col(CheckpointRow.branch) == branch)
    if author is not None:
        query = query.where(col(CheckpointRow.author) == author)
    if before is not None:
        query = query.where(col(CheckpointRow.position) < before)
    rows = tx.execute(query.limit(limit) if limit else query).all()
    parents = _parents(tx, space, [row[0] for row in rows])
    return [
        CheckpointSummary(
            id=row[0],
            space=row[1],
            branch=row[2],
            branch_name=row[3],
            title=row[4],
            author=row[5],
            created_at=row[6],
            parents=parents.get(row[0], ()),
            decisions=row[7],
            assumptions=row[8],
            tasks=row[9],
            open_tasks=row[10],
            open_questions=row[11],
            artifacts=row[12],
            position=row[13],
        )
        for row in rows
    ]


def _parents(
    tx: Session, space: SpaceId, ids: Sequence[str]
) -> dict[str, tuple[CheckpointId, ...]]:
    query = select(CheckpointParentRow).order_by(
        col(CheckpointParentRow.checkpoint), col(CheckpointParentRow.rank)
    )
    if len(ids) <= 500:
        query = query.where(col(CheckpointParentRow.checkpoint).in_(ids))
    else:
        query = query.join(
            CheckpointRow, col(CheckpointRow.id) == col(CheckpointParentRow.checkpoint)
        ).where(col(CheckpointRow.space) == space)
    found: dict[str, tuple[CheckpointId, ...]] = {}
    for row in tx.exec(query):
        found[row.checkpoint] = (*found.get(row.checkpoint, ()), CheckpointId(row.parent))
    return found


def last_source_turn(
    tx: Session, session: SessionId, line: int, *, below: int | None = None
) -> tuple[CheckpointId, int] | None:
    """The newest existing checkpoint made from a line, and its last source turn (0 for none).

    With `below` one whose last source turn is a smaller number.
    """
    query = select(CheckpointRow.id, CheckpointRow.source_last).where(
        col(CheckpointRow.source_session) == session,
        col(CheckpointRow.source_line) == line,
        col(CheckpointRow.deleted).is_(False),
    )
    if below is not None:
        query = query.where(col(CheckpointRow.source_last) < below)
    row = tx.execute(query.order_by(col(CheckpointRow.position).desc()).limit(1)).first()
    return (CheckpointId(row[0]), int(row[1] or 0)) if row else None


def children(tx: Session, checkpoint_id: CheckpointId) -> list[CheckpointId]:
    """Existing checkpoints that have this one as a parent."""
    rows = tx.execute(
        select(CheckpointParentRow.checkpoint)
        .join(CheckpointRow, col(CheckpointRow.id) == col(CheckpointParentRow.checkpoint))
        .where(
            col(CheckpointParentRow.parent) == checkpoint_id,
            col(CheckpointRow.deleted).is_(False),
        )
    )
    return [CheckpointId(row[0]) for row in rows]


def notes(tx: Session, checkpoint_id: CheckpointId) -> list[Note]:
    """Notes of a checkpoint in the order they were added."""
    rows = tx.exec(
        select(NoteRow)
        .where(col(NoteRow.checkpoint) == checkpoint_id)
        .order_by(col(NoteRow.position))
    )
    return [
        Note(
            id=row.id,
            checkpoint=CheckpointId(row.checkpoint),
            kind=row.kind,  # type: ignore[arg-type]
            text=row.text,
            actor=row.actor,
            recorded_at=row.recorded_at,
        )
        for row in rows
    ]
