"""Claims and worktrees: who works on what, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.ids import BranchId, CheckpointId
from smriti_tui.domain.model import ClaimStatus, Intent


@dataclass(frozen=True)
class ClaimTaken(Event):
    """`expires_at` is absolute; `token` grows with each claim on the same task of the Space (of all
    that name none, where none is named)."""

    TYPE: ClassVar[str] = "claim.taken"
    claim: str
    agent: str
    scope: str
    intent: Intent
    branch: BranchId
    expires_at: str
    token: int
    task_id: str | None = None
    base: CheckpointId | None = None
    worktree: str | None = None


@dataclass(frozen=True)
class ClaimExtended(Event):
    """Active until `expires_at`, also where it had ended or expired."""

    TYPE: ClassVar[str] = "claim.extended"
    claim: str
    expires_at: str
    undoes: str | None = None


@dataclass(frozen=True)
class ClaimChanged(Event):
    """Only the fields that are not None change."""

    TYPE: ClassVar[str] = "claim.changed"
    claim: str
    scope: str | None = None
    intent: Intent | None = None
    undoes: str | None = None


@dataclass(frozen=True)
class ClaimEnded(Event):
    TYPE: ClassVar[str] = "claim.ended"
    claim: str
    status: ClaimStatus
    """done or abandoned."""
    expired: bool = False
    """Whether its time had run out when it ended."""
    undoes: str | None = None


@dataclass(frozen=True)
class WorktreeOpened(Event):
    TYPE: ClassVar[str] = "worktree.opened"
    worktree: str
    agent: str
    root: str
    """The repository's folder, absolute."""
    path: str
    branch: str
    """The git branch."""
    base: str
    """The git commit that it started at."""


@dataclass(frozen=True)
class WorktreeClosed(Event):
    TYPE: ClassVar[str] = "worktree.closed"
    worktree: str
    forced: bool = False
    missing: bool = False
    """Whether its folder was gone already."""
