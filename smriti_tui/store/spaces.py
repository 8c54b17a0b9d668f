"""Spaces and branches: rows in, domain values out."""

from __future__ import annotations

from sqlmodel import Session, col, func, select

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.model import MAIN, Branch, Space
from smriti_tui.store.rows import BranchRow, CheckpointRow, SessionRow, SpaceRow


def all_spaces(tx: Session) -> list[Space]:
    """Spaces that are not deleted, last changed first."""
    rows = tx.exec(
        select(SpaceRow)
        .where(col(SpaceRow.deleted).is_(False))
        .order_by(col(SpaceRow.changed_position).desc())
    )
    return [_space(row) for row in rows]


def space(tx: Session, space_id: SpaceId) -> Space:
    """Raises: NotFound."""
    row = tx.get(SpaceRow, space_id)
    if row is None or row.deleted:
        raise NotFound(f"There is no Space {space_id}.", "It may have been deleted.")
    return _space(row)


def _space(row: SpaceRow) -> Space:
    return Space(
        id=SpaceId(row.id),
        name=row.name,
        description=row.description,
        project_root=row.project_root,
        created_at=row.created_at,
        changed_at=row.changed_at,
        checkpoints=row.checkpoints,
        sessions=row.sessions,
        archived=row.archived,
    )


def branches(tx: Session, space_id: SpaceId) -> list[Branch]:
    """Branches of a Space, `main` first, then in the order they were opened."""
    rows = tx.exec(
        select(BranchRow).where(col(BranchRow.space) == space_id).order_by(col(BranchRow.position))
    )
    return [to_branch(row) for row in rows]


def branch_counts(tx: Session, space_id: SpaceId) -> dict[BranchId, tuple[int, int]]:
    """How many checkpoints and sessions each branch has; none for one without either."""
    made = tx.execute(
        select(CheckpointRow.branch, func.count())
        .where(col(CheckpointRow.space) == space_id, col(CheckpointRow.deleted).is_(False))
        .group_by(col(CheckpointRow.branch))
    )
    checkpoints = {BranchId(row[0]): int(row[1]) for row in made}
    open_ = tx.execute(
        select(SessionRow.branch, func.count())
        .where(col(SessionRow.space) == space_id, col(SessionRow.deleted).is_(False))
        .group_by(col(SessionRow.branch))
    )
    sessions = {BranchId(row[0]): int(row[1]) for row in open_ if row[0]}
    return {
        each: (checkpoints.get(each, 0), sessions.get(each, 0))
        for each in {*checkpoints, *sessions}
    }


def branch(tx: Session, branch_id: BranchId) -> Branch:
    """Raises: NotFound."""
    row = tx.get(BranchRow, branch_id)
    if row is None:
        raise NotFound(f"There is no branch {branch_id}.", "It may have been deleted.")
    return to_branch(row)


def main_branch(tx: Session, space_id: SpaceId) -> Branch:
    """The branch every Space has. Raises: NotFound."""
    row = tx.exec(
        select(BranchRow).where(col(BranchRow.space) == space_id, col(BranchRow.name) == MAIN)
    ).first()
    if row is None:
        raise NotFound(f"Space {space_id} has no branch main.", "Run `smriti log verify`.")
    return to_branch(row)


def tip(tx: Session, branch: Branch) -> CheckpointId | None:
    """What a checkpoint that is saved on a branch now follows: the branch's tip; none where that
    was deleted with the checkpoints that the branch was forked from."""
    row = tx.get(CheckpointRow, branch.tip) if branch.tip else None
    return None if row is None or row.deleted else branch.tip


def to_branch(row: BranchRow) -> Branch:
    return Branch(
        id=BranchId(row.id),
        space=SpaceId(row.space),
        name=row.name,
        start=CheckpointId(row.start) if row.start else None,
        head=CheckpointId(row.head) if row.head else None,
        disposition=row.disposition,  # type: ignore[arg-type]
    )
