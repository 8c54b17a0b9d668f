"""What metrics and the current surface count over a Space."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from smriti_tui.domain.codec import from_json
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.domain.metrics import CheckpointFacts
from smriti_tui.domain.model import Note, Task
from smriti_tui.store.rows import CheckpointRow, NoteRow

PAGE = 200


def checkpoint_facts(tx: Session, space: SpaceId) -> Iterator[CheckpointFacts]:
    """Of every checkpoint that is there, a page at a time."""
    parent = aliased(CheckpointRow)
    rows = tx.execute(
        select(CheckpointRow.author, parent.author, CheckpointRow.decisions, CheckpointRow.body)
        .outerjoin(parent, col(parent.id) == col(CheckpointRow.first_parent))
        .where(col(CheckpointRow.space) == space, col(CheckpointRow.deleted).is_(False))
        .execution_options(yield_per=PAGE)
    )
    for author, before, decisions, body in rows:
        tasks = (from_json(Task, each) for each in json.loads(body)["tasks"])
        live = tuple(each for each in tasks if each.state == "live")
        yield CheckpointFacts(author, before, decisions, live)


def note_counts(tx: Session, space: SpaceId) -> dict[str, int]:
    """Notes by kind, those on deleted checkpoints left out."""
    rows = tx.execute(
        select(NoteRow.kind, func.count())
        .join(CheckpointRow, col(CheckpointRow.id) == col(NoteRow.checkpoint))
        .where(col(NoteRow.space) == space, col(CheckpointRow.deleted).is_(False))
        .group_by(col(NoteRow.kind))
    )
    return {str(kind): int(count) for kind, count in rows}


def authors(tx: Session, space: SpaceId) -> int:
    """How many different authors its checkpoints have."""
    found = tx.exec(
        select(func.count(func.distinct(CheckpointRow.author))).where(
            col(CheckpointRow.space) == space, col(CheckpointRow.deleted).is_(False)
        )
    ).one()
    return int(found)


def milestones(tx: Session, space: SpaceId, most: int) -> list[Note]:
    """The newest milestones of a Space, newest first."""
    rows = tx.exec(
        select(NoteRow)
        .join(CheckpointRow, col(CheckpointRow.id) == col(NoteRow.checkpoint))
        .where(
            col(NoteRow.space) == space,
            col(NoteRow.kind) == "milestone",
            col(CheckpointRow.deleted).is_(False),
        )
        .order_by(col(NoteRow.position).desc())
        .limit(most)
    )
    return [
        Note(
            row.id, CheckpointId(row.checkpoint), "milestone", row.text, row.actor, row.recorded_at
        )
        for row in rows
    ]


def with_milestone(tx: Session, checkpoints: list[CheckpointId]) -> set[str]:
    """Which of some checkpoints have one."""
    rows = tx.execute(
        select(NoteRow.checkpoint).where(
            col(NoteRow.checkpoint).in_(checkpoints), col(NoteRow.kind) == "milestone"
        )
    )
    return {str(row[0]) for row in rows}
