"""The history of a Space, page by page: parents, branch and notes in one query each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, select
from sqlmodel import Session as Tx
from sqlmodel import col, func

from smriti_tui.domain.history import NOTE_BEGINNING, TreeRow
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.store.rows import CheckpointParentRow, CheckpointRow, NoteRow, projected

CHUNK = 500
"""Checkpoints that are asked for in one query."""
_C = projected.metadata.tables["checkpoint"].c
_B = projected.metadata.tables["branch"].c
_COLUMNS = (
    _C.id, _C.space, _C.branch, _B.name, _C.title, _C.author, _C.created_at, _C.decisions,
    _C.assumptions, _C.tasks, _C.open_tasks, _C.open_questions, _C.artifacts, _C.position,
    _B.disposition, _B.head,
)  # fmt: skip


@dataclass
class _Said:
    """What was noted of a checkpoint."""

    notes: int = 0
    milestone: str = ""
    noise: bool = False


@dataclass
class _Beside:
    """What belongs to the rows of a page."""

    parents: dict[str, tuple[CheckpointId, ...]] = field(default_factory=dict)
    said: dict[str, _Said] = field(default_factory=dict)


def tree_rows(
    tx: Tx,
    space: SpaceId,
    *,
    behind: CheckpointId | None = None,
    before: int | None = None,
    limit: int | None = None,
) -> list[TreeRow]:
    """Checkpoints of a Space, newest first: all, or those from which `behind` comes, itself
    included. `before` is a position to page on from."""
    query = (
        select(*_COLUMNS)
        .join(projected.metadata.tables["branch"], _B.id == _C.branch)
        .where(_C.space == space, _C.deleted.is_(False))
        .order_by(_C.position.desc())
    )
    if behind is not None:
        query = query.where(_C.id.in_(_ancestors(behind)))
    if before is not None:
        query = query.where(_C.position < before)
    rows = tx.connection().execute(query.limit(limit) if limit else query).all()
    beside = _beside(tx, [row[0] for row in rows])
    return [_tree_row(row, beside) for row in rows]


def _ancestors(tip: CheckpointId) -> Select[Any]:
    """The checkpoint and all that it comes from, over all parents."""
    edge = projected.metadata.tables["checkpoint_parent"].c
    up = select(_C.id).where(_C.id == tip).cte("up", recursive=True)
    up = up.union(select(edge.parent).join(up, edge.checkpoint == up.c.id))
    return select(up.c.id)


def _tree_row(row: Sequence[Any], beside: _Beside) -> TreeRow:
    said = beside.said.get(row[0], _Said())
    return TreeRow(
        *row[:7], beside.parents.get(row[0], ()), *row[7:14],
        disposition=row[14], tip=row[15] == row[0], notes=said.notes, milestone=said.milestone,
        noise=said.noise,
    )  # fmt: skip


def _beside(tx: Tx, ids: Sequence[str]) -> _Beside:
    found = _Beside()
    for chunk in _chunks(ids):
        edges = (
            select(CheckpointParentRow.checkpoint, CheckpointParentRow.parent)
            .join(CheckpointRow, col(CheckpointRow.id) == col(CheckpointParentRow.parent))
            .where(
                col(CheckpointParentRow.checkpoint).in_(chunk),
                col(CheckpointRow.deleted).is_(False),
            )
            .order_by(col(CheckpointParentRow.checkpoint), col(CheckpointParentRow.rank))
        )
        for name, parent in tx.connection().execute(edges):
            found.parents[name] = (*found.parents.get(name, ()), CheckpointId(parent))
        notes = (
            select(NoteRow.checkpoint, NoteRow.kind, func.substr(NoteRow.text, 1, NOTE_BEGINNING))
            .where(col(NoteRow.checkpoint).in_(chunk))
            .order_by(col(NoteRow.position))
        )
        for name, kind, text in tx.connection().execute(notes):
            _note(found.said.setdefault(name, _Said()), kind, text)
    return found


def _note(said: _Said, kind: str, text: str) -> None:
    said.notes += 1
    if kind == "milestone":
        said.milestone, said.noise = text, False
    elif kind == "noise":
        said.noise = True


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), CHUNK):
        yield ids[start : start + CHUNK]
