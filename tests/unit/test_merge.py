"""Merge by item, against an oracle that thinks in changes instead of states."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.merge_slots import Answer
from smriti_tui.domain.merging import MergePlan, merged_body, plan_merge, settle
from smriti_tui.domain.model import Artifact, CheckpointBody, Item, Task

WORDS = (
    "Use PostgreSQL",
    "C",
    "C++",
    "C#",
    "यह तय है",
    "我们用数据库",
    "نستخدم قاعدة",
    "Да",
    "x" * 50,
)
INTENTS = (None, "implement", "review", "test")


def body(**fields: Any) -> CheckpointBody:
    return CheckpointBody(SpaceId("space"), (), "t", "ada", "2026-01-01T00:00:00.000000Z", **fields)


def item(uid: str, text: str, **fields: Any) -> Item:
    return Item(uid, text, **fields)


# ---- generated histories -----------------------------------------------------------------------


@dataclass
class Side:
    """What one side changed: the oracle's view of it."""

    gone: dict[str, bool] = field(default_factory=dict)
    """By uid: retired aloud (True) or left out."""
    fields: dict[tuple[str, str], Any] = field(default_factory=dict)
    added: dict[str, Task] = field(default_factory=dict)

    def touches(self, uid: str) -> bool:
        return uid in self.gone or any(key[0] == uid for key in self.fields)


@st.composite
def bases(draw: st.DrawFn) -> tuple[Task, ...]:
    count = draw(st.integers(0, 5))
    return tuple(
        Task(
            f"u{number}",
            f"{draw(st.sampled_from(WORDS))} {number}",
            intent_hint=draw(st.sampled_from(INTENTS)),
            status=draw(st.sampled_from(("open", "done"))),
        )
        for number in range(count)
    )


@st.composite
def sides(draw: st.DrawFn, base: tuple[Task, ...], name: str) -> tuple[Side, tuple[Task, ...]]:
    """Changes on one side, and the list that comes out."""
    side = Side()
    result: list[Task] = []
    for old in base:
        what = draw(st.sampled_from(("keep", "keep", "omit", "retire", "text", "status", "intent")))
        if what == "omit":
            side.gone[old.uid] = False
            continue
        changes: dict[str, Any] = {}
        if what == "retire":
            side.gone[old.uid] = True
            changes["state"] = "retired"
        elif what == "text":
            changes["text"] = f"{draw(st.sampled_from(WORDS))} changed {old.uid}"
        elif what == "status":
            changes["status"] = "open" if old.status == "done" else "done"
        elif what == "intent":
            changes["intent_hint"] = draw(st.sampled_from(INTENTS))
        new = replace(old, **changes)
        for key, value in changes.items():
            if key != "state" and value != getattr(old, key):
                side.fields[old.uid, key] = value
        result.append(new)
    for number in range(draw(st.integers(0, 2))):
        added = Task(f"{name}{number}", f"{draw(st.sampled_from(WORDS))} of {name} {number}")
        side.added[added.uid] = added
        result.insert(draw(st.integers(0, len(result))), added)
    return side, tuple(result)


@st.composite
def merges(draw: st.DrawFn) -> tuple[tuple[Task, ...], Any, Any]:
    base = draw(bases())
    return base, draw(sides(base, "a")), draw(sides(base, "b"))


def planned(base: tuple[Task, ...], ours: tuple[Task, ...], theirs: tuple[Task, ...]) -> MergePlan:
    return plan_merge(body(tasks=base), body(tasks=ours), body(tasks=theirs))


@given(merges())
def test_a_merge_holds_what_both_changed_and_asks_where_they_contradict(
    case: tuple[tuple[Task, ...], tuple[Side, Any], tuple[Side, Any]],
) -> None:
    base, (mine, ours), (its, theirs) = case
    plan = planned(base, ours, theirs)
    by_uid = {(slot.ours or slot.base or slot.theirs).uid: slot for slot in plan.items}  # type: ignore[union-attr]
    for old in base:
        slot = by_uid[old.uid]
        gone = old.uid in mine.gone, old.uid in its.gone
        if gone == (True, True):
            assert not slot.open
            assert all(each.state == "retired" for each in slot.result)
        elif any(gone):
            other = its if gone[0] else mine
            assert slot.open == other.touches(old.uid)
            if not slot.open:
                assert all(each.state == "retired" for each in slot.result)
        else:
            against = {
                name
                for name in ("text", "intent_hint")
                if (old.uid, name) in mine.fields
                and (old.uid, name) in its.fields
                and mine.fields[old.uid, name] != its.fields[old.uid, name]
            }
            assert set(slot.fields) == against
            if not against:
                changes = {
                    key[1]: value
                    for side in (mine, its)
                    for key, value in side.fields.items()
                    if key[0] == old.uid
                }
                assert slot.result == (replace(old, **changes),)
    for side in (mine, its):
        for uid, added in side.added.items():
            assert by_uid[uid].result == (added,)


@given(merges())
def test_nothing_of_either_side_vanishes_unaccounted(case: Any) -> None:
    base, (_, ours), (_, theirs) = case
    plan = planned(base, ours, theirs)
    for side, name in ((ours, "ours"), (theirs, "theirs")):
        stand = [getattr(slot, name) for slot in plan.items if getattr(slot, name) is not None]
        assert sorted(each.uid for each in stand) == sorted(each.uid for each in side)


@given(merges())
def test_one_changed_side_is_the_result_with_its_order(case: Any) -> None:
    base, (_, ours), _ = case
    for first, second in ((ours, base), (base, ours)):
        merged = merged_body(planned(base, first, second), body(tasks=first))
        assert merged.tasks == ours


@given(merges())
def test_a_state_merged_with_itself_is_itself(case: Any) -> None:
    base, (_, ours), _ = case
    assert merged_body(planned(base, ours, ours), body(tasks=ours)).tasks == ours


@given(merges())
def test_swapped_sides_mirror(case: Any) -> None:
    base, (_, ours), (_, theirs) = case
    one, other = planned(base, ours, theirs), planned(base, theirs, ours)
    mirror = {"ours": "theirs", "theirs": "ours"}

    def facts(plan: MergePlan, swap: bool) -> set[Any]:
        return {
            (
                (slot.theirs or slot.base or slot.ours).uid  # type: ignore[union-attr]
                if swap
                else (slot.ours or slot.base or slot.theirs).uid,  # type: ignore[union-attr]
                mirror.get(slot.outcome, slot.outcome) if swap else slot.outcome,
                slot.conflict,
                tuple((each.text, each.state, getattr(each, "status", "")) for each in slot.result),
            )
            for slot in plan.items
        }

    assert facts(one, False) == facts(other, True)


@given(merges(), st.randoms())
def test_merging_again_adds_nothing(case: Any, chance: Any) -> None:
    base, (_, ours), (_, theirs) = case
    plan = planned(base, ours, theirs)
    answers = {
        slot.id: Answer(chance.choice(("ours", "theirs", "neither"))) for slot in plan.conflicts
    }
    merged = merged_body(settle(plan, answers), body(tasks=ours))
    again = plan_merge(body(tasks=theirs), merged, body(tasks=theirs))
    assert merged_body(again, merged) == merged
    back = plan_merge(body(tasks=ours), merged, body(tasks=ours))
    assert merged_body(back, merged) == merged


# ---- single rules ------------------------------------------------------------------------------


def test_the_same_new_item_on_both_sides_is_one_and_references_follow_it() -> None:
    ours = body(decisions=(item("o1", "Use Pydantic."),))
    theirs = body(
        decisions=(item("t1", "use pydantic"),),
        assumptions=(item("t2", "It is quick", rests_on=("t1",)),),
    )
    merged = merged_body(plan_merge(body(), ours, theirs), ours)
    assert [each.text for each in merged.decisions] == ["Use Pydantic."]
    assert merged.assumptions[0].rests_on == ("o1",)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [("open", "done", "open", "done"), ("open", "open", "done", "done"),
     ("done", "open", "done", "open"), ("done", "done", "open", "open")],
)  # fmt: skip
def test_a_task_done_on_one_side_is_done(base: Any, ours: Any, theirs: Any, result: str) -> None:
    plan = planned(
        (Task("u", "Load test", status=base),),
        (Task("u", "Load test", status=ours),),
        (Task("u", "Load test, twice", status=theirs),),
    )
    (task,) = plan.items[0].result
    assert (task.text, task.status) == ("Load test, twice", result)  # type: ignore[union-attr]


def conflict() -> MergePlan:
    return plan_merge(
        body(decisions=(item("u", "Use SQLite"),)),
        body(decisions=(item("u", "Use SQLite, one file"),)),
        body(decisions=(item("u", "Use Tantivy"),)),
    )


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        (Answer("ours"), ["Use SQLite, one file"]),
        (Answer("theirs"), ["Use Tantivy"]),
        (Answer("both"), ["Use SQLite, one file", "Use Tantivy"]),
        (Answer("neither"), []),
        (Answer(text="Use both for a week"), ["Use both for a week"]),
    ],
)
def test_a_conflict_is_settled_by_a_person(answer: Answer, texts: list[str]) -> None:
    plan = settle(conflict(), {"decisions:u": answer})
    merged = merged_body(plan, body())
    assert [each.text for each in merged.decisions] == texts
    assert len({each.uid for each in merged.decisions}) == len(texts)


def test_an_open_conflict_cannot_be_written_and_a_wrong_answer_is_named() -> None:
    with pytest.raises(ValueError, match="1 conflicts are open"):
        merged_body(conflict(), body())
    with pytest.raises(Invalid, match="no conflict decisions:x"):
        settle(conflict(), {"decisions:x": Answer("ours")})
    retired = plan_merge(
        body(decisions=(item("u", "A"),)),
        body(decisions=(item("u", "B"),)),
        body(),
    )
    with pytest.raises(Invalid, match="does not fit"):
        settle(retired, {"decisions:u": Answer("both")})


def test_objective_summary_entities_and_artifacts_merge_too() -> None:
    old = Artifact("a1", "text", "bench.csv", "x\n")
    base = body(objective="O", summary="S", entities=("FTS5", "gone"), artifacts=(old,))
    ours = replace(base, objective="O2", entities=("FTS5",), summary="mine")
    theirs = replace(
        base, summary="its", entities=("fts5", "gone", "日本"),
        artifacts=(replace(old, content="x\ny\n"), Artifact("a2", "text", "new", "n")),
    )  # fmt: skip
    plan = plan_merge(base, ours, theirs)
    assert [slot.id for slot in plan.open] == ["summary"]
    merged = merged_body(settle(plan, {"summary": Answer("both")}), ours)
    assert (merged.objective, merged.summary) == ("O2", "mine\n\nits")
    assert merged.entities == ("fts5", "日本")
    assert [each.content for each in merged.artifacts] == ["x\ny\n", "n"]


def test_unrelated_checkpoints_merge_over_nothing() -> None:
    ours, theirs = body(decisions=(item("a", "A"),)), body(decisions=(item("b", "B"),))
    merged = merged_body(plan_merge(None, ours, theirs), ours)
    assert {comparison_key(each.text) for each in merged.decisions} == {"a", "b"}
    assert all(item_list(merged, kind) == () for kind in KINDS if kind != "decisions")
