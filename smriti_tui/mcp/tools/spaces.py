"""Spaces and their branches."""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.branches import (
    branch_line_document,
    branch_lines,
    divergence_document,
    divergence_text,
)
from smriti_tui.domain.render.documents import branch_document, space_document, spaces_document
from smriti_tui.domain.render.done import branch_disposed, space_deleted
from smriti_tui.domain.render.lists import hidden_line, listed, space_facts, space_table
from smriti_tui.domain.state_text import counted
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import DEFAULT_ROWS, answer, rows_answer
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made


class SpaceTools(Group):
    def list_spaces(self, limit: a.Rows = DEFAULT_ROWS) -> CallToolResult:
        """List Spaces, last changed first."""
        found = self.services.spaces.all()
        open_ones = [each for each in found if not each.archived]
        shown = open_ones[:limit]
        hidden = hidden_line(len(found) - len(open_ones), "Space")
        text = listed(space_table(shown, self.now()), len(shown), hidden)
        kept = set(shown)
        document = spaces_document([each for each in found if each.archived or each in kept])
        return rows_answer(document, text, limit, len(open_ones))

    def create_space(
        self,
        name: a.NewName,
        description: a.Description = "",
        project_root: a.ProjectRoot = "",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Make a Space: the container of one project's checkpoints."""
        self.services.caller.repeated(command_id or None, "space.created")
        made = self.services.spaces.create(
            name,
            description=description,
            project_root=a.root_of(project_root),
            command_id=command_id or None,
        )
        return answer(space_document(made), space_facts(made))

    def delete_space(
        self, space: a.SpaceName, confirm: a.Confirm = "", command_id: a.CommandId = ""
    ) -> CallToolResult:
        """Delete a Space with its checkpoints. Only when a person asked for it."""
        known = self.services.caller.repeated(command_id or None, "space.deleted")
        key = SpaceId(known) if known else self._to_delete(space, confirm)
        gone = self.services.spaces.delete(key, force=True, command_id=command_id or None)
        return answer(*space_deleted(key, gone))

    def _to_delete(self, wanted: str, confirm: str) -> SpaceId:
        """Raises: Conflict: the name was not repeated (code `guard`)."""
        found = self.services.spaces.find(wanted)
        if confirm != found.name:
            raise Conflict(
                f"Space {found.name!r} holds {counted(found.checkpoints, 'checkpoint')}.",
                "Repeat its name in `confirm` to delete it; nothing was deleted.",
                code="guard",
                details={"checkpoint_count": found.checkpoints, "confirm": found.name},
            )
        return found.id

    def branches(self, space: a.SpaceName, limit: a.Rows = DEFAULT_ROWS) -> CallToolResult:
        """List branches with their heads, and where they have settled something else than main."""
        key = self.services.spaces.find(space).id
        found = self.services.branches.of_space(key)
        apart = self.services.branches.divergences(key)
        lines = [
            (each.branch, each.head, each.checkpoints, each.sessions) for each in found[:limit]
        ]
        document = {
            "space": key,
            "branches": list(map(branch_line_document, lines)),
            "divergence": list(map(divergence_document, apart)),
        }
        texts = (branch_lines(lines, self.now()), divergence_text(apart))
        text = "\n\n".join(filter(None, texts))
        return rows_answer(document, text, limit, len(found))

    def close_branch(
        self,
        space: a.SpaceName,
        branch: a.BranchName,
        disposition: a.Disposal = "integrated",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Say what became of a branch; active opens it again. Nothing is lost."""
        known = self.services.caller.repeated(command_id or None, "branch.disposed")
        key = SpaceId(known) if known else self.services.spaces.find(space).id
        changed = self.services.branches.dispose(
            key, branch, disposition, command_id=command_id or None
        )
        return answer(branch_document(changed), branch_disposed(changed))


def tools(opening: Opening) -> list[Tool]:
    group = SpaceTools(opening)
    return [
        *made("reads", group.list_spaces, group.branches),
        *made("writes", group.create_space, group.close_branch),
        *made("destroys", group.delete_space),
    ]
