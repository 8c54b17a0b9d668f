"""Which worktree a folder lies in."""

from __future__ import annotations

from pathlib import Path

from smriti_tui.domain.worktrees import Worktree
from smriti_tui.services.caller import Caller
from smriti_tui.store import spaces, worktrees


def worktree_holding(caller: Caller, folder: Path) -> Worktree | None:
    """The active worktree of any Space that a folder lies in, the innermost, if it does.

    A worktree lies outside the project, and has its `.smriti.json` only where that is committed.
    """
    places = (folder, *folder.parents)
    with caller.read() as tx:
        every = [
            each for space in spaces.all_spaces(tx) for each in worktrees.of_space(tx, space.id)
        ]
    held = [each for each in every if _resolved(each.path) in places]
    return max(held, key=lambda each: len(each.path), default=None)


def _resolved(path: str) -> Path:
    try:
        return Path(path).resolve()
    except (OSError, RuntimeError, ValueError):  # such as links in a circle
        return Path(path)
