"""What compare and merge list: every thing once, with its sign, and both sides of it told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.compare import compare
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.merge_slots import Answer
from smriti_tui.domain.merging import fitting, plan_merge, settle
from smriti_tui.domain.model import Artifact, Item, Task
from smriti_tui.domain.render.slot_rows import compare_rows, labels, merge_count, merge_rows
from smriti_tui.domain.render.slot_sides import brought, compare_sides, merge_sides
from tests.unit.test_compare import saved
from tests.unit.test_merge import body, merges

NAMES = st.lists(st.sampled_from(("fts5", "FTS5.", "tantivy", "日本語", "#")), max_size=4)


def told(sides: Any) -> list[str]:
    return ["\n".join(each.text for each in side) for side in sides]


@given(merges(), NAMES, NAMES, NAMES)
def test_every_item_of_every_side_is_listed_once_and_accounted_for(
    case: Any, first: list[str], mine: list[str], its: list[str]
) -> None:
    base, (_, ours), (_, theirs) = case
    sides = (
        body(tasks=base, entities=tuple(first)),
        body(tasks=ours, entities=tuple(mine), objective="x"),
        body(tasks=theirs, entities=tuple(its), summary="y"),
    )
    plan = plan_merge(*sides)
    rows = merge_rows(plan, *sides)
    assert len({row.key for row in rows}) == len(rows)
    for number, side in enumerate(sides):
        held = [row.sides[number] for row in rows if isinstance(row.sides[number], Task)]
        assert sorted(map(id, held)) == sorted(id(item) for item in side.tasks)
    count = merge_count(plan, sides[1], sides[2])
    assert count.lost == ()
    assert count.conflicts == sum(row.conflict for row in rows)
    result = settle(plan, {slot.id: Answer("ours") for slot in plan.open})
    live = [item for slot in result.items for item in slot.result if item.state == "live"]
    after = merge_count(result, sides[1], sides[2])
    assert after.kept + after.added == len(live)
    called = labels(*sides)
    for row in rows:
        for side, text in zip(row.sides, told(merge_sides(row, called)), strict=True):
            assert text
            if isinstance(side, Task) and side == row.sides[0]:
                assert side.text in text


@given(merges())
def test_a_comparison_lists_every_item_once(case: Any) -> None:
    _, (_, ours), (_, theirs) = case
    a, b = saved("a", tasks=ours), saved("b", tasks=theirs)
    rows = compare_rows(compare(a, b))
    for number, side in enumerate((ours, theirs)):
        held = [row.sides[number] for row in rows if row.sides[number] is not None]
        assert sorted(map(id, held)) == sorted(map(id, side))
    assert len({row.key for row in rows}) == len(rows)


def test_signs_and_words() -> None:
    base = body(decisions=tuple(Item(f"u{n}", f"text {n}") for n in range(5)))
    old = base.decisions
    ours = replace(base, decisions=(replace(old[0], text="mine"), old[2], replace(
        old[3], state="retired"), old[4], Item("a", "added")))  # fmt: skip
    theirs = replace(base, decisions=(replace(old[0], text="its"), replace(old[1], text="more"),
                     replace(old[2], text="its too"), old[4]))  # fmt: skip
    rows = merge_rows(plan_merge(base, ours, theirs), base, ours, theirs)
    assert {(row.sign, row.label, row.words) for row in rows} == {
        ("!", "D1", "both changed"), ("!", "D2", "changed / retired"),
        ("~", "D2", "changed by theirs"), ("-", "D3", "retired by both"), ("=", "D4", "same"),
        ("+", "D5", "ours only"),
    }  # fmt: skip


def test_what_a_side_has_alone_stands_between_signs_and_lines_have_theirs() -> None:
    a = saved("a", decisions=(Item("u", "Use the old index"),),
              artifacts=(Artifact("1", "csv", "b", "1\n2\n3\n"),))  # fmt: skip
    b = saved("b", decisions=(Item("u", "Use a new index"),),
              artifacts=(Artifact("1", "csv", "b", "1\nx\n3\n"),))  # fmt: skip
    called = labels(a.body, b.body)
    item, artifact = compare_rows(compare(a, b))
    assert told(compare_sides(item, called)) == ["Use [-the old-] index", "Use {+a new+} index"]
    one, two = told(compare_sides(artifact, called))
    assert one.endswith("  1\n- 2\n  3\n")
    assert two.endswith("  1\n+ x\n  3\n")


def test_other_fields_are_told_and_those_that_differ_marked() -> None:
    a = saved("a", tasks=(Task("u", "Load", intent_hint="test", blocked_by=("x",)),))
    b = saved("b", tasks=(Task("u", "Load", status="done", state="retired", reason="old"),))
    (row,) = compare_rows(compare(a, b))
    assert (row.sign, row.words) == ("-", "retired in B")
    one, two = told(compare_sides(row, labels(a.body, b.body)))
    assert one == "Load\n~ status open\n~ intent test\n~ blocked by x\n~ live"
    assert two == "Load\n~ status done\n~ intent none\n~ blocked by none\n~ retired: old"


def test_what_theirs_rests_on_and_ours_does_not_hold_is_named() -> None:
    base = body(decisions=(Item("u", "x"),))
    ours = replace(base, decisions=(Item("u", "mine"),))
    theirs = replace(base, decisions=(Item("u", "its", rests_on=("s",)),),
                     assumptions=(Item("s", "we can run a service"),))  # fmt: skip
    (slot,) = plan_merge(base, ours, theirs).conflicts
    held = [[item for kind in KINDS for item in item_list(side, kind)] for side in (ours, theirs)]
    assert '"we can run a service"' in brought(slot, *held)
    assert brought(slot, held[1], held[1]) == ""


def test_an_answer_fits_as_long_as_its_sides_are_the_same() -> None:
    base = body(objective="o", decisions=(Item("u", "x"),))
    ours = replace(base, objective="p", decisions=(Item("u", "mine"),))
    theirs = replace(base, objective="q", decisions=(Item("u", "its"),))
    plan = plan_merge(base, ours, theirs)
    answers = {"objective": Answer("both"), "decisions:u": Answer("ours"), "x": Answer("ours")}
    moved = plan_merge(base, replace(ours, objective="r"), theirs)
    assert set(fitting(moved, answers, plan)) == {"decisions:u"}
    assert set(fitting(plan, answers)) == {"objective", "decisions:u"}
    assert fitting(plan, {"decisions:u": Answer(text=" ")}) == {}
