"""Lines that part and come together: fork, compare, merge."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.compare import Comparison
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.merge_slots import Answer, Slot, answer_of
from smriti_tui.domain.merging import MergePlan
from smriti_tui.domain.render.comparison import (
    comparison_document,
    comparison_text,
    merge_document,
    plan_text,
)
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.done import fork_document, fork_text
from smriti_tui.domain.render.merges import (
    merged_document,
    merged_text,
    planned_document,
    planned_text,
)
from smriti_tui.domain.render.printed import json_text
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import BUDGET, MOST_TOKENS, answer
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made

if TYPE_CHECKING:
    from smriti_tui.services.forking import Forked

SIDES = "`smriti_show_checkpoint` shows each side."
_TURN = re.compile(r"(?P<session>[0-9a-fA-F-]+):(?P<number>[0-9]+)")


class MergeTools(Group):
    def fork(
        self, source: a.ForkSource, branch: a.NewBranch = "", command_id: a.CommandId = ""
    ) -> CallToolResult:
        """Open a new session on a new branch, to try something that may not come to anything."""
        forked = self._forked(source, branch or None, command_id or None)
        facts = (forked.session.id, forked.branch, forked.checkpoint, forked.copied)
        return answer(fork_document(*facts), fork_text(*facts))

    def _forked(self, source: str, branch: str | None, command_id: str | None) -> Forked:
        forking = self.services.forking
        if self.services.caller.repeated(command_id, "session.opened") is not None:
            return forking.from_checkpoint(CheckpointId(source), command_id=command_id)
        if found := _TURN.fullmatch(source):
            session = self.services.sessions.find(found["session"])
            number = int(found["number"])
            return forking.after_turn(session.id, number, branch=branch, command_id=command_id)
        checkpoint = self.services.checkpoints.find(source)
        return forking.from_checkpoint(checkpoint.id, branch=branch, command_id=command_id)

    def compare(
        self, a: a.CheckpointName, b: a.CheckpointName, budget: a.Budget = a.MOST_TOKENS
    ) -> CallToolResult:
        """Compare two checkpoints: what both hold, what changed, what only one holds."""
        found = self.services.merging.compare(a, b)
        text, left = comparison_text(found), ""
        if text_tokens(text) > budget:
            bare, left = _without_lines(found)
            text = comparison_text(bare)
        return answer(comparison_document(found), text, left, most=budget, more=BUDGET)

    def merge(
        self,
        a: a.CheckpointName,
        b: a.CheckpointName,
        into: a.BranchName = "",
        base: a.MergeBase = "",
        answers: a.Answers = None,
        side: a.Side = "",
        title: a.Title = "",
        dry_run: a.DryRun = False,
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Merge B into A's line, over their common ancestor: a new checkpoint with both as its
        parents. Dry-run first; put conflicts to the person. Open conflicts save nothing."""
        given = _answers(answers)
        merging = self.services.merging
        if dry_run:
            plan = merging.plan(a, b, into=into or None, base=base or None)
            settled = merging.settled(plan.plan, given, side or None)
            sides = (plan.ours, plan.theirs)
            return _planned_answer(
                planned_document(*sides, plan.bases, plan.base, plan.into, settled),
                planned_text(*sides, plan.base, plan.into, settled),
                settled,
            )
        self.services.caller.repeated(command_id or None, "checkpoint.saved")
        made = merging.write(
            a, b, given, side=side or None, into=into or None, base=base or None, title=title,
            command_id=command_id or None,
        )  # fmt: skip
        merged = self.services.checkpoints.get(made.body.parents[-1])
        note = (
            f"if {clean_line(merged.branch_name)} is done with, `smriti_close_branch` says so "
            f"(space {short(made.body.space)})"
        )
        return answer(merged_document(made), merged_text(made), note)


def _without_lines(found: Comparison) -> tuple[Comparison, str]:
    """The comparison without the changed lines of artifacts, and a sentence on that."""
    pairs = found.artifacts.changed
    bare = tuple(
        replace(pair, changes=tuple(name for name in pair.changes if name != "content"))
        for pair in pairs
    )
    told = f"The changed lines of {counted(len(pairs), 'artifact')} are left out: a higher `budget`"
    shorter = replace(found, artifacts=replace(found.artifacts, changed=bare))
    return shorter, f"{told} shows them." if pairs else ""


def _planned_answer(document: Document, text: str, plan: MergePlan) -> CallToolResult:
    """Where it is too long, the document has the conflicts alone: the text names the other rows,
    but, where that is too long as well, not those that are the same on both sides."""
    if max(text_tokens(text), text_tokens(json_text(document))) <= MOST_TOKENS:
        return answer(document, text)
    told = []
    if text_tokens(text) > MOST_TOKENS:
        changing = _only(plan, lambda slot: slot.outcome != "same")
        gone = len(plan.slots) - len(changing.slots)
        text = text.replace(plan_text(plan), plan_text(changing))
        told.append(f"Left out of the text: {counted(gone, 'row')} that both sides share. {SIDES}")
    contested = merge_document(_only(plan, lambda slot: slot.conflict is not None))
    told.append("The structured content has no rows but conflicts; the text names the others.")
    return answer({**document, **contested}, text, *told, more=SIDES)


def _only(plan: MergePlan, wanted: Callable[[Slot[Any]], bool]) -> MergePlan:
    return replace(
        plan,
        texts=tuple(filter(wanted, plan.texts)),
        items=tuple(filter(wanted, plan.items)),
        artifacts=tuple(filter(wanted, plan.artifacts)),
    )


def _answers(given: Mapping[str, object] | None) -> Mapping[str, Answer]:
    """Raises: Invalid, naming the answer that is none."""
    answers = {name: answer_of(value) for name, value in (given or {}).items()}
    for name, found in answers.items():
        if found is None:
            raise Invalid(
                f"The answer to {clean_line(name)} is none.",
                'Give ours, theirs, both, neither or {"text": "…"}.',
                field="answers",
            )
    return {name: found for name, found in answers.items() if found is not None}


def tools(opening: Opening) -> list[Tool]:
    group = MergeTools(opening)
    return [*made("writes", group.fork, group.merge), *made("reads", group.compare)]
