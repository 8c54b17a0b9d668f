"""`STATE.md`: phase, activity, next steps, decisions and the latest audit.

From the last export alone a lost log is recovered: the file has all that the view is read for, and
who reads it back gets the same file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.view_files.base import Taken, ViewFile
from smriti_tui.domain.view_files.lines import line_of, name_and_value, named, value_of
from smriti_tui.domain.views import orchestrator_status
from smriti_tui.domain.views.base import ViewState

TITLE: Final = "# Orchestrator status"
HEAD: Final = {
    "Phase": "phase", "Phase reason": "phase_reason", "Activity": "activity",
    "Updated": "updated_at",
}  # fmt: skip
STEPS, DECISIONS, AUDIT = "## Next steps", "## Decisions", "## Latest audit"
AUDITED: Final = {"Level": "level", "Findings": "findings_count", "Summary": "summary"}
WHY: Final = "  - Why: "


@dataclass
class _Status:
    """A file as it was read."""

    head: dict[str, object] = field(default_factory=dict)
    steps: list[object] = field(default_factory=list)
    decisions: dict[str, dict[str, object]] = field(default_factory=dict)
    audit: dict[str, object] = field(default_factory=dict)


def render(state: ViewState) -> str:
    document = orchestrator_status.VIEW.document(state)
    parts = [f"{TITLE}\n\n" + "".join(f"- {named(n, document[key])}\n" for n, key in HEAD.items())]
    if document["next_steps"]:
        steps = enumerate(document["next_steps"], 1)
        parts.append(f"{STEPS}\n\n" + "".join(f"{n}. {line_of(step)}\n" for n, step in steps))
    if document["decisions"]:
        parts.append(f"{DECISIONS}\n\n" + "".join(map(_decision, document["decisions"].values())))
    if (audit := document["latest_audit"]) is not None:
        lines = "".join(f"- {named(name, audit[key])}\n" for name, key in AUDITED.items())
        parts.append(f"{AUDIT}\n\n{lines}")
    return "\n".join(parts)


def _decision(decision: dict[str, Any]) -> str:
    line = f"- {named(str(decision['key']), decision['value'])}\n"
    why = decision["justification"]
    return line if why is None else f"{line}{WHY}{line_of(why)}\n"


def parse(text: str) -> _Status:
    """Raises: Invalid: a line that belongs to nothing, with its number."""
    status, section, last = _Status(), "", ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if line.startswith("#"):
            section = line.strip()
            continue
        last = _read(status, section, last, line, number)
    return status


def _read(status: _Status, section: str, last: str, line: str, number: int) -> str:
    """Reads one line; returns the key of the decision that a reason below it belongs to."""
    pair = name_and_value(line[2:]) if line.startswith("- ") else None
    if section == STEPS and (step := _step(line)) is not None:
        status.steps.append(step[0])
    elif section == DECISIONS and line.startswith(WHY) and last:
        status.decisions[last]["justification"] = value_of(line[len(WHY) :])
    elif section == DECISIONS and pair is not None:
        status.decisions[pair[0]] = {"value": pair[1], "justification": None}
        return pair[0]
    elif section == AUDIT and pair is not None and pair[0] in AUDITED:
        status.audit[AUDITED[pair[0]]] = pair[1]
    elif section == TITLE and pair is not None and pair[0] in HEAD:
        status.head[HEAD[pair[0]]] = _text(pair[1], pair[0], number)
    else:
        what = f"Line {number} of the file belongs to nothing: {line[:60]!r}."
        raise Invalid(what, f"The sections are {TITLE!r}, {STEPS!r}, {DECISIONS!r}, {AUDIT!r}.")
    return last


def _step(line: str) -> tuple[object] | None:
    number, dot, rest = line.partition(". ")
    return (value_of(rest),) if dot and number.strip().isdigit() else None


def _text(value: object, name: str, number: int) -> str | None:
    if value is None or (isinstance(value, str) and value.strip()):
        return value
    what = f"Line {number} of the file: {name} is no text."
    raise Invalid(what, 'Write words, or null; put a number into quotes: "12".')


def take(state: ViewState, text: str) -> Taken:
    """The changes of a file against the log.

    Raises: Invalid, as `parse`.
    """
    found, now, taken = parse(text), orchestrator_status.VIEW.document(state), Taken()
    dated = _dated(found.head.get("updated_at"), now["updated_at"])
    if found.steps != now["next_steps"]:
        taken.add("steps", ("next_steps_updated", {"steps": found.steps, **dated}))
    for key, told in found.decisions.items():
        known = now["decisions"].get(key)
        if known is None or any(known[name] != value for name, value in told.items()):
            taken.add("decisions", ("decision_locked", {"key": key, **told, **dated}))
    for key in now["decisions"]:
        if key not in found.decisions:
            taken.left.append(f"The decision {key} is not in the file; it stays.")
    audit = now["latest_audit"] or {}
    if found.audit and any(audit.get(name) != value for name, value in found.audit.items()):
        taken.add("audit", ("audit_findings_recorded", {**found.audit, **dated}))
    _take_head(taken, found, now, dated)
    when = found.head.get("updated_at")
    cleared = bool(taken.facts) and taken.facts[-1][0] == "status_cleared"
    if when is not None and (cleared or (now["updated_at"] is None and not taken.facts)):
        # The file has a time and nothing that carries it.
        taken.add("steps", ("next_steps_updated", {"steps": found.steps, "timestamp": when}))
    return taken


def _dated(told: object, known: str | None) -> dict[str, object]:
    """The file's own time for its changes, where it is no older than what the log knows: who edits
    by hand leaves the line as it was."""
    later = isinstance(told, str) and (known is None or told > known)
    return {"timestamp": told} if later else {}


def _take_head(taken: Taken, found: _Status, now: dict[str, Any], dated: dict[str, object]) -> None:
    """Phase and activity; what the file leaves out stays as it is."""
    wanted = {key: found.head.get(key, now[key]) for key in ("phase", "phase_reason", "activity")}
    emptied = any(now[key] is not None and wanted[key] is None for key in ("phase", "activity"))
    undated = "updated_at" in found.head and found.head["updated_at"] is None
    if emptied or (undated and (taken.facts or now["updated_at"] is not None)):
        taken.add("cleared", ("status_cleared", {}))
        now = {**now, "phase": None, "phase_reason": None, "activity": None}
    if wanted["activity"] not in (None, now["activity"]):
        taken.add("activity", ("activity_changed", {"activity": wanted["activity"], **dated}))
    phase, reason = wanted["phase"], wanted["phase_reason"]
    if phase is not None and (phase, reason) != (now["phase"], now["phase_reason"]):
        if undated and reason is None:
            taken.add("phase", ("phase_set", {"phase": phase}))
        else:
            taken.add("phase", ("phase_changed", {"phase": phase, "reason": reason, **dated}))


FILE: Final = ViewFile(
    orchestrator_status.NAME, "STATE.md", render, take, orchestrator_status.INGESTED
)
