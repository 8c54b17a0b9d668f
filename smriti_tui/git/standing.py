"""Where a repository's head is, and how it stands to a commit of before."""

from __future__ import annotations

from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.domain.model import GitState
from smriti_tui.domain.repo_drift import Recorded, Relation
from smriti_tui.git.run import run

LIMIT_S = 3.0


def git_state(folder: Path) -> GitState | None:
    """Commit and branch of the repository that a folder lies in; None where there is none, no
    commit, or git cannot tell in time."""
    try:
        head = run(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", limit_s=LIMIT_S)
        branch = run(folder, "symbolic-ref", "--quiet", "--short", "HEAD", limit_s=LIMIT_S)
    except GitError:
        return None
    if head.code != 0:
        return None
    return GitState(head.text.strip(), branch.text.strip() if branch.code == 0 else None)


def against(folder: Path, recorded: GitState) -> Recorded | None:
    """How the head stands to a recorded commit; None where none was recorded.

    Raises:
        GitError: git failed or took too long.
    """
    if not recorded.head:
        return None
    commit = f"{recorded.head}^{{commit}}"
    there = run(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", commit, limit_s=LIMIT_S
    )
    if there.code != 0:
        return Recorded(recorded.head, recorded.branch, "unknown")
    name = there.text.strip()
    done = run(
        folder, "rev-list", "--left-right", "--count", f"{name}...HEAD", "--", limit_s=LIMIT_S
    )
    counts = done.text.split()
    if done.code != 0 or len(counts) != 2:
        return Recorded(recorded.head, recorded.branch, "unknown")
    behind, ahead = int(counts[0]), int(counts[1])
    word: Relation = "in_sync"
    if ahead or behind:
        word = "diverged" if ahead and behind else "ahead" if ahead else "behind"
    return Recorded(recorded.head, recorded.branch, word, ahead, behind)
