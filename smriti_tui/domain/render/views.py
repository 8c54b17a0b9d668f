"""Views of open streams as documents and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, Protocol

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.values import canonical, parse_utc
from smriti_tui.domain.views import agent_traces, buildlog, orchestrator_status, tracker
from smriti_tui.domain.views.base import View, ViewState

Read = Mapping[str, Any]
"""What `View.document` gave."""
FIELDS: Final = frozenset(tracker.FIELDS)
_LISTS: Final = frozenset({"agents", "entries", "items", "runs"})
LONGEST: Final = 160
"""Characters of a value in the text; documents have it whole."""
FRESH_S, AHEAD_S = 300, 120
"""A status is fresh for so long; a clock that is more ahead than that is not believed."""
INACTIVE_S, STALLED_S = 300, 600
"""An agent at work that has not been heard of for longer."""


class Folded(Protocol):
    """A view, what was folded, and up to where."""

    @property
    def view(self) -> View: ...
    @property
    def state(self) -> ViewState: ...
    @property
    def versions(self) -> Mapping[str, int]: ...
    @property
    def position(self) -> int: ...


def folded_document(folded: Folded, limit: int | None = None) -> Document:
    """The view's own keys, and under `folded` what it was made from.

    With `limit` each list has at most so many rows: the newest, of a tracker those that are open
    before all others.
    """
    document, left_out = _limited(folded.view.document(folded.state), limit)
    return {
        **document,
        "folded": {
            "view": folded.view.name,
            "projector": folded.view.version,
            "position": folded.position,
            "streams": {name: folded.versions.get(name, 0) for name in folded.view.streams},
            "skipped": {why: dict(types) for why, types in sorted(folded.state.skipped.items())},
            "left_out": left_out,
        },
    }


def _limited(document: Document, limit: int | None) -> tuple[Document, dict[str, int]]:
    """The document with lists of at most `limit` rows, and how many each lacks."""
    left_out: dict[str, int] = {}
    for key in _LISTS & set(document):
        rows = document[key]
        if limit is None or not isinstance(rows, list) or len(rows) <= limit:
            continue
        ranked = sorted(range(len(rows)), key=lambda i: (tracker.is_closed(rows[i]), -i))
        left_out[key] = len(rows) - limit
        document = {**document, key: [rows[i] for i in sorted(ranked[:limit])]}
    return document, left_out


def folded_text(folded: Folded, now: str, limit: int | None = None) -> str:
    """The view as Markdown, then what was left out and skipped. `now` is a UTC text, for ages."""
    write = _WRITERS[folded.view.name]
    document, left_out = _limited(folded.view.document(folded.state), limit)
    parts = [*write(document, now), *skipped_lines(folded.state)]
    if left_out:
        told = ", ".join(f"{number} of {key}" for key, number in sorted(left_out.items()))
        parts.append(f"Left out: {told}. A higher limit shows them.")
    at = ", ".join(f"{name} {number}" for name, number in sorted(folded.versions.items()))
    return "\n\n".join((*parts, f"Folded up to: {at or 'nothing yet'}."))


def skipped_lines(state: ViewState) -> list[str]:
    """What changed nothing, with its reasons; empty where there is no such event."""
    told: list[str] = []
    for why, types in sorted(state.skipped.items()):
        kinds = ", ".join(f"{clean_line(name)} {number}" for name, number in sorted(types.items()))
        told.append(f"{why}: {kinds}")
    total = sum(sum(types.values()) for types in state.skipped.values())
    return [f"Skipped {counted(total, 'event')}: {'; '.join(told)}."] if told else []


# ---- tracker -------------------------------------------------------------------------------------


def lane_of(item: Mapping[str, Any]) -> str:
    """The lane that an item stands in on the board; archived ones have their own."""
    if item.get("status") == "archived":
        return "archived"
    lane = item.get("lane")
    return lane if isinstance(lane, str) and lane.strip() else tracker.LANES[0]


def lanes(items: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Items by lane: the known lanes in their order, then others by name, archived ones last."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for item in items:
        found.setdefault(lane_of(item), []).append(item)
    others = sorted(set(found) - {*tracker.LANES, "archived"})
    order = (*tracker.LANES, *others, "archived")
    return {lane: found[lane] for lane in order if lane in found}


def item_line(item: Mapping[str, Any]) -> str:
    """Id, priority, status and title of an item on one line."""
    words = [_word(item.get(key)) for key in ("id", "priority", "status")]
    tags = item.get("tags")
    tagged = ", ".join(map(_word, tags)) if isinstance(tags, list) else ""
    line = f"{' '.join(filter(None, words))}: {_word(item.get('title')) or '(no title)'}"
    return f"{line} [{tagged}]" if tagged else line


def item_rows(item: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All fields of an item, the known ones in their order."""
    names = [*(name for name in tracker.FIELDS if name in item), *sorted(set(item) - FIELDS)]
    return [
        (name, value if isinstance(value := item[name], str) else canonical(value))
        for name in names
    ]


def tracker_text(items: Sequence[Mapping[str, Any]]) -> str:
    """Items by lane, as Markdown."""
    return "\n\n".join(_lanes(items))


def _tracker(document: Read, now: str) -> list[str]:
    parts = _lanes(document["items"])
    if document["reopened"]:
        parts.append(f"Closed once and open again: {', '.join(map(_word, document['reopened']))}.")
    return parts


def _lanes(items: Sequence[Mapping[str, Any]]) -> list[str]:
    closed = sum(map(tracker.is_closed, items))
    parts = [f"# Tracker: {counted(len(items), 'item')}, {closed} closed"]
    for lane, there in lanes(items).items():
        rows = "\n".join(f"- {item_line(item)}" for item in there)
        parts.append(f"## {clean_line(lane)}: {len(there)}\n\n{rows}")
    return parts


# ---- status --------------------------------------------------------------------------------------


def freshness(updated_at: object, now: str) -> str:
    """`fresh`, `stale` or `unknown`: of a status that its writer dated (UTC texts)."""
    try:
        distance = parse_utc(now) - parse_utc(_utc(str(updated_at)))
    except ValueError:
        return "unknown"
    fresh = timedelta(seconds=-AHEAD_S) <= distance <= timedelta(seconds=FRESH_S)
    return "fresh" if fresh else "stale"


def _utc(moment: str) -> str:
    """A time with whole seconds in the form of all others."""
    return f"{moment[:-1]}.000000Z" if len(moment) == len("2026-03-02T14:05:09Z") else moment


def _status(document: Read, now: str) -> list[str]:
    updated = document["updated_at"]
    when = "never" if updated is None else f"{_word(updated)} ({freshness(updated, now)})"
    reason = document["phase_reason"]
    head = [
        "# Orchestrator",
        f"- Phase: {_word(document['phase']) or 'none'}{f' ({_word(reason)})' if reason else ''}",
        f"- Activity: {_word(document['activity']) or 'none'}",
        f"- Updated: {when}",
    ]
    parts = ["\n".join((head[0], "", *head[1:]))]
    steps = [f"{number}. {_word(step)}" for number, step in enumerate(document["next_steps"], 1)]
    if steps:
        parts.append("## Next steps\n\n" + "\n".join(steps))
    decisions = [
        f"- {_word(key)}: {_word(each['value'])}"
        + (f" ({_word(each['justification'])})" if each["justification"] else "")
        for key, each in document["decisions"].items()
    ]
    if decisions:
        parts.append("## Decisions\n\n" + "\n".join(decisions))
    if (audit := document["latest_audit"]) is not None:
        told = ", ".join(
            f"{name} {_word(audit[key])}"
            for name, key in (("level", "level"), ("findings", "findings_count"))
            if audit[key] is not None
        )
        parts.append(f"## Latest audit\n\n{told}\n{_word(audit['summary'])}".rstrip())
    return parts


# ---- traces --------------------------------------------------------------------------------------


def agent_state(agent: Mapping[str, Any], now: str) -> str:
    """The state of an agent as it is shown: one at work that is not heard of is inactive after
    five minutes, stalled after ten."""
    state = agent["state"]
    if state not in ("dispatch", "working"):
        return _word(state)
    try:
        silent = parse_utc(now) - parse_utc(_utc(str(agent["last_activity"])))
    except ValueError:
        return _word(state)
    if silent > timedelta(seconds=STALLED_S):
        return "stalled"
    return "inactive" if silent > timedelta(seconds=INACTIVE_S) else _word(state)


def _sums(record: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Runs, failed ones, tokens and cost; what nobody told is said, never counted as nothing."""
    tokens, cost = f"{record['tokens']:,}", f"${record['cost_usd']}"
    if (missing := record["without_tokens"]) > 0:
        tokens += f" +{missing} unknown"
    if (missing := record["without_cost"]) > 0:
        cost += f" +{missing} unknown"
    return str(record["runs"]), str(record["failed"]), tokens, cost


_SUMMED: Final = ("runs", "failed", "tokens", "cost")


def _traces(document: Read, now: str) -> list[str]:
    runs, failed, tokens, cost = _sums(document["totals"])
    parts = [
        f"# Agent traces: {counted(int(runs), 'run')}, {failed} failed\n\n"
        f"Tokens: {tokens}. Cost: {cost}."
    ]
    agents = [
        (_word(each["id"]), agent_state(each, now), *_sums(each), _since(each, now))
        for each in document["agents"]
    ]
    if agents:
        head = ("agent", "state", *_SUMMED, "last activity")
        parts.append("## Agents\n\n" + table(head, agents, right=(2, 3)))
    items = [
        (_word(each["item"]), ", ".join(map(_word, each["agents"])), *_sums(each))
        for each in document["items"]
    ]
    if items:
        parts.append("## Items\n\n" + table(("item", "agents", *_SUMMED), items, right=(2, 3)))
    return [*parts, *_runs(document["runs"])]


def _since(agent: Mapping[str, Any], now: str) -> str:
    try:
        return age(_utc(str(agent["last_activity"])), now)
    except ValueError:
        return _word(agent["last_activity"])


def _runs(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = [
        (
            _word(each["run"])[:8], _word(each["agent"]), _word(each["item"]),
            _word(each["status"]), _word(each["model"]),
            _word(each["error"] if each["status"] == "failed" else each["result"]),
            " ".join(f"{name} {_word(value)}" for name, value in each["links"].items()),
        )
        for each in runs
    ]  # fmt: skip
    head = ("run", "agent", "item", "status", "model", "result", "links")
    return ["## Runs\n\n" + table(head, rows)] if rows else []


# ---- build log -----------------------------------------------------------------------------------


def _buildlog(document: Read, now: str) -> list[str]:
    entries = document["entries"]
    lines = "\n".join(f"- {_word(each['line'])}" for each in entries)
    return [f"# Build log: {len(entries)} {'entry' if len(entries) == 1 else 'entries'}", lines]


def _word(value: object) -> str:
    """A value from an event on one line, its beginning where it is long; nothing for null."""
    if value is None:
        return ""
    word = clean_line(value if isinstance(value, str) else canonical(value))
    return word if len(word) <= LONGEST else f"{word[: LONGEST - 2]}.."


_WRITERS: Final[Mapping[str, Callable[[Read, str], list[str]]]] = {
    tracker.NAME: _tracker,
    orchestrator_status.NAME: _status,
    agent_traces.NAME: _traces,
    buildlog.NAME: _buildlog,
}
