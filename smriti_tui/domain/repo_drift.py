"""How a repository stands to what the Space and its head recorded of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.worktrees import Probed

Relation = Literal["in_sync", "ahead", "behind", "diverged", "unknown"]
SignalName = Literal[
    "project_root_mismatch",
    "dirty_worktree",
    "detached_head",
    "behind_upstream",
    "ahead_upstream",
    "ahead_of_checkpoint",
    "behind_checkpoint",
    "diverged_from_checkpoint",
    "checkpoint_commit_missing",
    "checkpoint_branch_changed",
]


@dataclass(frozen=True)
class Recorded:
    """What the head recorded, and how the repository stands to it now."""

    commit: str
    branch: str | None
    relation: Relation
    ahead: int = 0
    behind: int = 0


@dataclass(frozen=True)
class RepoDrift:
    """The repository that somebody works in just now."""

    root: str
    probed: Probed
    project_root: str | None
    same_root: bool
    recorded: Recorded | None = None

    @property
    def signals(self) -> list[SignalName]:
        """What differs, in the order of importance."""
        found: list[SignalName] = []
        if self.project_root and not self.same_root:
            found.append("project_root_mismatch")
        if self.recorded is not None:
            found += _of_recorded(self.recorded, self.probed.branch)
        if self.probed.dirty:
            found.append("dirty_worktree")
        if self.probed.branch is None and self.probed.commit is not None:
            found.append("detached_head")
        if self.probed.behind:
            found.append("behind_upstream")
        if self.probed.ahead:
            found.append("ahead_upstream")
        return found


def _of_recorded(recorded: Recorded, branch: str | None) -> list[SignalName]:
    names: dict[Relation, SignalName] = {
        "ahead": "ahead_of_checkpoint",
        "behind": "behind_checkpoint",
        "diverged": "diverged_from_checkpoint",
        "unknown": "checkpoint_commit_missing",
    }
    found = [names[recorded.relation]] if recorded.relation in names else []
    if recorded.branch and branch and recorded.branch != branch:
        found.append("checkpoint_branch_changed")
    return found
