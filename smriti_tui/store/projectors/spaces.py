"""Spaces and branches."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector, branch_here, given, touch_space
from smriti_tui.store.statements import Tables


def _space_created(tables: Tables, stored: StoredEvent, event: e.SpaceCreated) -> None:
    tables.insert(
        "space",
        {
            "id": stored.owner_id,
            "name": event.name,
            "description": event.description,
            "project_root": event.project_root,
            "created_at": stored.recorded_at,
            "changed_at": stored.recorded_at,
            "changed_position": stored.position,
            "checkpoints": 0,
            "sessions": 0,
            "deleted": False,
            "archived": False,
        },
    )


def _space_changed(tables: Tables, stored: StoredEvent, event: e.SpaceChanged) -> None:
    changes = given(event, "name", "description", "archived")
    if event.project_root is not None:
        changes["project_root"] = event.project_root or None
    tables.update("space", {"id": stored.owner_id}, changes)
    if set(changes) != {"archived"}:
        touch_space(tables, stored, stored.owner_id)


def _space_deleted(tables: Tables, stored: StoredEvent, event: e.SpaceDeleted) -> None:
    tables.update("space", {"id": stored.owner_id}, {"deleted": True})


def branch_opened(tables: Tables, stored: StoredEvent, event: e.BranchOpened) -> None:
    tables.insert(
        "branch",
        {
            "id": event.branch,
            "space": stored.owner_id,
            "name": event.name,
            "start": event.start,
            "head": None,
            "disposition": "active",
            "position": stored.position,
        },
    )


def branch_renamed(tables: Tables, stored: StoredEvent, event: e.BranchRenamed) -> None:
    tables.update("branch", {"id": event.branch}, {"name": event.name})


def branch_disposed(tables: Tables, stored: StoredEvent, event: e.BranchDisposed) -> None:
    tables.update("branch", {"id": event.branch}, {"disposition": event.disposition})


def _space_joined(tables: Tables, stored: StoredEvent, event: e.SpaceJoined) -> None:
    for known in event.branches:
        if tables.one("branch", {"id": known.here}, ("id",)) is None:
            row = {"alias": known.here, "branch": branch_here(tables, known.there)}
            tables.insert_missing("branch_alias", row)
    for made in event.sources:
        _made_from(tables, stored, made)


def _made_from(tables: Tables, stored: StoredEvent, made: e.MadeFrom) -> None:
    """A session that came apart also goes on where its checkpoint lies."""
    session = tables.one("session", {"id": made.session}, ("space", "branch"))
    row = tables.one("checkpoint", {"id": made.checkpoint}, ("space", "branch"))
    if session is None or row is None or session[0] != row[0]:
        return
    tables.update("checkpoint", {"id": made.checkpoint}, {"source_session": made.session})
    if tables.one("tail", {"subject": made.session}, ("stream",)) is not None:
        tables.update("session", {"id": made.session}, {"branch": row[1]})


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.SpaceCreated: _space_created,
    e.SpaceChanged: _space_changed,
    e.SpaceDeleted: _space_deleted,
    e.SpaceJoined: _space_joined,
    e.BranchOpened: branch_opened,
    e.BranchRenamed: branch_renamed,
    e.BranchDisposed: branch_disposed,
}
