"""Inline projectors: what each event does to the tables.

Pure functions of the event and the rows it names: no clock, no randomness, no files, O(1) each. The
same functions fill the shadow tables of verify and rebuild.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from smriti_tui.domain import events as e
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.values import canonical
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.search_index import index_event
from smriti_tui.store.statements import Tables

Projector = Callable[[Tables, StoredEvent, Any], None]


def project(tables: Tables, stored: StoredEvent, event: e.Event) -> None:
    """Applies the event to the tables; types without a projector change none."""
    tables.position = stored.position
    projector = PROJECTORS.get(type(event))
    if projector is not None:
        projector(tables, stored, event)
    index_event(tables, stored, event)


def _json(value: object) -> str | None:
    return None if value is None else canonical(to_json(value))


def _touch_space(tables: Tables, stored: StoredEvent, space: str | None) -> None:
    if space is not None:
        moment = {"changed_at": stored.recorded_at, "changed_position": stored.position}
        tables.update("space", {"id": space}, moment)


def _touch_session(tables: Tables, stored: StoredEvent, changes: Mapping[str, object]) -> None:
    session = stored.owner_id
    moment = {"changed_at": stored.recorded_at, "changed_position": stored.position}
    tables.update("session", {"id": session}, {**changes, **moment})
    row = tables.one("session", {"id": session}, ("space",))
    if row is not None:
        _touch_space(tables, stored, cast("str | None", row[0]))


# ---- space, branch -----------------------------------------------------------------------------


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
            "deleted": 0,
            "archived": 0,
        },
    )


def _space_changed(tables: Tables, stored: StoredEvent, event: e.SpaceChanged) -> None:
    changes = _given(event, "name", "description", "archived")
    if event.project_root is not None:
        changes["project_root"] = event.project_root or None
    tables.update("space", {"id": stored.owner_id}, changes)
    if set(changes) != {"archived"}:
        _touch_space(tables, stored, stored.owner_id)


def _given(event: e.Event, *names: str) -> dict[str, object]:
    """The named fields that the event changes."""
    values = {name: getattr(event, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _space_deleted(tables: Tables, stored: StoredEvent, event: e.SpaceDeleted) -> None:
    tables.update("space", {"id": stored.owner_id}, {"deleted": 1})


def _branch_opened(tables: Tables, stored: StoredEvent, event: e.BranchOpened) -> None:
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


def _branch_renamed(tables: Tables, stored: StoredEvent, event: e.BranchRenamed) -> None:
    tables.update("branch", {"id": event.branch}, {"name": event.name})


def _branch_disposed(tables: Tables, stored: StoredEvent, event: e.BranchDisposed) -> None:
    tables.update("branch", {"id": event.branch}, {"disposition": event.disposition})


# ---- checkpoints -------------------------------------------------------------------------------


def _checkpoint_saved(tables: Tables, stored: StoredEvent, event: e.CheckpointSaved) -> None:
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
            "deleted": 0,
        },
    )
    for rank, parent in enumerate(body.parents):
        row = {"checkpoint": event.id, "rank": rank, "parent": parent}
        tables.insert("checkpoint_parent", row)
    tables.update("branch", {"id": event.branch}, {"head": event.id})
    tables.add("space", {"id": stored.owner_id}, "checkpoints", 1)
    _touch_space(tables, stored, stored.owner_id)


def _live(items: tuple[Any, ...]) -> int:
    return sum(item.state == "live" for item in items)


def _checkpoint_deleted(tables: Tables, stored: StoredEvent, event: e.CheckpointDeleted) -> None:
    key = {"id": event.id}
    row = tables.one("checkpoint", key, ("branch", "first_parent"))
    if row is None:
        return
    branch, parent = row
    tables.update("checkpoint", key, {"deleted": 1})
    tables.add("space", {"id": stored.owner_id}, "checkpoints", -1)
    head = tables.one("branch", {"id": branch}, ("head",))
    if head is not None and head[0] == event.id:
        before = tables.one("checkpoint", {"id": parent}, ("branch",))
        own = before is not None and before[0] == branch
        tables.update("branch", {"id": branch}, {"head": parent if own else None})
    _touch_space(tables, stored, stored.owner_id)


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


# ---- sessions and lines ------------------------------------------------------------------------


def _session_opened(tables: Tables, stored: StoredEvent, event: e.SessionOpened) -> None:
    session = stored.owner_id
    tables.insert(
        "session",
        {
            "id": session,
            "space": event.space,
            "branch": event.branch,
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
            "deleted": 0,
            "pinned": 0,
            "archived": 0,
        },
    )
    row = {"session": session, "line": 1, "anchor": None, "history_base_seq": 0}
    tables.insert("line", row)
    _count_session(tables, stored, event.space, 1)


def _count_session(tables: Tables, stored: StoredEvent, space: str | None, amount: int) -> None:
    if space is not None:
        tables.add("space", {"id": space}, "sessions", amount)
        _touch_space(tables, stored, space)


def _session_changed(tables: Tables, stored: StoredEvent, event: e.SessionChanged) -> None:
    changes = _given(event, "title", "pinned", "archived")
    if changes and event.title is None:
        # A mark says nothing new in the session: it keeps its age and its place in the list.
        tables.update("session", {"id": stored.owner_id}, changes)
    else:
        _touch_session(tables, stored, changes)


def _session_attached(tables: Tables, stored: StoredEvent, event: e.SessionAttached) -> None:
    _touch_session(tables, stored, {"space": event.space, "branch": event.branch})
    _count_session(tables, stored, event.space, 1)


def _session_deleted(tables: Tables, stored: StoredEvent, event: e.SessionDeleted) -> None:
    row = tables.one("session", {"id": stored.owner_id}, ("space",))
    _touch_session(tables, stored, {"deleted": 1})
    if row is not None:
        _count_session(tables, stored, cast("str | None", row[0]), -1)


def _session_restored(tables: Tables, stored: StoredEvent, event: e.SessionRestored) -> None:
    row = tables.one("session", {"id": stored.owner_id}, ("space",))
    _touch_session(tables, stored, {"deleted": 0})
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
    _touch_session(tables, stored, {"current_line": event.line, "last_line": event.line})


def _line_left(tables: Tables, stored: StoredEvent, event: e.LineLeft) -> None:
    _touch_session(tables, stored, {"current_line": 1})


def _line_resumed(tables: Tables, stored: StoredEvent, event: e.LineResumed) -> None:
    _touch_session(tables, stored, {"current_line": event.line})


# ---- turns and answers -------------------------------------------------------------------------

_EMPTY_TURN: Mapping[str, object] = {
    "text": "",
    "content": "",
    "ended_at": None,
    "question": None,
    "chosen": None,
    "request": None,
    "context_sha256": None,
    "model": None,
    "reasoning": None,
    "finish": None,
    "usage": None,
    "cost": None,
    "attempts": 0,
    "error": None,
    "owner": None,
    "copied_from": None,
}


def _turn_added(tables: Tables, stored: StoredEvent, event: e.TurnAdded) -> None:
    _add_turn(
        tables,
        stored,
        {
            "sequence_number": event.sequence_number,
            "line": event.line,
            "role": event.role,
            "text": event.text,
            "content": event.content,
            "status": "complete",
            "question": event.question,
            "model": event.model,
            "copied_from": _json(event.copied_from),
        },
    )


def _answer_started(tables: Tables, stored: StoredEvent, event: e.AnswerStarted) -> None:
    request = {"id": event.request}
    tables.update("request", request, {"answer": event.sequence_number})
    known = tables.one("request", request, ("context_sha256",))
    _add_turn(
        tables,
        stored,
        {
            "sequence_number": event.sequence_number,
            "line": event.line,
            "role": "assistant",
            "status": "running",
            "question": event.question,
            "request": event.request,
            "context_sha256": known[0] if known else None,
            "model": event.model,
            "owner": _json(event.owner),
        },
    )


def _add_turn(tables: Tables, stored: StoredEvent, turn: Mapping[str, object]) -> None:
    session = stored.owner_id
    own = {"session": session, "recorded_at": stored.recorded_at}
    tables.insert("turn", {**_EMPTY_TURN, **turn, **own})
    _extend_run(tables, session, cast(int, turn["sequence_number"]), cast(int, turn["line"]))
    _touch_session(tables, stored, {"last_seq": turn["sequence_number"]})


def _extend_run(tables: Tables, session: str, number: int, line: int) -> None:
    newest = tables.rows(
        "SELECT first, last, line FROM line_run WHERE session = ? ORDER BY first DESC LIMIT 1",
        (session,),
    )
    if newest and newest[0][1:] == (number - 1, line):
        tables.update("line_run", {"session": session, "first": newest[0][0]}, {"last": number})
    else:
        row = {"session": session, "first": number, "last": number, "line": line}
        tables.insert("line_run", row)


def _answer_ended(tables: Tables, stored: StoredEvent, event: e.AnswerEnded) -> None:
    tables.update(
        "turn",
        {"session": stored.owner_id, "sequence_number": event.sequence_number},
        {
            "text": event.text,
            "content": event.text,
            "status": event.status,
            "ended_at": stored.recorded_at,
            "reasoning": event.reasoning,
            "finish": event.finish,
            "usage": _json(event.usage),
            "cost": _json(event.cost),
            "attempts": event.attempts,
            "error": _json(event.error),
            "owner": None,
        },
    )
    good = event.status in ("complete", "stopped") and event.model is not None
    _touch_session(tables, stored, {"model": event.model} if good else {})


def _answer_chosen(tables: Tables, stored: StoredEvent, event: e.AnswerChosen) -> None:
    key = {"session": stored.owner_id, "sequence_number": event.question}
    tables.update("turn", key, {"chosen": event.answer})
    _touch_session(tables, stored, {})


def _answer_released(tables: Tables, stored: StoredEvent, event: e.AnswerReleased) -> None:
    key = {"session": stored.owner_id, "sequence_number": event.question}
    tables.update("turn", key, {"chosen": None})
    _touch_session(tables, stored, {})


# ---- requests ----------------------------------------------------------------------------------


def _request_stored(tables: Tables, stored: StoredEvent, event: e.RequestStored) -> None:
    for digest, text in event.texts.items():
        row = {"stream": stored.stream, "sha256": digest, "text": text}
        tables.insert_missing("stream_text", row)
    tables.insert(
        "request",
        {
            "id": event.request,
            "stream": stored.stream,
            "version": stored.version,
            "answer": None,
            "purpose": event.purpose,
            "model": event.model,
            "context_sha256": event.context_sha256,
            "status": None,
        },
    )


def _request_ended(tables: Tables, stored: StoredEvent, event: e.RequestEnded) -> None:
    tables.update("request", {"id": event.request}, {"status": event.status})


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.SpaceCreated: _space_created,
    e.SpaceChanged: _space_changed,
    e.SpaceDeleted: _space_deleted,
    e.BranchOpened: _branch_opened,
    e.BranchRenamed: _branch_renamed,
    e.BranchDisposed: _branch_disposed,
    e.CheckpointSaved: _checkpoint_saved,
    e.CheckpointDeleted: _checkpoint_deleted,
    e.NoteAdded: _note_added,
    e.SessionOpened: _session_opened,
    e.SessionChanged: _session_changed,
    e.SessionAttached: _session_attached,
    e.SessionDeleted: _session_deleted,
    e.SessionRestored: _session_restored,
    e.LineOpened: _line_opened,
    e.LineLeft: _line_left,
    e.LineResumed: _line_resumed,
    e.TurnAdded: _turn_added,
    e.AnswerStarted: _answer_started,
    e.AnswerEnded: _answer_ended,
    e.AnswerChosen: _answer_chosen,
    e.AnswerReleased: _answer_released,
    e.RequestStored: _request_stored,
    e.RequestEnded: _request_ended,
}
