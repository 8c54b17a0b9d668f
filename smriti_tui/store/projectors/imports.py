"""Turns that came from other tools."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain import events as e
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.imported import ImportedTurn
from smriti_tui.domain.values import canonical, sha256
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector, as_json, touch_session
from smriti_tui.store.projectors.turns import EMPTY_TURN, extend_run
from smriti_tui.store.statements import Tables

_SAID = ("title", "file", "created_at", "updated_at", "project", "branch")


def _thread_imported(tables: Tables, stored: StoredEvent, event: e.ThreadImported) -> None:
    key = {"session": stored.owner_id, "tool": event.tool, "source_id": event.source_id}
    said = {name: getattr(event, name) for name in _SAID}
    if tables.one("imported_thread", key, ("title",)) is None:
        tables.insert("imported_thread", {**key, **said})
    else:
        tables.update("imported_thread", key, said)


def _turns_imported(tables: Tables, stored: StoredEvent, event: e.TurnsImported) -> None:
    session = stored.owner_id
    own = {"session": session, "line": event.line, "recorded_at": stored.recorded_at}
    for number, taken in enumerate(event.turns, event.first):
        _add(tables, own, number, taken)
    extend_run(tables, session, event.first, event.last, event.line)
    models = [each.turn.model for each in event.turns if each.turn.model]
    newest = {"model": models[-1]} if models else {}
    touch_session(tables, stored, {"last_seq": event.last, **newest})


def _add(tables: Tables, own: Mapping[str, object], number: int, taken: e.TakenTurn) -> None:
    turn = taken.turn
    tables.insert(
        "turn",
        {
            **EMPTY_TURN,
            **own,
            "sequence_number": number,
            "role": turn.role,
            "text": turn.text,
            "content": turn.text,
            "status": "complete",
            "question": taken.question,
            "model": turn.model,
            "usage": as_json(turn.usage),
            "copied_from": as_json(taken.copied_from),
        },
    )
    here = {"session": own["session"], "sequence_number": number}
    tables.insert("imported_turn", {**here, **_beside(turn)})


def _beside(turn: ImportedTurn) -> dict[str, object]:
    details = [
        {name: value for name, value in to_json(each).items() if value not in (None, "", False)}
        for each in turn.details
    ]
    return {
        "source_id": turn.source_id,
        "text_sha256": sha256(turn.text),
        "said_at": turn.said_at,
        "detail_count": len(turn.details),
        "details": canonical(details) if details else "[]",
        "flags": canonical(list(turn.flags)) if turn.flags else "[]",
        "original_role": turn.original_role,
    }


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.ThreadImported: _thread_imported,
    e.TurnsImported: _turns_imported,
}
