"""The history of a Space, page by page: parents, branch and notes in one query each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, func, select
from sqlmodel import Session as Tx

from smriti_tui.domain.history import NOTE_BEGINNING, TreeRow
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.store.rows import projected

CHUNK = 500
"""Checkpoints that are asked for in one query."""
_TABLES = projected.metadata.tables
_C, _B = _TABLES["checkpoint"].c, _TABLES["branch"].c
_E, _N = _TABLES["checkpoint_parent"].c, _TABLES["note"].c
_COLUMNS = (
    _C.id, _C.space, _C.branch, _B.name, _C.title, _C.author, _C.created_at, _C.decisions,
    _C.assumptions, _C.tasks, _C.open_tasks, _C.open_questions, _C.artifacts, _C.position,
    _B.disposition, _B.head,
)  # fmt: skip
_FACTS = (
    "id", "space", "branch", "branch_name", "title", "author", "created_at", "decisions",
    "assumptions", "tasks", "open_tasks", "open_questions", "artifacts", "position", "disposition",
)  # fmt: skip
"""What the columns, but for the last, are of a row."""


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
        .join(_TABLES["branch"], _B.id == _C.branch)
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
    up = select(_C.id).where(_C.id == tip).cte("up", recursive=True)
    up = up.union(select(_E.parent).join(up, _E.checkpoint == up.c.id))
    return select(up.c.id)


def _tree_row(row: Sequence[Any], beside: _Beside) -> TreeRow:
    said = beside.said.get(row[0], _Said())
    facts: dict[str, Any] = dict(zip(_FACTS, row, strict=False))
    return TreeRow(
        **facts,
        parents=beside.parents.get(row[0], ()),
        tip=row[-1] == row[0],
        notes=said.notes,
        milestone=said.milestone,
        noise=said.noise,
    )


def _beside(tx: Tx, ids: Sequence[str]) -> _Beside:
    found = _Beside()
    for chunk in _chunks(ids):
        edges = (
            select(_E.checkpoint, _E.parent)
            .join(_TABLES["checkpoint"], _C.id == _E.parent)
            .where(_E.checkpoint.in_(chunk), _C.deleted.is_(False))
            .order_by(_E.checkpoint, _E.rank)
        )
        for name, parent in tx.connection().execute(edges):
            found.parents[name] = (*found.parents.get(name, ()), CheckpointId(parent))
        notes = (
            select(_N.checkpoint, _N.kind, func.substr(_N.text, 1, NOTE_BEGINNING))
            .where(_N.checkpoint.in_(chunk))
            .order_by(_N.position)
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
