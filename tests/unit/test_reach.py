"""What rests on an item, against a closure worked out by brute force; names, labels, claims."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.errors import Ambiguous, NotFound
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointBody, Item, ItemState, Task
from smriti_tui.domain.reach import (
    Lists,
    claims_reached,
    elsewhere,
    find_target,
    labelled,
    lists_of,
    names_of,
    reached,
)
from smriti_tui.domain.render.reach import reach_line

ARTIFACT = "11111111-0000-4000-8000-000000000000"


def random_lists(seed: int) -> Lists:
    """Items of all kinds with links at random: circles, retired ones, names that nobody has."""
    chance = random.Random(seed)
    kinds = [chance.choice(KINDS) for _ in range(chance.randint(0, 12))]
    names = [*(f"u{n}" for n in range(len(kinds))), *(f"slug{n}" for n in range(len(kinds)))]
    pool = [*names, ARTIFACT, "nobody", ""]
    lists: dict[str, list[Item | Task]] = {kind: [] for kind in KINDS}
    for number, kind in enumerate(kinds):
        rests = tuple(chance.sample(pool, chance.randint(0, min(2, len(pool)))))
        state: ItemState = chance.choice(("live", "live", "live", "retired"))
        uid = chance.choice((f"u{number}", f"u{number}", ""))
        if kind == "tasks":
            blocked = tuple(chance.sample(pool, chance.randint(0, 1)))
            slug = chance.choice((None, f"slug{number}"))
            task = Task(uid, "t", id=slug, blocked_by=blocked, rests_on=rests)
            lists[kind].append(replace(task, state=state))
        else:
            lists[kind].append(Item(uid, "i", rests_on=rests, state=state))
    return lists


def closure(lists: Lists, names: frozenset[str]) -> set[str]:
    """Labels of all that rests on `names`: every pair is looked at until nothing changes."""
    nodes = [(label, item) for _, label, item in labelled(lists) if item.state == "live"]

    def leans(item: Item | Task, on: frozenset[str]) -> bool:
        links = {*item.rests_on, *(item.blocked_by if isinstance(item, Task) else ())}
        return bool(links & on - {""})

    found = {label for label, item in nodes if leans(item, names)}
    for _ in nodes:
        for (one, first), (_other, second) in itertools.product(nodes, nodes):
            if _other in found and leans(first, names_of(second)):
                found.add(one)
    return found - {label for label, item in nodes if names_of(item) & names}


@given(st.integers(0, 1_000_000))
def test_it_is_the_closure_of_the_stored_links(seed: int) -> None:
    lists = random_lists(seed)
    called = [names_of(item) for _, _, item in labelled(lists)]
    for names in {*called, frozenset({ARTIFACT})}:
        found = reached(lists, names, "X")
        labels = [each.label for each in found]
        assert len(labels) == len(set(labels))
        assert set(labels) == closure(lists, names)
        assert [each.steps for each in found] == sorted(each.steps for each in found)
        steps = {"X": 0} | {each.label: each.steps for each in found}
        for each in found:
            assert steps[each.on] == each.steps - 1


def checkpoint(body: CheckpointBody, number: int = 1, branch: str = "main") -> Checkpoint:
    return Checkpoint(CheckpointId(f"{number:064x}"), BranchId(branch), body, number, branch)


BODY = CheckpointBody(
    SpaceId("s"), (), "Choose", "ada", "2026-03-02T14:05:09.123456Z",
    assumptions=(Item("aaaa1111", "One writer"), Item("aaaa2222", "At most 2 M")),
    decisions=(
        Item("dddd1111", "Use FTS5", rests_on=("aaaa2222",)),
        Item("dddd2222", "Gone", state="retired", rests_on=("aaaa2222",)),
        Item("dddd3333", "A job", rests_on=("dddd2222",)),
    ),
    tasks=(
        Task("tttt1111", "Load test", id="load-1", rests_on=("dddd1111",)),
        Task("tttt2222", "Tell", blocked_by=("load-1",)),
    ),
    artifacts=(Artifact("ffff1111", "csv", "bench.csv", "1"),),
)  # fmt: skip


def told(body: CheckpointBody, wanted: str) -> list[tuple[str, str, str]]:
    target = find_target(checkpoint(body), wanted)
    found = reached(lists_of(body), target.names, target.label)
    return [(each.label, each.on, each.link) for each in found]


def test_links_lead_on_over_tasks_and_end_at_what_is_retired() -> None:
    assert told(BODY, "A2") == [
        ("D1", "A2", "rests_on"), ("T1", "D1", "rests_on"), ("T2", "T1", "blocked_by"),
    ]  # fmt: skip
    assert told(BODY, "A1") == []
    assert told(BODY, "D2") == [("D3", "D2", "rests_on")]


@pytest.mark.parametrize(
    ("wanted", "label"),
    [("a2", "A2"), ("aaaa2222", "A2"), ("AAAA-22", "A2"), ("load-1", "T1"), ("ffff", "bench.csv")],
)
def test_a_thing_goes_by_label_id_or_the_beginning_of_one(wanted: str, label: str) -> None:
    assert find_target(checkpoint(BODY), wanted).label == label


def test_what_is_not_there_or_fits_twice_is_told() -> None:
    for wanted in ("D9", "aaa", "", "ffff2"):
        with pytest.raises(NotFound):
            find_target(checkpoint(BODY), wanted)
    with pytest.raises(Ambiguous) as error:
        find_target(checkpoint(BODY), "aaaa")
    assert [each["name"] for each in error.value.details["candidates"]] == [  # type: ignore[attr-defined]
        "A1", "A2",
    ]  # fmt: skip


def test_heads_tell_whether_it_stands_there_and_what_rests_on_it() -> None:
    target = find_target(checkpoint(BODY), "A2")
    without = replace(BODY, assumptions=(), tasks=())
    fallen = replace(BODY, assumptions=(replace(BODY.assumptions[1], state="retired"),), tasks=())
    unrelated = replace(BODY, assumptions=(), decisions=(), tasks=())
    moved = replace(BODY, assumptions=BODY.assumptions[1:], decisions=())
    heads = [
        checkpoint(each, number, f"b{number}")
        for number, each in enumerate((without, fallen, unrelated, moved))
    ]
    found = elsewhere(heads, target)
    assert [(each.branch, each.label, [hit.label for hit in each.reached]) for each in found] == [
        ("b0", None, ["D1"]), ("b1", None, ["D1"]), ("b3", "A1", []),
    ]  # fmt: skip
    assert reach_line((), found, ()) == "D1 on b0; D1 on b1"


def claim(scope: str, *, task: str | None = None, base: str | None = "b") -> Claim:
    return Claim(
        id="c", space=SpaceId("s"), agent="codex", scope=scope, intent="test", task_id=task,
        branch=BranchId("main"), branch_name="main", base=CheckpointId(base) if base else None,
        worktree=None, token=1, status="active", taken_at="", expires_at="", ended_at=None,
        ended_by=None, position=1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given_claim", "expected"),
    [
        (claim("x", task="load-1"), ("task", "T1")),
        (claim("x", task="Load-1"), ("task", "T1")),
        (claim("x", task="T2"), ("task", "T2")),
        (claim("x", task="A2"), ("task", "A2")),
        (claim("finish D1 soon"), ("scope", "D1")),
        (claim("finish D11 and my-D1 soon"), ("base", "A2")),
        (claim("load-1: the test"), ("scope", "T1")),
        (claim("load-10"), ("base", "A2")),
        (claim("finish D1", base=None), None),
        (claim("do load-1", base=None), ("scope", "T1")),
        (claim("do aaaa2222", base=None), ("scope", "A2")),
        (claim("x", base="gone"), None),
    ],
)
def test_claims_lean_on_it_by_task_scope_or_base(
    given_claim: Claim, expected: tuple[str, str] | None
) -> None:
    target = find_target(checkpoint(BODY), "A2")
    here = reached(lists_of(BODY), target.names, target.label)
    found = claims_reached([given_claim], {"b": BODY}, target, here)
    assert [(each.why, each.label) for each in found] == ([expected] if expected else [])


def test_a_line_names_a_few_and_counts_the_rest() -> None:
    many = [Item(f"u{n}", "x" * 60, rests_on=("a",)) for n in range(7)]
    lists: dict[str, Sequence[Item | Task]] = {"decisions": many}
    line = reach_line(reached(lists, {"a"}, "A1"), (), ())
    assert line.count("D") == 4
    assert f"D1 {'x' * 40}..., D2" in line
    assert line.endswith(" and 3 more here")
