"""The folds of open streams: what each event does, and that nothing in one can break them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.render.views import agent_state, freshness, lanes
from smriti_tui.domain.values import canonical
from smriti_tui.domain.views import VIEWS, Fact, ViewState, registered
from smriti_tui.domain.views.snapshot import snapshot_text, state_of

AT = "2026-03-02T14:05:09.000000Z"
Told = tuple[str, dict[str, Any]]


def fact(type_name: str, payload: dict[str, Any], number: int = 0) -> Fact:
    return Fact(
        type_name, payload, "ada", f"2026-03-02T14:05:{number % 60:02}.000000Z", f"e{number}"
    )


def fold(view: str, *events: Told) -> ViewState:
    state = ViewState()
    for number, (type_name, payload) in enumerate(events):
        VIEWS[view].apply(state, fact(type_name, payload, number))
    return state


def document(view: str, *events: Told) -> dict[str, Any]:
    return VIEWS[view].document(fold(view, *events))


def items(*events: Told) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document("tracker", *events)["items"]
    return found


# ---- tracker -------------------------------------------------------------------------------------


def test_items_keep_their_order_and_what_is_not_touched() -> None:
    events: tuple[Told, ...] = (
        ("item_created", {"id": "b", "title": "B", "tags": ["x"], "own": {"kept": [1]}}),
        ("item_created", {"id": "a", "title": "A", "lane": "ranked", "status": "todo"}),
        ("item_updated", {"id": "b", "title": "B2"}),
        ("item_archived", {"id": "a", "completed_at": AT}),
        ("moved", {"id": "a"}),
    )
    assert items(*events) == [
        {"id": "b", "title": "B2", "tags": ["x"], "own": {"kept": [1]}},
        {"id": "a", "title": "A", "lane": "ranked", "status": "archived", "completed_at": AT},
    ]
    assert fold("tracker", *events).skipped == {"unknown type": {"moved": 1}}


def test_what_names_no_item_is_skipped_and_counted() -> None:
    state = fold(
        "tracker",
        ("item_created", {"title": "no id"}),
        ("item_created", {"id": "  "}),
        ("item_updated", {"id": "x", "title": "?"}),
        ("item_archived", {"id": "x"}),
        ("item_created", {"id": "y"}),
        ("item_updated", {"id": "y"}),
    )
    assert list(state.items) == ["y"]
    assert state.skipped == {
        "no id": {"item_created": 2},
        "unknown id": {"item_updated": 1, "item_archived": 1},
        "nothing in it": {"item_updated": 1},
    }


def test_a_second_creation_fills_gaps_and_resets_nothing() -> None:
    created = ("item_created", {"id": "a", "title": "A", "notes": None, "status": "todo"})
    done = ("item_updated", {"id": "a", "status": "done"})
    again = (
        "item_created",
        {"id": "a", "title": "Z", "notes": "n", "status": "todo", "lane": "proposed"},
    )
    [item] = items(created, done, again)
    assert (item["title"], item["notes"], item["status"]) == ("A", "n", "done")
    assert "lane" not in item
    assert fold("tracker", created, again).skipped == {"repeated": {"item_created": 1}}


def test_an_archive_without_a_time_leaves_lane_and_time() -> None:
    created = ("item_created", {"id": "a", "lane": "done", "completed_at": AT})
    assert items(created, ("item_archived", {"id": "a"})) == [
        {"id": "a", "lane": "done", "completed_at": AT, "status": "archived"}
    ]


def test_done_is_dated_once() -> None:
    created, done = ("item_created", {"id": "a"}), ("item_updated", {"id": "a", "status": "done"})
    [once] = items(created, done)
    [twice] = items(created, done, done, ("item_updated", {**done[1], "completed_at": AT}))
    assert once["completed_at"] == twice["completed_at"] == "2026-03-02T14:05:01.000000Z"
    [dated] = items(created, ("item_updated", {**done[1], "completed_at": AT}))
    assert dated["completed_at"] == AT


def test_what_goes_back_is_reported() -> None:
    created, done = ("item_created", {"id": "a"}), ("item_updated", {"id": "a", "status": "done"})
    back = ("item_updated", {"id": "a", "status": "in-progress"})
    assert document("tracker", created, done, back)["reopened"] == ["a"]
    rejected = ("item_updated", {"id": "a", "status": "rejected"})
    assert document("tracker", created, done, rejected)["reopened"] == []


def test_lanes_have_one_order() -> None:
    there: list[dict[str, Any]] = [
        {"lane": "zeta"}, {"lane": "done"}, {"lane": None}, {"lane": "ranked"},
        {"status": "archived", "lane": "ranked"}, {"lane": 3},
    ]  # fmt: skip
    assert list(lanes(there)) == ["proposed", "ranked", "done", "zeta", "archived"]


# ---- status --------------------------------------------------------------------------------------


def test_each_part_of_the_status_has_its_last_value() -> None:
    told = document(
        "orchestrator_status",
        ("phase_changed", {"phase": "plan", "timestamp": AT}),
        ("phase_changed", {"phase": "  "}),
        ("next_steps_updated", {"steps": ["a", "b"]}),
        ("decision_locked", {"key": "db", "value": "pg", "justification": "j"}),
        ("decision_locked", {"key": "db", "value": "sqlite"}),
        ("decision_locked", {"key": "ui", "value": "tui"}),
        ("audit_findings_recorded", {"level": "high", "findings_count": 2, "summary": "s"}),
        ("activity_changed", {"activity": "building", "timestamp": AT}),
        ("activity_changed", {"activity": None}),
    )
    assert (told["phase"], told["activity"], told["updated_at"]) == ("plan", "building", AT)
    assert told["next_steps"] == ["a", "b"]
    assert {key: each["value"] for key, each in told["decisions"].items()} == {
        "db": "sqlite", "ui": "tui",
    }  # fmt: skip
    assert told["latest_audit"]["findings_count"] == 2


def test_a_cleared_status_has_neither_phase_nor_time() -> None:
    told = document(
        "orchestrator_status",
        ("phase_changed", {"phase": "plan"}),
        ("status_cleared", {}),
    )
    assert (told["phase"], told["activity"], told["updated_at"]) == (None, None, None)
    older = document("orchestrator_status", ("phase_set", {"phase": "old"}))
    assert (older["phase"], older["updated_at"]) == ("old", None)


@pytest.mark.parametrize(
    ("now", "word"),
    [
        ("2026-03-02T14:10:09.000000Z", "fresh"),
        ("2026-03-02T14:10:10.000000Z", "stale"),
        ("2026-03-02T14:04:09.000000Z", "fresh"),
        ("2026-03-02T14:03:08.000000Z", "stale"),
    ],
)
def test_a_status_ages(now: str, word: str) -> None:
    assert freshness(AT, now) == freshness("2026-03-02T14:05:09Z", now) == word
    assert freshness("yesterday", now) == "unknown"


# ---- traces --------------------------------------------------------------------------------------


def test_an_agent_goes_through_its_states() -> None:
    told = document(
        "agent_traces",
        ("agent_dispatched", {"agent_id": "z", "timestamp": "1"}),
        ("agent_working", {"agent_id": "z", "timestamp": "2"}),
        ("agent_working", {"agent_id": "z", "timestamp": "3"}),
        ("agent_stalled", {"agent_id": "a"}),
        ("agent_done", {"agent_id": "z", "timestamp": "4"}),
        ("agent_done", {}),
    )
    first, second = told["agents"]
    assert (first["id"], first["state"], first["transitions"]) == ("a", "stalled", [])
    assert [step["state"] for step in second["transitions"]] == ["dispatch", "working", "done"]
    assert second["last_activity"] == "4"


def test_an_item_tells_who_did_what_at_which_cost() -> None:
    told = document(
        "agent_traces",
        ("agent_dispatched", {"agent": "a", "item": "T1", "model": "m", "run": "r1"}),
        ("agent_dispatched", {"agent": "a", "item": "T2"}),
        ("agent_completed", {
            "agent": "a", "item": "T1", "usage": {"input_tokens": 10, "output_tokens": 5},
            "cost": {"usd": "0.10", "source": "bill"}, "result": "ok", "pr_link": "pr/1",
        }),
        ("agent_completed", {"run": "r1", "cost": 99}),
        ("agent_failed", {"agent": "a", "error": "timeout"}),
        ("agent_completed", {"agent": "b", "item": "T1", "tokens": 7, "cost_usd": 0.2}),
    )  # fmt: skip
    runs = {run["run"]: run for run in told["runs"]}
    assert runs["r1"]["links"] == {"pr_link": "pr/1"}
    assert (runs["r1"]["model"], runs["r1"]["result"]) == ("m", "ok")
    assert (runs["e1"]["status"], runs["e1"]["error"]) == ("failed", "timeout")
    item = next(each for each in told["items"] if each["item"] == "T1")
    assert (item["agents"], item["runs"], item["tokens"], item["cost_usd"]) == (
        ["a", "b"], 2, 22, "0.3",
    )  # fmt: skip
    totals = told["totals"]
    assert (totals["runs"], totals["failed"]) == (3, 1)
    assert (totals["without_tokens"], totals["without_cost"]) == (1, 1)


def test_an_agent_that_is_not_heard_of_is_inactive_then_stalled() -> None:
    agent = {"state": "working", "last_activity": AT}
    assert agent_state(agent, "2026-03-02T14:10:09.000000Z") == "working"
    assert agent_state(agent, "2026-03-02T14:10:10.000000Z") == "inactive"
    assert agent_state(agent, "2026-03-02T14:15:10.000000Z") == "stalled"
    assert agent_state({**agent, "state": "done"}, "2026-03-03T14:15:10.000000Z") == "done"


# ---- all -----------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.sampled_from(("a", "b", "done", "todo", "1e400", "NaN", "-1")),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)
KEYS = st.sampled_from((
    "id", "title", "status", "lane", "completed_at", "agent", "run", "item", "tokens", "usage",
    "cost", "cost_usd", "phase", "steps", "key", "value", "line", "text", "timestamp", "activity",
))  # fmt: skip
PAYLOADS = st.dictionaries(KEYS, VALUES, max_size=5)


@pytest.mark.parametrize("name", list(VIEWS))
@given(data=st.data())
def test_no_event_breaks_a_fold_and_a_snapshot_changes_none(name: str, data: st.DataObject) -> None:
    view = VIEWS[name]
    types = st.sampled_from((*view.rules, "unheard.of"))
    events = data.draw(st.lists(st.tuples(types, PAYLOADS), max_size=12))
    cut = data.draw(st.integers(0, len(events)))
    whole, first = fold(name, *events), fold(name, *events[:cut])
    again = state_of(snapshot_text(first))
    for number, (type_name, payload) in enumerate(events[cut:], cut):
        view.apply(again, fact(type_name, payload, number))
    assert snapshot_text(again) == snapshot_text(whole)
    assert canonical(view.document(again)) == canonical(view.document(whole))


def test_an_unregistered_view_is_named() -> None:
    with pytest.raises(NotFound, match="nope"):
        registered("nope")
