"""Who works on what."""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.claims import overlaps
from smriti_tui.domain.durations import parse_span
from smriti_tui.domain.render.claims import (
    claim_document,
    claim_table,
    claims_document,
    overlap_line,
    taken_document,
    taken_text,
)
from smriti_tui.domain.render.done import claim_ended
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import DEFAULT_ROWS, answer, rows_answer
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made


class ClaimTools(Group):
    def claim(
        self,
        space: a.SpaceName,
        scope: a.Scope,
        intent: a.WorkIntent = "implement",
        task_id: a.TaskId = "",
        branch: a.BranchName = "main",
        base: a.Base = "",
        worktree: a.WorktreeOf = "",
        ttl: a.Ttl = "4h",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Declare what you work on before you begin. Overlaps are told, nobody is blocked."""
        seconds = parse_span(ttl)
        taken = self.services.claims.take(
            self.services.spaces.find(space).id,
            scope,
            intent=intent,
            task_id=task_id or None,
            branch=branch,
            base=base or None,
            worktree=worktree or None,
            ttl_s=seconds,
            command_id=command_id or None,
        )
        now = self.now()
        return answer(
            taken_document(taken.claim, taken.overlaps, now),
            taken_text(taken.claim, (), now),
            *(f"overlaps: {overlap_line(each)}" for each in taken.overlaps),
        )

    def claim_done(
        self, claim_id: a.ClaimName, abandoned: a.Abandoned = False, command_id: a.CommandId = ""
    ) -> CallToolResult:
        """End a claim: the work is done, or given up."""
        found = self.services.claims.find(claim_id)
        ended = self.services.claims.end(
            found.id, "abandoned" if abandoned else "done", command_id=command_id or None
        )
        return answer(claim_document(ended, self.now()), claim_ended(ended))

    def claim_extend(
        self, claim_id: a.ClaimName, ttl: a.Ttl = "4h", command_id: a.CommandId = ""
    ) -> CallToolResult:
        """Hold a claim longer, from now; one that has expired holds again."""
        seconds = parse_span(ttl)
        found = self.services.claims.find(claim_id)
        taken = self.services.claims.extend(found.id, seconds, command_id=command_id or None)
        now = self.now()
        return answer(
            taken_document(taken.claim, taken.overlaps, now),
            taken_text(taken.claim, (), now, "Extended"),
            *(f"overlaps: {overlap_line(each)}" for each in taken.overlaps),
        )

    def claims(
        self, space: a.SpaceName, every: a.EveryClaim = False, limit: a.Rows = DEFAULT_ROWS
    ) -> CallToolResult:
        """List claims, newest first, and which get into each other's way."""
        key = self.services.spaces.find(space).id
        found = self.services.claims.of_space(key, every=every)
        now = self.now()
        shown, apart = found[:limit], overlaps(found, now)
        listed = set(shown)
        apart = [each for each in apart if each.one in listed or each.other in listed]
        told = apart if limit > DEFAULT_ROWS else apart[:limit]  # pairs grow with the square
        return rows_answer(
            claims_document(shown, told, key, now),
            claim_table(shown, told, now),
            limit,
            max(len(found), len(apart)) if told != apart else len(found),
        )


def tools(opening: Opening) -> list[Tool]:
    group = ClaimTools(opening)
    return [
        *made("writes", group.claim, group.claim_done, group.claim_extend),
        *made("reads", group.claims),
    ]
