"""The `orchestrator_status` view: phase, activity, next steps, decisions, the latest audit.

The last value of each wins, decisions by their key. Events of the older stream `meta` are folded
too; they carry no time.
"""

from __future__ import annotations

from typing import Any, Final

from smriti_tui.domain.views.base import (
    EMPTY,
    NO_ID,
    Fact,
    View,
    ViewState,
    ignored,
    moment_of,
    text_in,
)

NAME: Final = "orchestrator_status"
INGESTED: Final = "status_ingested"
"""A file was taken in: its hash."""
ROLE: Final = "orchestrator"


def _phase(state: ViewState, fact: Fact) -> str | None:
    phase = text_in(fact.payload, "phase")
    if phase is None:
        return EMPTY
    reason = text_in(fact.payload, "reason")
    state.head.update(phase=phase, phase_reason=reason, updated_at=moment_of(fact))
    return None


def _older_phase(state: ViewState, fact: Fact) -> str | None:
    phase = text_in(fact.payload, "phase")
    if phase is None:
        return EMPTY
    state.head.update(phase=phase, phase_reason=None)
    return None


def _activity(state: ViewState, fact: Fact) -> str | None:
    activity = text_in(fact.payload, "activity")
    if activity is None:
        return EMPTY
    state.head.update(activity=activity, updated_at=moment_of(fact))
    return None


def _cleared(state: ViewState, fact: Fact) -> None:
    state.head.update(activity=None, phase=None, phase_reason=None, updated_at=None)


def _steps(state: ViewState, fact: Fact) -> str | None:
    steps = fact.payload.get("steps")
    if not isinstance(steps, list):
        return EMPTY
    state.head.update(next_steps=steps, updated_at=moment_of(fact))
    return None


def _decision(state: ViewState, fact: Fact) -> str | None:
    key = text_in(fact.payload, "key")
    if key is None:
        return NO_ID
    told = {name: fact.payload.get(name) for name in ("value", "justification")}
    state.items.put(key, {"key": key, **told, "by": fact.actor, "at": moment_of(fact)})
    state.head["updated_at"] = moment_of(fact)
    return None


def _audit(state: ViewState, fact: Fact) -> str | None:
    told = {name: fact.payload.get(name) for name in ("level", "findings_count", "summary")}
    if all(value is None for value in told.values()):
        return EMPTY
    state.head["latest_audit"] = {**told, "by": fact.actor, "at": moment_of(fact)}
    state.head["updated_at"] = moment_of(fact)
    return None


def _document(state: ViewState) -> dict[str, Any]:
    head = state.head
    return {
        "id": "main",
        "role": ROLE,
        "phase": head.get("phase"),
        "phase_reason": head.get("phase_reason"),
        "activity": head.get("activity"),
        "updated_at": head.get("updated_at"),
        "next_steps": list(head.get("next_steps", ())),
        "decisions": {str(each["key"]): each for each in state.items.values()},
        "latest_audit": head.get("latest_audit"),
    }


VIEW: Final = View(
    NAME,
    1,
    (NAME, "meta"),
    {
        "phase_changed": _phase,
        "phase_set": _older_phase,
        "activity_changed": _activity,
        "status_cleared": _cleared,
        "next_steps_updated": _steps,
        "decision_locked": _decision,
        "audit_findings_recorded": _audit,
        INGESTED: ignored,
    },
    _document,
)
