"""Where a repository is: its root, its git directories, what is going on in it. Files are read,
git is asked only for the root."""

from __future__ import annotations

import os
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import GitError
from smriti_tui.git.run import run

_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


def top_level(folder: Path | str, limit_s: float = 5.0) -> Path | None:
    """The folder of the working tree that `folder` lies in; None outside of one, in a bare
    repository, or where git cannot tell."""
    try:
        done = run(folder, "rev-parse", "--show-toplevel", limit_s=limit_s)
    except GitError:
        return None
    path = done.text.removesuffix("\n")
    return Path(path) if done.code == 0 and path else None


def root(folder: Path | str) -> Path:
    """The working tree that worktrees can be opened from.

    Raises:
        GitError: the folder is missing (code `root_missing`), no repository (`not_a_repository`),
            bare (`bare_repository`); or as `run`.
    """
    shown = clean_line(os.fspath(folder))
    if not Path(folder).is_dir():
        raise GitError(
            f"The project root {shown} is not there.",
            "`smriti space set-project-root` names another one.",
            code="root_missing",
        )
    done = run(folder, "rev-parse", "--is-bare-repository", "--show-toplevel", limit_s=10)
    lines = done.text.splitlines()
    if lines[:1] == ["true"]:
        raise GitError(
            f"{shown} is a bare repository.",
            "Give a folder with a working tree as the project root.",
            code="bare_repository",
        )
    if done.code != 0 or len(lines) < 2:
        raise GitError(
            f"{shown} lies in no git repository.",
            "Give a repository's folder as the project root.",
            code="not_a_repository",
        )
    return Path(done.text.split("\n", 1)[1].removesuffix("\n"))


def git_dir(tree: Path) -> Path | None:
    """The git directory of a working tree: its own, for a linked worktree."""
    link = tree / ".git"
    try:
        if link.is_dir():
            return link
        text = link.read_bytes()[:4096].decode(errors="surrogateescape")
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    path = Path(text.removeprefix("gitdir:").strip("\n").strip(" "))
    return path if path.is_absolute() else tree / path


def operation(tree: Path) -> str | None:
    """The merge, rebase … that is not finished in a working tree."""
    where = git_dir(tree)
    if where is None:
        return None
    for name, word in _OPERATIONS:
        if (where / name).exists():
            return word
    return None
