"""Names of branches and folders for agents, made from names that people and hosts give."""

from __future__ import annotations

import re

_RUNS = re.compile(r"[^a-z0-9]+")
LONGEST = 40


def slug(name: str, otherwise: str) -> str:
    """Lower case, other signs as single hyphens; `otherwise` where nothing is left."""
    text = _RUNS.sub("-", name.lower()).strip("-")[:LONGEST].strip("-")
    return text or otherwise


def branch_for(agent: str, digits: str) -> str:
    """`smriti/<agent>/<8 hex>`."""
    return f"smriti/{slug(agent, 'agent')}/{digits}"


def folder_for(space: str, agent: str, digits: str) -> str:
    """`<space>/<agent>-<8 hex>`, below the folder of worktrees."""
    return f"{slug(space, 'space')}/{slug(agent, 'agent')}-{digits}"
