"""The reason of a retired item, wherever a checkpoint that retires one is told."""

from __future__ import annotations

from dataclasses import replace

from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Item
from smriti_tui.domain.render.moved_head import differing_lines
from smriti_tui.domain.render.preview import preview_text
from tests.cli.calling import Cli

WHY = "retired by ada: false: there are 40 M"
SMALL = {"uid": "a-small", "text": "At most 2 M"}
GONE = {**SMALL, "state": "retired", "retired_by": "ada", "reason": "false: there are\n40 M"}


def test_brief_compare_merge_and_exports_tell_it(cli: Cli) -> None:
    cli.space()
    base = cli.checkpoint("Search", {"title": "Base", "assumptions": [SMALL, "One writer"]})["id"]
    fork = cli.ok("fork", base, "--branch", "expl")["session"]
    other = {"title": "Other", "assumptions": [SMALL], "decisions": ["B"]}
    theirs = cli.checkpoint("Search", other, "--session", fork)["id"]
    ours = cli.checkpoint("Search", {"title": "Ours", "assumptions": [GONE, "One writer"]})["id"]

    assert "retired by ada: false: there are\n  40 M" in cli.call("restore", ours).text
    exported = cli.call("export", "-", "--space", "Search").text
    assert "  - retired by ada: false: there are" in exported
    compared = cli.call("compare", base, ours).text
    assert "- At most 2 M" in compared
    assert f"  - state: live in A, {WHY} in B" in compared
    alone = cli.checkpoint("Search", {"title": "Alone", "decisions": ["Z"]}, "--branch", "main")
    assert f"At most 2 M ({WHY})" in cli.call("compare", ours, alone["id"]).text

    assert f"  - {WHY}" in cli.call("checkpoint", "blame", ours, "A1").text

    merged = cli.ok("merge", theirs, ours, "--into", "expl")
    kept = cli.ok("checkpoint", "show", merged["id"])["assumptions"]
    (item,) = [each for each in kept if each["uid"] == "a-small"]
    assert (item["state"], item["reason"]) == ("retired", GONE["reason"])


def test_lists_of_one_line_tell_it() -> None:
    body = CheckpointBody(SpaceId("s"), (), "One", "ada", "2026-03-02T14:05:09.123456Z")
    small = Item("a-small", "At most 2 M")
    gone = replace(small, state="retired", retired_by="ada", reason=GONE["reason"])

    def holding(item: Item) -> Checkpoint:
        own = replace(body, assumptions=(item,))
        return Checkpoint(CheckpointId("0" * 64), BranchId("main"), own, 1)

    assert f"- A1 At most 2 M ({WHY})" in preview_text(holding(gone))
    (line,) = differing_lines(holding(small), holding(gone))
    assert line.startswith("~ assumption: At most 2 M (retired by ada: false")
