"""Worktrees: rows in, domain values out."""

from __future__ import annotations

import json

from sqlmodel import Session, col, select

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.worktrees import Worktree
from smriti_tui.store.rows import CheckpointRow, WorktreeRow

LOOKED_AT = 50
"""So many of the newest checkpoints are looked through for a project root."""


def worktree(tx: Session, worktree_id: str) -> Worktree:
    """Raises: NotFound."""
    row = tx.get(WorktreeRow, worktree_id)
    if row is None:
        raise NotFound(f"There is no worktree {worktree_id}.", "`smriti worktree list` shows them.")
    return _worktree(row)


def of_space(tx: Session, space: SpaceId, *, every: bool = False) -> list[Worktree]:
    """The active worktrees of a Space, with `every` the closed ones as well, the newest first."""
    rule = [] if every else [col(WorktreeRow.status) == "active"]
    rows = tx.exec(
        select(WorktreeRow)
        .where(col(WorktreeRow.space) == space, *rule)
        .order_by(col(WorktreeRow.position).desc())
    )
    return [_worktree(row) for row in rows]


def newest_root(tx: Session, space: SpaceId) -> str | None:
    """The project root of the newest checkpoints of a Space, on any branch, that has one."""
    bodies = tx.exec(
        select(CheckpointRow.body)
        .where(col(CheckpointRow.space) == space, col(CheckpointRow.deleted).is_(False))
        .order_by(col(CheckpointRow.position).desc())
        .limit(LOOKED_AT)
    )
    for body in bodies:
        if root := json.loads(body).get("project_root"):
            return str(root)
    return None


def _worktree(row: WorktreeRow) -> Worktree:
    return Worktree(
        id=row.id,
        space=SpaceId(row.space),
        agent=row.agent,
        root=row.root,
        path=row.path,
        branch=row.branch,
        base=row.base,
        status=row.status,  # type: ignore[arg-type]
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        closed_by=row.closed_by,
        position=row.position,
    )
