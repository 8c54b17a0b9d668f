"""How to work with Smriti, as text."""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.skill_pack import VERSION, target
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import answer
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made


class SkillTools(Group):
    def install_skill(self, host: a.SkillHost = "claude-code") -> CallToolResult:
        """Give the skill pack of an agent host and where it belongs. Writes no file: write it
        yourself, after asking."""
        from smriti_tui.services.skills import pack_text

        found = target(host)
        text = pack_text(found)
        document = {"target": found.name, "version": VERSION, "path": found.path, "text": text}
        return answer(document, text.rstrip("\n"))


def tools(opening: Opening) -> list[Tool]:
    return made("reads", SkillTools(opening).install_skill)
