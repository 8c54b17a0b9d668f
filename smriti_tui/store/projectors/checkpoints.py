"""Checkpoints and their notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smriti_tui.domain import events as e
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.values import canonical
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector, touch_space
from smriti_tui.store.statements import Tables


def checkpoint_saved(tables: Tables, stored: StoredEvent, event: e.CheckpointSaved) -> None:
    body = event.body
    source = body.source
    tables.insert(
        "checkpoint",
        {
            "id": event.id,
            "space": stored.owner_id,
            "branch": event.branch,
            "title": body.title,
            "author": body.author,
            "created_at": body.created_at,
            "first_parent": body.parents[0] if body.parents else None,
            "source_session": source.session if source else None,
            "source_line": source.line if source else None,
            "source_first": source.first if source else None,
            "source_last": source.last if source else None,
            "decisions": _live(body.decisions),
            "assumptions": _live(body.assumptions),
            "tasks": _live(body.tasks),
            "open_tasks": sum(t.state == "live" and t.status == "open" for t in body.tasks),
            "open_questions": _live(body.open_questions),
            "artifacts": len(body.artifacts),
            "body": canonical(to_json(body)),
            "position": stored.position,
            "deleted": False,
        },
    )
    for rank, parent in enumerate(body.parents):
        row = {"checkpoint": event.id, "rank": rank, "parent": parent}
        tables.insert("checkpoint_parent", row)
    tables.update("branch", {"id": event.branch}, {"head": event.id})
    tables.add("space", {"id": stored.owner_id}, "checkpoints", 1)
    touch_space(tables, stored, stored.owner_id)


def _live(items: tuple[Any, ...]) -> int:
    return sum(item.state == "live" for item in items)


def checkpoint_deleted(tables: Tables, stored: StoredEvent, event: e.CheckpointDeleted) -> None:
    """With it go those before it that were deleted where it was not known, for it alone kept
    them."""
    tables.insert_missing("deletion", {"checkpoint": event.id})
    waiting = [event.id]
    while waiting:
        checkpoint = waiting.pop()
        _delete(tables, stored, checkpoint)
        parents = tables.rows(_DELETED_PARENTS, (checkpoint,))
        waiting += [row[0] for row in parents if not is_followed(tables, row[0])]
    touch_space(tables, stored, stored.owner_id)


_DELETED_PARENTS = (
    "SELECT p.parent FROM checkpoint_parent p JOIN deletion d ON d.checkpoint = p.parent "
    "JOIN checkpoint c ON c.id = p.parent WHERE p.checkpoint = ? AND c.deleted = false"
)


def is_followed(tables: Tables, checkpoint: str) -> bool:
    """Whether a checkpoint that is still there has it as a parent."""
    sql = (
        "SELECT 1 FROM checkpoint_parent p JOIN checkpoint c ON c.id = p.checkpoint "
        "WHERE p.parent = ? AND c.deleted = false LIMIT 1"
    )
    return bool(tables.rows(sql, (checkpoint,)))


def _delete(tables: Tables, stored: StoredEvent, checkpoint: str) -> None:
    key = {"id": checkpoint}
    row = tables.one("checkpoint", key, ("branch", "first_parent"))
    if row is None:
        return
    branch, parent = row
    tables.update("checkpoint", key, {"deleted": True})
    tables.add("space", {"id": stored.owner_id}, "checkpoints", -1)
    head = tables.one("branch", {"id": branch}, ("head",))
    if head is not None and head[0] == checkpoint:
        before = tables.one("checkpoint", {"id": parent}, ("branch",))
        own = before is not None and before[0] == branch
        tables.update("branch", {"id": branch}, {"head": parent if own else None})


def _note_added(tables: Tables, stored: StoredEvent, event: e.NoteAdded) -> None:
    tables.insert(
        "note",
        {
            "id": event.note,
            "checkpoint": event.checkpoint,
            "space": stored.owner_id,
            "kind": event.kind,
            "text": event.text,
            "actor": stored.actor,
            "recorded_at": stored.recorded_at,
            "position": stored.position,
        },
    )


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.CheckpointSaved: checkpoint_saved,
    e.CheckpointDeleted: checkpoint_deleted,
    e.NoteAdded: _note_added,
}
