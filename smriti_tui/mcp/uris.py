"""Names of the resources."""

from __future__ import annotations

MARKDOWN = "text/markdown"


def state_uri(space: str) -> str:
    return f"smriti://space/{space}/state"


def checkpoint_uri(checkpoint: str) -> str:
    return f"smriti://checkpoint/{checkpoint}"
