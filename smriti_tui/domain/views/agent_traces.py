"""The `agent_traces` view: what agents were sent to do, what came of it, and what it cost.

A run goes from `agent_dispatched` to `agent_completed` or `agent_failed`. It is known by the `run`
that its events name, else by the event that dispatched it; an end that names no run ends the newest
open one of its agent (and item, if it names one). Tokens and costs that nobody told stay unknown:
they are counted, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from smriti_tui.domain.views.base import (
    NO_ID,
    REPEATED,
    Fact,
    Rule,
    View,
    ViewState,
    moment_of,
    text_in,
)

NAME: Final = "agent_traces"
LINKS: Final = ("session", "turn", "worktree", "branch", "checkpoint", "commit", "pr_link", "link")
_AGENT, _RUN, _ITEM = "agent:", "run:", "item:"
_SUMS: Final = {
    "runs": 0, "completed": 0, "failed": 0, "tokens": 0, "input_tokens": 0, "output_tokens": 0,
    "without_tokens": 0, "cost_usd": "0", "without_cost": 0,
}  # fmt: skip


# ---- lifecycle -----------------------------------------------------------------------------------


def _agent(state: ViewState, name: str) -> dict[str, Any]:
    known = state.items.get(_AGENT + name)
    if known is not None:
        return known
    made: dict[str, Any] = {
        "id": name,
        "state": None,
        "transitions": [],
        "last_activity": None,
        "open": [],
    }
    return state.items.put(_AGENT + name, {**made, **_SUMS})


def _moved(state: ViewState, fact: Fact, name: str, to: str) -> dict[str, Any]:
    """The agent after a step of its life; only a change that says when it was is a transition."""
    agent = _agent(state, name)
    said = text_in(fact.payload, "timestamp", "at")
    if agent["state"] != to:
        agent["state"] = to
        if said is not None:
            agent["transitions"].append({"state": to, "at": said})
    agent["last_activity"] = moment_of(fact)
    return agent


def _step(to: str) -> Rule:
    def rule(state: ViewState, fact: Fact) -> str | None:
        name = text_in(fact.payload, "agent", "agent_id")
        if name is None:
            return NO_ID
        _moved(state, fact, name, to)
        return None

    return rule


# ---- runs ----------------------------------------------------------------------------------------


def _dispatched(state: ViewState, fact: Fact) -> str | None:
    name = text_in(fact.payload, "agent", "agent_id")
    if name is None:
        return NO_ID
    key = text_in(fact.payload, "run", "run_id") or fact.event_id
    if _RUN + key in state.items:
        return REPEATED
    agent = _moved(state, fact, name, "dispatch")
    _new_run(state, fact, agent, key)["dispatched_at"] = moment_of(fact)
    agent["open"].append(key)
    return None


def _new_run(state: ViewState, fact: Fact, agent: dict[str, Any], key: str) -> dict[str, Any]:
    run = {
        "run": key, "agent": agent["id"], "item": _item_of(fact), "status": "dispatched",
        "model": None, "dispatched_at": None, "ended_at": None, "tokens": None,
        "input_tokens": None, "output_tokens": None, "cost_usd": None, "result": None,
        "error": None, "links": {},
    }  # fmt: skip
    _told(run, fact.payload)
    for sums in _summed(state, run):
        sums["runs"] += 1
    return state.items.put(_RUN + key, run)


def _ended(status: str) -> Rule:
    def rule(state: ViewState, fact: Fact) -> str | None:
        name = text_in(fact.payload, "agent", "agent_id")
        key = text_in(fact.payload, "run", "run_id")
        named = state.items.get(_RUN + key) if key is not None else None
        if name is None and named is not None:
            name = str(named["agent"])
        if name is None:
            return NO_ID
        if named is not None and named["status"] != "dispatched":
            return REPEATED
        agent = _moved(state, fact, name, "done" if status == "completed" else status)
        run = named or _newest_open(state, agent, _item_of(fact))
        if run is None:
            run = _new_run(state, fact, agent, key or fact.event_id)
        _end(state, fact, run, status)
        return None

    return rule


def _newest_open(
    state: ViewState, agent: Mapping[str, Any], item: str | None
) -> dict[str, Any] | None:
    for key in reversed(agent["open"]):
        run = state.items.get(_RUN + key)
        if run is not None and item in (None, run["item"]):
            return run
    return None


def _end(state: ViewState, fact: Fact, run: dict[str, Any], status: str) -> None:
    run["status"], run["ended_at"] = status, moment_of(fact)
    _told(run, fact.payload)
    run["error"] = fact.payload.get("error") if status == "failed" else None
    for sums in _summed(state, run):
        sums[status] += 1
        _add(sums, run)
    opened = _agent(state, str(run["agent"]))["open"]
    if run["run"] in opened:
        opened.remove(run["run"])


def _told(run: dict[str, Any], payload: Mapping[str, Any]) -> None:
    """What an event says of its run, over what an earlier one said."""
    usage = payload.get("usage") or payload.get("tokens")
    given = usage if isinstance(usage, Mapping) else payload
    read = _count(given, "input_tokens", "tokens_in", "input")
    written = _count(given, "output_tokens", "tokens_out", "output")
    both = None if read is None and written is None else (read or 0) + (written or 0)
    found = {
        "model": text_in(payload, "model"),
        "tokens": _count(payload, "total_tokens", "tokens") or both,
        "input_tokens": read,
        "output_tokens": written,
        "cost_usd": _usd(payload),
        "result": payload.get("result"),
    }
    run.update({name: value for name, value in found.items() if value is not None})
    run["links"].update(
        {name: payload[name] for name in LINKS if isinstance(payload.get(name), str | int)}
    )


# ---- sums ----------------------------------------------------------------------------------------


def _summed(state: ViewState, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a run counts for: all runs, its agent's, its item's."""
    found = [state.head.setdefault("totals", dict(_SUMS)), _agent(state, str(run["agent"]))]
    if (item := run["item"]) is None:
        return found
    known = state.items.get(_ITEM + item)
    if known is None:
        known = state.items.put(_ITEM + item, {"item": item, "agents": [], **_SUMS})
    if run["agent"] not in known["agents"]:
        known["agents"].append(run["agent"])
    return [*found, known]


def _add(sums: dict[str, Any], run: Mapping[str, Any]) -> None:
    for name in ("tokens", "input_tokens", "output_tokens"):
        sums[name] += run[name] or 0
    sums["without_tokens"] += run["tokens"] is None
    if run["cost_usd"] is None:
        sums["without_cost"] += 1
    else:
        sums["cost_usd"] = f"{Decimal(sums['cost_usd']) + Decimal(run['cost_usd']):f}"


def _count(payload: Mapping[str, Any], *keys: str) -> int | None:
    for key in keys:
        found = payload.get(key)
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
    return None


def _usd(payload: Mapping[str, Any]) -> str | None:
    """A cost as a decimal text, if one was told."""
    cost = payload.get("cost_usd", payload.get("cost"))
    if isinstance(cost, Mapping):
        cost = cost.get("usd")
    if isinstance(cost, bool) or not isinstance(cost, str | int | float):
        return None
    try:
        found = Decimal(str(cost))
    except InvalidOperation:
        return None
    # What no bill says would make the sums thousands of digits long.
    sane = found.is_finite() and 0 <= found < Decimal(10) ** 12
    return f"{round(found, 12).normalize():f}" if sane else None


def _item_of(fact: Fact) -> str | None:
    return text_in(fact.payload, "item", "item_id", "task", "task_id")


# ---- the document --------------------------------------------------------------------------------


def _document(state: ViewState) -> dict[str, Any]:
    def of(prefix: str) -> list[dict[str, Any]]:
        found = (state.items.get(key) for key in state.items if key.startswith(prefix))
        return [each for each in found if each is not None]

    agents = [{k: v for k, v in each.items() if k != "open"} for each in of(_AGENT)]
    return {
        "version": 1,
        "agents": sorted(agents, key=lambda agent: str(agent["id"])),
        "items": of(_ITEM),
        "runs": of(_RUN),
        "totals": dict(state.head.get("totals", _SUMS)),
    }


VIEW: Final = View(
    NAME,
    1,
    (NAME,),
    {
        "agent_dispatched": _dispatched,
        "agent_working": _step("working"),
        "agent_done": _step("done"),
        "agent_stalled": _step("stalled"),
        "agent_completed": _ended("completed"),
        "agent_failed": _ended("failed"),
    },
    _document,
)
