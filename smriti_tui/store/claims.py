"""Claims: rows in, domain values out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, func, select

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.store.rows import BranchRow, ClaimRow

LOOKED_AT = 200
"""Of the newest claims, for those that ended lately."""


def claim(tx: Session, claim_id: str) -> Claim:
    """Raises: NotFound."""
    found = _claims(tx, col(ClaimRow.id) == claim_id)
    if not found:
        raise NotFound(f"There is no claim {claim_id}.", "`smriti claim list` shows them.")
    return found[0]


def of_space(tx: Session, space: SpaceId) -> list[Claim]:
    """All claims of a Space, the newest first."""
    return _claims(tx, col(ClaimRow.space) == space)


def unended(tx: Session, space: SpaceId) -> list[Claim]:
    """Claims that nobody ended, expired ones among them, the newest first."""
    return _claims(tx, col(ClaimRow.space) == space, col(ClaimRow.status) == "active")


def lately(tx: Session, space: SpaceId, now: str, most: int) -> list[Claim]:
    """Those that hold no more, at most so many: the ones that ended or ran out last."""
    rule = (col(ClaimRow.status) != "active") | (col(ClaimRow.expires_at) <= now)
    newest = (
        select(ClaimRow.position)
        .where(col(ClaimRow.space) == space)
        .order_by(col(ClaimRow.position).desc())
        .limit(LOOKED_AT)
    )
    # By position first: what ended lately was mostly taken lately, and no more is looked at.
    found = _claims(tx, col(ClaimRow.position).in_(newest), rule)
    return sorted(found, key=lambda each: each.ended_at or each.expires_at, reverse=True)[:most]


def next_token(tx: Session, space: SpaceId, task_id: str | None) -> int:
    """One above the highest token of the claims on a task; on no task, of those on none."""
    same = col(ClaimRow.task_id).is_(None) if task_id is None else col(ClaimRow.task_id) == task_id
    highest = tx.exec(
        select(func.max(ClaimRow.token)).where(col(ClaimRow.space) == space, same)
    ).one()
    return int(highest or 0) + 1


def _claims(tx: Session, *rules: Any) -> list[Claim]:
    rows: Sequence[Any] = tx.execute(
        select(ClaimRow, BranchRow.name)
        .join(BranchRow, col(BranchRow.id) == col(ClaimRow.branch))
        .where(*rules)
        .order_by(col(ClaimRow.position).desc())
    ).all()
    return [_claim(row[0], str(row[1])) for row in rows]


def _claim(row: ClaimRow, branch_name: str) -> Claim:
    return Claim(
        id=row.id,
        space=SpaceId(row.space),
        agent=row.agent,
        scope=row.scope,
        intent=row.intent,  # type: ignore[arg-type]
        task_id=row.task_id,
        branch=BranchId(row.branch),
        branch_name=branch_name,
        base=CheckpointId(row.base) if row.base else None,
        worktree=row.worktree,
        token=row.token,
        status=row.status,  # type: ignore[arg-type]
        taken_at=row.taken_at,
        expires_at=row.expires_at,
        ended_at=row.ended_at,
        ended_by=row.ended_by,
        position=row.position,
    )
