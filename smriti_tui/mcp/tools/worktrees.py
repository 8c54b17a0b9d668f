"""Git worktrees, one for each piece of work."""

from __future__ import annotations

from pathlib import Path

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.ids import short
from smriti_tui.domain.render.done import worktree_closed
from smriti_tui.domain.render.state_document import look_document
from smriti_tui.domain.render.worktrees import worktree_facts, worktree_table
from smriti_tui.domain.worktrees import WorktreeLook
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import DEFAULT_ROWS, answer, rows_answer
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made


class WorktreeTools(Group):
    def worktree_open(
        self,
        space: a.SpaceName,
        branch: a.GitBranch = "",
        base: a.GitBase = "",
        path: a.GitPath = "",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Open a git worktree on a new branch of the Space's repository; gives its path."""
        made = self.services.worktrees.open(
            self.services.spaces.find(space).id,
            branch=branch or None,
            base=base or None,
            path=path or None,
            command_id=command_id or None,
        )
        look = self.services.worktrees.look([made])[0]
        note = f"worktree {short(made.id)} on branch {made.branch}"
        return answer(look_document(look), made.path, note)

    def worktree_list(
        self, space: a.SpaceName, every: a.EveryWorktree = False, limit: a.Rows = DEFAULT_ROWS
    ) -> CallToolResult:
        """List worktrees, newest first, with what git says of each just now."""
        key = self.services.spaces.find(space).id
        found = self.services.worktrees.of_space(key, every=every)
        looks = self.services.worktrees.look(found[:limit])
        document = {"space": key, "worktrees": list(map(look_document, looks))}
        text = worktree_table(looks, self.now(), str(Path.home()))
        return rows_answer(document, text, limit, len(found))

    def worktree_show(self, worktree_id: a.WorktreeName) -> CallToolResult:
        """Show one worktree."""
        look = self.services.worktrees.look([self.services.worktrees.find(worktree_id)])[0]
        return answer(look_document(look), worktree_facts(look, self.now()))

    def worktree_close(
        self,
        worktree_id: a.WorktreeName,
        force: a.ForceClose = False,
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Take a worktree away. Its branch stays; what is not committed stands in the way."""
        found = self.services.worktrees.find(worktree_id)
        closed = self.services.worktrees.close(found.id, force=force, command_id=command_id or None)
        document = look_document(WorktreeLook(closed, None))
        return answer(document, worktree_closed(found, closed))


def tools(opening: Opening) -> list[Tool]:
    group = WorktreeTools(opening)
    return [
        *made("writes", group.worktree_open),
        *made("reads", group.worktree_list, group.worktree_show),
        *made("destroys", group.worktree_close),
    ]
