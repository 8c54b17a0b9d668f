"""Merge and compare where lists are odd: ids that stand twice, kinds that change, references."""

from __future__ import annotations

from typing import Any

import pytest

from smriti_tui.domain.compare import compare
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.merge_slots import Answer
from smriti_tui.domain.merging import merged_body, plan_merge, settle
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointBody, Item, Task


def body(**fields: Any) -> CheckpointBody:
    return CheckpointBody(SpaceId("space"), (), "t", "ada", "2026-01-01T00:00:00.000000Z", **fields)


def saved(state: CheckpointBody) -> Checkpoint:
    return Checkpoint(CheckpointId("c"), BranchId("b"), state, 1)


def artifact(key: str, content: str) -> Artifact:
    return Artifact(key, "text", "notes", content)


def uids(state: CheckpointBody) -> list[str]:
    return [item.uid for kind in KINDS for item in item_list(state, kind) if item.uid]


# ---- the same id twice -------------------------------------------------------------------------


def test_artifacts_with_one_id_or_one_label_are_all_kept() -> None:
    twice = body(artifacts=(artifact("x", "1"), artifact("x", "2")))
    merged = merged_body(plan_merge(twice, twice, twice), twice).artifacts
    assert [(each.id, each.content) for each in merged] == [("x", "1"), ("", "2")]
    found = compare(saved(twice), saved(twice)).artifacts
    assert [(pair.a.content, pair.b.content) for pair in found.shared] == [("1", "1"), ("2", "2")]
    base = body(artifacts=(artifact("x", "1"), artifact("y", "2")))
    anew = body(artifacts=(artifact("p", "1"), artifact("q", "2")))
    theirs = body(artifacts=(artifact("x", "1"), artifact("y", "3")))
    plan = plan_merge(base, anew, theirs)
    assert plan.open == ()
    assert [each.content for each in merged_body(plan, anew).artifacts] == ["1", "3"]


def test_conflicts_of_items_with_one_uid_are_answered_one_by_one() -> None:
    def two(a: str, b: str) -> CheckpointBody:
        return body(decisions=(Item("u", a), Item("u", b)))

    plan = plan_merge(two("A", "B"), two("A1", "B1"), two("A2", "B2"))
    assert len({slot.id for slot in plan.slots}) == len(plan.slots)
    settled = settle(plan, {plan.open[0].id: Answer("ours")})
    assert len(settled.open) == len(plan.open) - 1


def test_an_item_that_changed_its_kind_has_its_uid_once() -> None:
    base = body(decisions=(Item("u", "A"),))
    ours = body(assumptions=(Item("u", "A"),))
    theirs = body(decisions=(Item("u", "A2"),))
    plan = plan_merge(base, ours, theirs)
    merged = merged_body(settle(plan, {slot.id: Answer("theirs") for slot in plan.open}), ours)
    assert uids(merged) == ["u"]
    assert [each.text for each in (*merged.decisions, *merged.assumptions)] == ["A2", "A"]
    other = body(open_questions=(Item("u", "A?"),))
    assert uids(merged_body(plan_merge(base, ours, other), ours)) == ["u"]


# ---- references --------------------------------------------------------------------------------


def test_references_follow_a_joined_item_or_artifact() -> None:
    ours = body(tasks=(Task("o", "Load test"),), artifacts=(artifact("p", "1"),))
    theirs = body(
        tasks=(Task("t", "load test."), Task("n", "Ship", blocked_by=("t",))),
        decisions=(Item("d", "Keep it", rests_on=("q", "t")),),
        artifacts=(artifact("q", "1"),),
    )
    merged = merged_body(plan_merge(body(), ours, theirs), ours)
    assert merged.decisions[0].rests_on == ("p", "o")
    assert merged.tasks[1].blocked_by == ("o",)


def test_a_task_that_waits_for_a_slug_follows_the_slug_that_was_kept() -> None:
    ours = body(tasks=(Task("o", "Load test", id="load"),))
    theirs = body(
        tasks=(Task("t", "Load test", id="lt"), Task("n", "Ship", blocked_by=("lt", "x")))
    )
    plan = plan_merge(body(), ours, theirs)
    kept = merged_body(settle(plan, {slot.id: Answer("ours") for slot in plan.open}), ours)
    assert kept.tasks[-1].blocked_by == ("load", "x")
    both = merged_body(settle(plan, {slot.id: Answer("both") for slot in plan.open}), ours)
    assert [each.id for each in both.tasks] == ["load", "lt", None]
    assert both.tasks[-1].blocked_by == ("lt", "x")


def test_of_two_kept_items_each_keeps_its_own_references() -> None:
    ours = body(tasks=(Task("o", "Load test", intent_hint="test"),))
    theirs = body(
        tasks=(Task("t", "Load test", intent_hint="review"),),
        decisions=(Item("d", "Keep it", rests_on=("t",)),),
    )
    plan = plan_merge(body(), ours, theirs)
    merged = merged_body(settle(plan, {slot.id: Answer("both") for slot in plan.open}), ours)
    assert [each.uid for each in merged.tasks] == ["o", "t"]
    assert merged.decisions[0].rests_on == ("t",)


# ---- texts and entities ------------------------------------------------------------------------


def test_entities_take_the_writing_of_the_side_that_changed_it_and_stand_once() -> None:
    base = body(entities=("fts5", "日本", "!!!"))
    theirs = body(entities=("FTS5", "日本", "!!!"))
    assert merged_body(plan_merge(base, base, theirs), base).entities == theirs.entities
    assert merged_body(plan_merge(base, theirs, base), theirs).entities == theirs.entities
    twice = body(entities=("FTS5", "fts5.", "FTS5"))
    assert merged_body(plan_merge(twice, twice, twice), twice).entities == ("FTS5",)
    found = compare(saved(twice), saved(twice)).entities
    assert [pair.a for pair in found.shared] == ["FTS5"]


@pytest.mark.parametrize("name", ["objective", "summary"])
def test_a_text_emptied_on_one_side_and_changed_on_the_other_is_asked(name: str) -> None:
    base, emptied = body(**{name: "find"}), body()
    changed = body(**{name: "search"})
    for ours, theirs in ((emptied, changed), (changed, emptied)):
        plan = plan_merge(base, ours, theirs)
        assert [slot.id for slot in plan.open] == [name]
        chosen = settle(plan, {name: Answer("ours")})
        assert getattr(merged_body(chosen, ours), name) == getattr(ours, name)


def test_texts_that_differ_in_white_space_alone_are_the_same() -> None:
    base, ours = body(summary="a"), body(summary="a b\n")
    plan = plan_merge(base, ours, body(summary="a  b"))
    assert plan.open == ()
    assert merged_body(plan, ours).summary == "a b\n"
