"""Opening and closing git worktrees: one at a time, never another than the one that is meant."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from smriti_tui.domain.errors import Conflict, GitError, Invalid
from smriti_tui.git import places
from smriti_tui.git.run import must, run
from smriti_tui.git.status import probe, shown

PROBE_S = 15.0


@dataclass(frozen=True)
class Listed:
    """A worktree as git lists it. `branch` is None for a detached one."""

    path: Path
    branch: str | None
    locked: str | None = None
    """Why it is locked, "" without a reason; None where it is not."""
    prunable: bool = False


def listed(root: Path) -> list[Listed]:
    """The worktrees of a repository, the main one first. Raises: GitError."""
    done = must(root, "worktree", "list", "--porcelain", "-z")
    found: list[Listed] = []
    for block in done.text.split("\0\0"):
        lines = (line.partition(" ") for line in block.split("\0") if line)
        fields = {name: value for name, _, value in lines}
        if "worktree" in fields:
            branch = fields.get("branch", "").removeprefix("refs/heads/") or None
            locked = fields.get("locked")
            path = Path(fields["worktree"])
            found.append(Listed(path, branch, locked, "prunable" in fields))
    return found


def head(root: Path, revision: str = "HEAD") -> str:
    """The commit that a revision names.

    Raises:
        Invalid: there is none (code `no_commit` where the repository has no commit at all).
    """
    wanted = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    done = run(root, *wanted)
    if done.code == 0 and done.text.strip():
        return done.text.strip()
    if revision == "HEAD":
        raise Invalid(
            f"The repository at {shown(root)} has no commit yet.",
            "Commit something first.",
            code="no_commit",
        )
    raise Invalid(f"There is no commit {revision!r} in {shown(root)}.", field="base")


def check_branch(root: Path, branch: str) -> None:
    """Whether a new branch of that name can be made.

    Raises:
        Invalid: no name for a branch. Conflict: it is there already (code `branch_exists`; the
            details name the folder it is checked out in), or a branch above or below it is.
    """
    odd = branch.startswith("-") or branch != branch.strip()
    if odd or run(root, "check-ref-format", "--branch", branch).code != 0:
        raise Invalid(f"{branch!r} is no name for a git branch.", field="branch")
    out = next((each.path for each in listed(root) if each.branch == branch), None)
    if out is not None:
        raise Conflict(
            f"The branch {branch} is checked out in {shown(out)}.",
            "Work there, or name another branch.",
            code="branch_exists",
            details={"branch": branch, "path": os.fspath(out)},
        )
    if taken := _in_the_way(root, branch):
        raise Conflict(
            f"There is a branch {taken} already.",
            "Name another branch.",
            code="branch_exists",
            details={"branch": taken, "path": None},
        )


def _in_the_way(root: Path, branch: str) -> str | None:
    """A branch of that name, above it or below it: git keeps them as files and folders."""
    parts = branch.split("/")
    above = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    patterns = [f"refs/heads/{name}" for name in above]
    done = must(root, "for-each-ref", "--format=%(refname)", *patterns)
    names = [line.removeprefix("refs/heads/") for line in done.text.splitlines()]
    return next((each for each in names if each in above or each.startswith(f"{branch}/")), None)


def add(root: Path, path: Path, branch: str, commit: str) -> None:
    """Makes the worktree on a new branch at a commit. What it made is taken away when it fails.

    Raises:
        Conflict: something is at the path (code `path_taken`). Invalid, GitError.
    """
    if path.exists() or path.is_symlink():
        raise Conflict(
            f"There is something at {shown(path)} already.", "Name another path.",
            code="path_taken",
        )  # fmt: skip
    check_branch(root, branch)
    made = _missing_parents(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        must(root, "worktree", "add", "-b", branch, "--", os.fspath(path), commit, limit_s=120)
    except OSError as error:
        raise Invalid(
            f"{shown(path.parent)} cannot be made: {error.strerror or error}.", "", field="path"
        ) from error
    except GitError:
        undo_add(root, path, branch, commit)
        _take_back(made)
        raise


def undo_add(root: Path, path: Path, branch: str, commit: str) -> None:
    """Takes a worktree that was just made away, and its branch where nothing was committed on it.

    Raises: GitError.
    """
    shutil.rmtree(path, ignore_errors=True)
    run(root, "worktree", "remove", "--force", "--", os.fspath(path))
    run(root, "update-ref", "-d", f"refs/heads/{branch}", commit)


def _missing_parents(path: Path) -> list[Path]:
    """The folders above `path` that are not there, the deepest first."""
    return [each for each in path.parents if not each.exists()]


def _take_back(folders: list[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return


def remove(root: Path, path: Path, *, force: bool = False) -> None:
    """Takes the worktree at `path` away and keeps its branch.

    Looked at again right before it goes: what became dirty meanwhile refuses.

    Raises:
        Conflict: it is dirty, untracked files counted (code `dirty_worktree`), something is in
            progress in it (`operation_in_progress`), it is locked (`locked_worktree`), it is the
            main one or none of this repository (`not_a_worktree`). GitError.
    """
    known = _known(root, path)
    if known is None:
        raise Conflict(
            f"{shown(path)} is no worktree of {shown(root)}.",
            "`git worktree list` shows where it went; `smriti worktree close --force` forgets it.",
            code="not_a_worktree",
        )
    if known.locked is not None:
        reason = f": {known.locked}" if known.locked else ""
        raise Conflict(
            f"The worktree {shown(path)} is locked{reason}.",
            "`git worktree unlock` first.",
            code="locked_worktree",
        )
    if not force:
        _must_be_clean(known.path)
    flags = ["--force"] if force or (known.path / ".gitmodules").exists() else []
    must(root, "worktree", "remove", *flags, "--", os.fspath(known.path), limit_s=120)


def _must_be_clean(path: Path) -> None:
    found = probe(path, PROBE_S)
    if found.fault:
        raise GitError(f"{shown(path)}: {found.fault}.", "Look at it, or give --force.")
    if found.operation:
        raise Conflict(
            f"A {found.operation} is in progress in {shown(path)}.",
            f"Finish or abort the {found.operation}, or give --force.",
            code="operation_in_progress",
        )
    if found.dirty:
        raise Conflict(
            f"{shown(path)} holds {len(found.dirty)} changed or untracked paths.",
            "Commit or move them, or give --force to lose them.",
            code="dirty_worktree",
            details={"paths": list(found.dirty[:20])},
        )


def forget(root: Path, path: Path) -> bool:
    """Takes the record of a worktree whose folder is gone out of git; whether there was one. Every
    other record stays, also of a folder that is away just now.

    Raises: GitError.
    """
    known = _known(root, path)
    if known is None or known.path.exists():
        return False
    if known.locked is not None:
        return False
    must(root, "worktree", "remove", "--force", "--", os.fspath(known.path))
    return True


def _known(root: Path, path: Path) -> Listed | None:
    """The linked worktree that git lists at a path."""
    wanted = os.path.realpath(path)
    for each in listed(root)[1:]:
        if os.path.realpath(each.path) == wanted:
            return each
    return None


def is_there(path: Path) -> bool:
    """Whether a working tree still lies at a path."""
    return path.is_dir() and places.git_dir(path) is not None
