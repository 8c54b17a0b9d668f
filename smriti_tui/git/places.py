"""Where a repository is: its root, its git directories, what is going on in it. Files are read,
git is asked only for the root."""

from __future__ import annotations

import os
from dataclasses import dataclass
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
_FIRST_BYTES = 4096


@dataclass(frozen=True)
class Place:
    """A working tree, its own git directory, and the one that all worktrees of its repository
    share."""

    tree: Path
    own: Path
    common: Path

    @property
    def linked(self) -> bool:
        return self.own != self.common


def place(tree: Path) -> Place:
    """Where the git directories of a working tree are. git is not asked: from a folder without a
    repository of its own it would go on looking in the folders above.

    Raises:
        GitError: the folder is missing (code `worktree_missing`), holds no repository
            (`not_a_repository`), or the repository that it belongs to is gone or does not know it
            any more (`repository_gone`).
    """
    own = git_dir(tree)
    if own is None:
        if not tree.is_dir():
            raise GitError("the folder is missing", code="worktree_missing")
        raise GitError("it is no git repository", code="not_a_repository")
    if (own / "HEAD").is_symlink() or (own / "HEAD").is_file():
        return Place(tree, own, _common(own))
    if (tree / ".git").is_dir():
        raise GitError("it is no git repository", code="not_a_repository")
    linked = own.parent.name == "worktrees"
    if linked and (own.parent.parent / "HEAD").exists():
        raise GitError("its repository does not know it any more", code="repository_gone")
    raise GitError("its repository is gone", code="repository_gone")


def _common(own: Path) -> Path:
    told = _start_of(own / "commondir")
    return Path(os.path.normpath(own / told)) if told else own


def _start_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(_FIRST_BYTES)
    except OSError:
        return ""
    return text.decode(errors="surrogateescape").removesuffix("\n")


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
    if link.is_dir():
        return link
    text = _start_of(link)
    if not text.startswith("gitdir: "):
        return None
    return Path(os.path.normpath(tree / text.removeprefix("gitdir: ")))


def operation(own: Path) -> str | None:
    """The merge, rebase … that is not finished, by the git directory of a working tree."""
    for name, word in _OPERATIONS:
        if (own / name).exists():
            return word
    # Between two commits of a longer pick there is nothing but the list of what is left.
    picked = _start_of(own / "sequencer" / "todo").split(" ", 1)[0]
    return {"pick": "cherry-pick", "revert": "revert"}.get(picked)


def branch_in_head(own: Path) -> str | None:
    """The branch that HEAD names; None for a detached one."""
    told = _start_of(own / "HEAD")
    branch = told.removeprefix("ref: refs/heads/")
    return branch if branch != told else None


def merged_heads(own: Path) -> list[str]:
    """The commits that an unfinished merge brings in."""
    return _start_of(own / "MERGE_HEAD").split()
