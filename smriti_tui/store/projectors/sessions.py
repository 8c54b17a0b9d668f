"""Sessions and their lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import (
    Projector,
    branch_here,
    given,
    touch_session,
    touch_space,
)
from smriti_tui.store.statements import Tables


def _session_opened(tables: Tables, stored: StoredEvent, event: e.SessionOpened) -> None:
    session = stored.owner_id
    tables.insert(
        "session",
        {
            "id": session,
            "space": event.space,
            "branch": branch_here(tables, event.branch),
            "title": event.title,
            "current_line": 1,
            "last_line": 1,
            "last_seq": 0,
            "model": None,
            "fork_checkpoint": event.fork_checkpoint,
            "fork_session": event.fork_session,
            "fork_turn": event.fork_turn,
            "created_at": stored.recorded_at,
            "changed_at": stored.recorded_at,
            "changed_position": stored.position,
            "deleted": False,
            "pinned": False,
            "archived": False,
        },
    )
    row = {"session": session, "line": 1, "anchor": None, "history_base_seq": 0}
    tables.insert("line", row)
    _count_session(tables, stored, event.space, 1)


def _count_session(tables: Tables, stored: StoredEvent, space: str | None, amount: int) -> None:
    if space is not None:
        tables.add("space", {"id": space}, "sessions", amount)
        touch_space(tables, stored, space)


def _session_changed(tables: Tables, stored: StoredEvent, event: e.SessionChanged) -> None:
    changes = given(event, "title", "pinned", "archived")
    if changes and event.title is None:
        # A mark says nothing new in the session: it keeps its age and its place in the list.
        tables.update("session", {"id": stored.owner_id}, changes)
    else:
        touch_session(tables, stored, changes)


def _session_attached(tables: Tables, stored: StoredEvent, event: e.SessionAttached) -> None:
    branch = branch_here(tables, event.branch)
    touch_session(tables, stored, {"space": event.space, "branch": branch})
    _count_session(tables, stored, event.space, 1)


def _session_deleted(tables: Tables, stored: StoredEvent, event: e.SessionDeleted) -> None:
    row = tables.one("session", {"id": stored.owner_id}, ("space",))
    touch_session(tables, stored, {"deleted": True})
    if row is not None:
        _count_session(tables, stored, cast("str | None", row[0]), -1)


def _session_restored(tables: Tables, stored: StoredEvent, event: e.SessionRestored) -> None:
    row = tables.one("session", {"id": stored.owner_id}, ("space",))
    touch_session(tables, stored, {"deleted": False})
    if row is not None:
        _count_session(tables, stored, cast("str | None", row[0]), 1)


def _line_opened(tables: Tables, stored: StoredEvent, event: e.LineOpened) -> None:
    tables.insert(
        "line",
        {
            "session": stored.owner_id,
            "line": event.line,
            "anchor": event.anchor,
            "history_base_seq": event.history_base_seq,
        },
    )
    touch_session(tables, stored, {"current_line": event.line, "last_line": event.line})


def _line_left(tables: Tables, stored: StoredEvent, event: e.LineLeft) -> None:
    touch_session(tables, stored, {"current_line": 1})


def _line_resumed(tables: Tables, stored: StoredEvent, event: e.LineResumed) -> None:
    touch_session(tables, stored, {"current_line": event.line})


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.SessionOpened: _session_opened,
    e.SessionChanged: _session_changed,
    e.SessionAttached: _session_attached,
    e.SessionDeleted: _session_deleted,
    e.SessionRestored: _session_restored,
    e.LineOpened: _line_opened,
    e.LineLeft: _line_left,
    e.LineResumed: _line_resumed,
}
