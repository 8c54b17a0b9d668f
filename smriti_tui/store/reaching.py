"""States that may lean on an item: the heads of live branches, and what claims began at."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, select

from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId, short
from smriti_tui.domain.model import Checkpoint, CheckpointBody
from smriti_tui.store.decoding import decoded
from smriti_tui.store.rows import BranchRow, CheckpointRow


def live_heads(tx: Session, space: SpaceId) -> list[Checkpoint]:
    """The newest own checkpoint of every active branch, `main` first, then by name.

    A branch without one has no state of its own and is left out. Raises: StoreBroken.
    """
    rows = tx.execute(
        select(CheckpointRow.id, CheckpointRow.branch, CheckpointRow.body, CheckpointRow.position,
               BranchRow.name)  # type: ignore[call-overload]
        .join(BranchRow, col(BranchRow.head) == col(CheckpointRow.id))
        .where(
            col(BranchRow.space) == space,
            col(BranchRow.disposition) == "active",
            col(CheckpointRow.deleted).is_(False),
        )
        .order_by(col(BranchRow.name) != "main", col(BranchRow.name), col(BranchRow.id))
    )  # fmt: skip
    return [
        Checkpoint(
            id=CheckpointId(row[0]),
            branch=BranchId(row[1]),
            body=decoded(CheckpointBody, row[2], f"checkpoint {short(row[0])}"),
            position=row[3],
            branch_name=row[4],
        )
        for row in rows
    ]


def states(tx: Session, wanted: Iterable[CheckpointId]) -> dict[str, CheckpointBody]:
    """What checkpoints hold, by id; those that are gone are left out. Raises: StoreBroken."""
    ids = sorted(set(wanted))
    rows = tx.execute(
        select(CheckpointRow.id, CheckpointRow.body).where(
            col(CheckpointRow.id).in_(ids), col(CheckpointRow.deleted).is_(False)
        )
    )
    return {row[0]: decoded(CheckpointBody, row[1], f"checkpoint {short(row[0])}") for row in rows}
