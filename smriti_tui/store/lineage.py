"""The graph of checkpoints as far as somebody looks, read in windows."""

from __future__ import annotations

from collections import defaultdict

from sqlmodel import Session, col, select

from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.lineage import Ancestor, Look
from smriti_tui.store.rows import CheckpointParentRow, CheckpointRow

WINDOW = 256
"""How many checkpoints are read at once: the one looked at and what was saved before it."""


def looker(tx: Session) -> Look:
    """Looks checkpoints up; what was read is kept as long as the function itself."""
    known: dict[CheckpointId, Ancestor] = {}

    def look(checkpoint: CheckpointId) -> Ancestor | None:
        if checkpoint not in known:
            row = tx.get(CheckpointRow, checkpoint)
            if row is not None:
                known.update(_window(tx, row.space, row.position))
        return known.get(checkpoint)

    return look


def _window(tx: Session, space: str, position: int) -> dict[CheckpointId, Ancestor]:
    newest = (
        select(CheckpointRow.id, CheckpointRow.position)
        .where(col(CheckpointRow.space) == space, col(CheckpointRow.position) <= position)
        .order_by(col(CheckpointRow.position).desc())
        .limit(WINDOW)
    )
    places = {row[0]: row[1] for row in tx.execute(newest)}
    edges = (
        select(CheckpointParentRow.checkpoint, CheckpointParentRow.parent)
        .where(col(CheckpointParentRow.checkpoint).in_(list(places)))
        .order_by(col(CheckpointParentRow.checkpoint), col(CheckpointParentRow.rank))
    )
    parents: defaultdict[str, list[CheckpointId]] = defaultdict(list)
    for checkpoint, parent in tx.execute(edges):
        parents[checkpoint].append(CheckpointId(parent))
    return {
        CheckpointId(name): Ancestor(CheckpointId(name), at, tuple(parents[name]))
        for name, at in places.items()
    }
