"""Worktrees that were opened for agents, and what git says of them just now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.ids import SpaceId

WorktreeStatus = Literal["active", "closed"]


@dataclass(frozen=True)
class Worktree:
    """A git worktree as it was opened; the paths are absolute."""

    id: str
    space: SpaceId
    agent: str
    root: str
    path: str
    branch: str
    base: str
    status: WorktreeStatus
    opened_at: str
    closed_at: str | None
    closed_by: str | None
    position: int


@dataclass(frozen=True)
class Probed:
    """What one `git status` says, or why it says nothing; never recorded."""

    fault: str = ""
    """What failed, in words; empty when it did not."""
    branch: str | None = None
    """The branch that is really checked out; None for a detached head."""
    dirty: tuple[str, ...] = ()
    """Changed and untracked paths, a rename as `old → new`."""
    ahead: int | None = None
    behind: int | None = None
    against: str | None = None
    """What ahead and behind are counted against; None where there is nothing."""
    operation: str | None = None
    """A merge, rebase … that is not finished."""
    commit: str | None = None
    committed_at: str | None = None
    """UTC text."""


@dataclass(frozen=True)
class WorktreeLook:
    """A worktree with its probe; a closed one is not probed."""

    worktree: Worktree
    probed: Probed | None
