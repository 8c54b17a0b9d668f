"""Warnings between those who work at the same time."""

from __future__ import annotations

from dataclasses import replace

from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Item, Task
from smriti_tui.domain.signals import BranchTip, off_claim, same_items
from smriti_tui.domain.worktrees import Probed, Worktree, WorktreeLook
from tests.unit.test_claims import claim

BASE = CheckpointBody(
    SpaceId("s"), (), "t", "a", "2026-03-02T14:00:00.000000Z",
    decisions=(Item("d1", "One"), Item("d2", "Two"), Item("d3", "Three", state="retired")),
    tasks=(Task("t1", "Do it"),),
)  # fmt: skip


def tip(name: str, **changes: object) -> BranchTip:
    body = replace(BASE, **changes)  # type: ignore[arg-type]
    return BranchTip(name, Checkpoint(CheckpointId(name), BranchId("b"), body, 1))


def look(*dirty: str, fault: str = "") -> WorktreeLook:
    tree = Worktree("w", SpaceId("s"), "codex", "/r", "/w", "b", "c", "active", "t", None, None, 1)
    return WorktreeLook(tree, Probed(fault, dirty=dirty))


def both(one: BranchTip, other: BranchTip) -> list[str]:
    found = same_items([one, other], {(one.head.id, other.head.id): BASE})
    return [label for signal in found for label in signal.evidence]


def test_two_branches_that_changed_the_same_item_in_different_ways() -> None:
    new = (Item("d1", "One, but other"), Item("d2", "Two"))
    gone = (Item("d2", "Two"),)
    done = (Task("t1", "Do it", status="done"),)
    assert both(tip("a", decisions=new), tip("b", decisions=gone)) == ["D1 One"]
    assert both(tip("a", decisions=new), tip("b", decisions=new)) == []
    assert both(tip("a", decisions=new), tip("b")) == []
    assert both(tip("a", tasks=done), tip("b", tasks=())) == ["T1 Do it"]
    assert same_items([tip("a", decisions=new), tip("b", decisions=gone)], {}) == []


def test_a_worktree_that_changes_other_files_than_claimed() -> None:
    mine = replace(claim(1, "fix index/build.py"), worktree="w")
    found = off_claim([mine], [look("index/build.py", "docs/a → docs/b.md")])
    assert [signal.evidence for signal in found] == [("docs/b.md",)]
    assert off_claim([mine], [look("index/build.py")]) == []
    assert off_claim([mine], [look(fault="timed out")]) == []
    assert off_claim([replace(mine, scope="the index")], [look("docs/b.md")]) == []
