"""The repository somebody works in, beside what the Space recorded. Reads only."""

from __future__ import annotations

import os
import re
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.domain.model import Checkpoint, Space
from smriti_tui.domain.repo_drift import RepoDrift
from smriti_tui.git import places, standing
from smriti_tui.git.run import run
from smriti_tui.git.status import probe

git_state = standing.git_state


def git_version() -> tuple[int, ...] | None:
    """Numbers of the git that runs here; None where none does."""
    try:
        done = run(".", "--version", limit_s=standing.LIMIT_S)
    except GitError:
        return None
    found = re.search(r"\d+(?:\.\d+)+", done.text)
    return tuple(map(int, found.group().split("."))) if found else None


def repo_drift(folder: Path, space: Space, head: Checkpoint | None) -> RepoDrift | None:
    """How the repository around `folder` stands to the Space and its head; None outside of one, and
    where git cannot tell."""
    root = places.top_level(folder, standing.LIMIT_S)
    if root is None:
        return None
    probed = probe(root, standing.LIMIT_S)
    if probed.fault:
        return None
    try:
        recorded = standing.against(root, head.body.git) if head and head.body.git else None
    except GitError:
        return None
    told = space.project_root
    return RepoDrift(os.fspath(root), probed, told, _same(root, told), recorded)


def _same(root: Path, told: str | None) -> bool:
    """Whether the Space's project root lies in this working tree or in another one of the same
    repository."""
    if not told:
        return False
    other = places.top_level(told, standing.LIMIT_S)
    try:
        return other is not None and places.place(root).common.samefile(places.place(other).common)
    except (GitError, OSError):
        return False
