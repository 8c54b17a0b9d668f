"""Where a Space is now: all that the state brief and the current surface tell, read in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.domain.claims import Claim, Overlap, overlaps
from smriti_tui.domain.divergence import Divergence
from smriti_tui.domain.freshness import Freshness
from smriti_tui.domain.model import Branch, Checkpoint, Note, Space
from smriti_tui.domain.repo_drift import RepoDrift
from smriti_tui.domain.signals import Signal
from smriti_tui.domain.tasks import TaskView, open_tasks, pickable
from smriti_tui.domain.worktrees import WorktreeLook


@dataclass(frozen=True)
class BranchHead:
    """An active branch beside main and its newest checkpoint."""

    branch: Branch
    head: Checkpoint


@dataclass(frozen=True)
class StateView:
    space: Space
    head: Checkpoint | None
    """Of main."""
    notes: tuple[Note, ...] = ()
    """On the head."""
    branches: tuple[BranchHead, ...] = ()
    """The newest first."""
    claims: tuple[Claim, ...] = ()
    """Those that hold at `now`, the newest first."""
    divergences: tuple[Divergence, ...] = ()
    worktrees: tuple[WorktreeLook, ...] = ()
    """The active ones."""
    signals: tuple[Signal, ...] = ()
    """What might go wrong between those at work, the surest first."""
    freshness: Freshness | None = None
    newer: tuple[Checkpoint, ...] = ()
    """The checkpoints that `freshness` names, as far as they are shown."""
    drift: RepoDrift | None = None
    """Of the repository that the reader works in, where that is known."""
    now: str = ""
    main_only: bool = False

    @property
    def tasks(self) -> Sequence[TaskView]:
        """The open tasks of the head."""
        return open_tasks(self.head.body, self.claims) if self.head else ()

    @property
    def free(self) -> Sequence[TaskView]:
        """Those that can be picked, in the order in which they are offered."""
        return pickable(self.tasks, self.claims)

    @property
    def overlaps(self) -> Sequence[Overlap]:
        """Claims that get into each other's way."""
        return overlaps(self.claims, self.now)

    def worktree(self, claim: Claim) -> WorktreeLook | None:
        """The active worktree that a claim is bound to."""
        found = (each for each in self.worktrees if each.worktree.id == claim.worktree)
        return next(found, None)
