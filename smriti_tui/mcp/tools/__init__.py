"""The tools: one per operation, thin. Text and document are those of the command line."""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool

from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools import (
    checkpoints,
    claims,
    log,
    merging,
    reviews,
    skills,
    spaces,
    state,
    worktrees,
)

_GROUPS = (state, spaces, checkpoints, reviews, merging, claims, worktrees, log, skills)


def tools(opening: Opening) -> list[Tool]:
    """All tools, on the services that are being opened."""
    return [tool for group in _GROUPS for tool in group.tools(opening)]
