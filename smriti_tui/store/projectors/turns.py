"""Turns, answers and the stretches of a session that lie on one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector, as_json, touch_session
from smriti_tui.store.statements import Tables

EMPTY_TURN: Mapping[str, object] = {
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
            "copied_from": as_json(event.copied_from),
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
            "owner": as_json(event.owner),
        },
    )


def _add_turn(tables: Tables, stored: StoredEvent, turn: Mapping[str, object]) -> None:
    session = stored.owner_id
    own = {"session": session, "recorded_at": stored.recorded_at}
    tables.insert("turn", {**EMPTY_TURN, **turn, **own})
    number = cast(int, turn["sequence_number"])
    extend_run(tables, session, number, number, cast(int, turn["line"]))
    touch_session(tables, stored, {"last_seq": number})


def extend_run(tables: Tables, session: str, first: int, last: int, line: int) -> None:
    """Notes down which line the turns from `first` to `last` lie on."""
    newest = tables.rows(
        "SELECT first, last, line FROM line_run WHERE session = ? ORDER BY first DESC LIMIT 1",
        (session,),
    )
    if newest and newest[0][1:] == (first - 1, line):
        tables.update("line_run", {"session": session, "first": newest[0][0]}, {"last": last})
    else:
        row = {"session": session, "first": first, "last": last, "line": line}
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
            "usage": as_json(event.usage),
            "cost": as_json(event.cost),
            "attempts": event.attempts,
            "error": as_json(event.error),
            "owner": None,
        },
    )
    good = event.status in ("complete", "stopped") and event.model is not None
    touch_session(tables, stored, {"model": event.model} if good else {})


def _answer_chosen(tables: Tables, stored: StoredEvent, event: e.AnswerChosen) -> None:
    key = {"session": stored.owner_id, "sequence_number": event.question}
    tables.update("turn", key, {"chosen": event.answer})
    touch_session(tables, stored, {})


def _answer_released(tables: Tables, stored: StoredEvent, event: e.AnswerReleased) -> None:
    key = {"session": stored.owner_id, "sequence_number": event.question}
    tables.update("turn", key, {"chosen": None})
    touch_session(tables, stored, {})


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.TurnAdded: _turn_added,
    e.AnswerStarted: _answer_started,
    e.AnswerEnded: _answer_ended,
    e.AnswerChosen: _answer_chosen,
    e.AnswerReleased: _answer_released,
}
