"""Opening and closing git worktrees: one at a time, never another than the one that is meant."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, GitError, Invalid, SmritiError
from smriti_tui.git import places
from smriti_tui.git.run import must, run
from smriti_tui.git.status import probe, shown

PROBE_S = 15.0
WRITE_S = 120.0
"""A large tree takes its time to be written and to be deleted."""
_LIST = ("worktree", "list", "--porcelain")
_USAGE = 129
_NOTHING = ""
_ALONE = ("rev-list", "-1", "HEAD", "--branches", "--glob=refs/stas[h]")


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
    done = run(root, *_LIST, "-z")
    if done.code == _USAGE:  # before git 2.36; a line break in a path splits it there
        text = must(root, *_LIST).text.replace("\n", "\0")
    else:
        text = done.text if done.code == 0 else must(root, *_LIST, "-z").text
    found: list[Listed] = []
    for block in text.split("\0\0"):
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
    raise Invalid(f"There is no commit {clean_line(revision)!r} in {shown(root)}.", field="base")


def check_branch(root: Path, branch: str) -> None:
    """Whether a new branch of that name can be made.

    Raises:
        Invalid: no name for a branch. Conflict: it is there already (code `branch_exists`; the
            details name the folder it is checked out in), or a branch above or below it is.
    """
    odd = branch.startswith("-") or branch in ("HEAD", "@") or "\0" in branch
    if odd or run(root, "check-ref-format", f"refs/heads/{branch}").code != 0:
        raise Invalid(f"{clean_line(branch)!r} is no name for a git branch.", field="branch")
    out = next((each.path for each in listed(root) if each.branch == branch), None)
    if out is not None:
        gone = is_gone(out)
        raise Conflict(
            f"The branch {branch} is checked out in {shown(out)}"
            + (", which is gone." if gone else "."),
            "Name another branch, or let go of that worktree (`smriti worktree prune`) first."
            if gone
            else "Work there, or name another branch.",
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
    """Makes the worktree on a new branch at a commit. What it made is taken away when it fails, and
    nothing else: of two that want the same folder or branch, one gets it and the other is refused.

    Raises:
        Conflict: something is at the path (code `path_taken`), the branch is there or checked out
            (`branch_exists`), or the path belongs to a locked worktree that is away
            (`locked_worktree`). Invalid, GitError.
    """
    check_branch(root, branch)
    _let_go(root, path)
    made = _missing_parents(path)
    _make(path)
    try:
        _make_branch(root, branch, commit)
        try:
            put = ("worktree", "add", "--", os.fspath(path), branch)
            must(root, *put, limit_s=WRITE_S, writes=True)
        except GitError:
            undo_add(root, path, branch, commit)
            raise
    except SmritiError:
        with suppress(OSError):
            path.rmdir()
        _take_back(made)
        raise


def _let_go(root: Path, path: Path) -> None:
    """Of the record of a worktree that once was at `path`, if there is one; of no other."""
    if not is_gone(path):
        return
    known = _known(root, path)
    if known is not None and known.locked is not None:
        raise _locked(known)
    if known is not None:
        forget(root, path)


def _make(path: Path) -> None:
    """The folder itself, so that it is ours if it was not there before."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir()
    except FileExistsError as error:
        raise Conflict(
            f"There is something at {shown(path)} already.", "Name another path.",
            code="path_taken",
        ) from error  # fmt: skip
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Invalid(f"{shown(path)} cannot be made: {why}.", field="path") from error


def _make_branch(root: Path, branch: str, commit: str) -> None:
    """Fails where it is there by now."""
    name = f"refs/heads/{branch}"
    why = f"branch: Created from {commit}"
    done = run(root, "update-ref", "-m", why, name, commit, _NOTHING, writes=True)
    if done.code != 0:
        check_branch(root, branch)
        raise GitError(f"git cannot make the branch {clean_line(branch)}: {done.why}.")


def undo_add(root: Path, path: Path, branch: str, commit: str) -> None:
    """Takes a worktree that was just made away, and its branch where nothing was committed on it.

    Raises: GitError.
    """
    shutil.rmtree(path, ignore_errors=True)
    run(root, "worktree", "remove", "--force", "--", os.fspath(path), writes=True)
    run(root, "update-ref", "-d", f"refs/heads/{branch}", commit, writes=True)


def _missing_parents(path: Path) -> list[Path]:
    """The folders above `path` that are not there, the deepest first."""
    return [each for each in path.parents if not each.exists()]


def _take_back(folders: list[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return


def remove(root: Path, path: Path, *, force: bool = False, branch: str | None = None) -> None:
    """Takes the worktree at `path` away and keeps its branch.

    Looked at again right before it goes: what became dirty meanwhile refuses. With `branch`, one
    that was put there in place of another is left alone.

    Raises:
        Conflict: it is dirty, untracked files counted (code `dirty_worktree`), something is in
            progress in it (`operation_in_progress`), commits are in its submodules alone
            (`unpushed_submodule`), it is locked (`locked_worktree`, also with `force`), it is the
            main one, none of this repository or another than the one that is meant
            (`not_a_worktree`). GitError.
    """
    known = _known(root, path)
    if known is None or path.is_symlink() or _replaced(root, known, branch):
        raise Conflict(
            f"{shown(path)} is no worktree of {shown(root)}, or another one by now.",
            "`git worktree list` shows where it went; `smriti worktree close --force` forgets it.",
            code="not_a_worktree",
        )
    if known.locked is not None:
        raise _locked(known)
    if not force:
        _must_be_clean(known.path)
    # Without force git looks once more itself, which it does not where there are submodules.
    flags = ["--force"] if force or _has_submodules(known.path) else []
    asked = ("-c", "status.showUntrackedFiles=normal", "worktree", "remove", *flags, "--")
    try:
        must(root, *asked, os.fspath(known.path), limit_s=WRITE_S, writes=True)
    except GitError:
        if not force and is_there(known.path):
            _must_be_clean(known.path)
        raise


def _locked(known: Listed) -> Conflict:
    reason = f": {clean_line(known.locked)}" if known.locked else ""
    return Conflict(
        f"The worktree {shown(known.path)} is locked{reason}.",
        "`git worktree unlock` first.",
        code="locked_worktree",
    )


def _replaced(root: Path, known: Listed, branch: str | None) -> bool:
    """Whether the branch that is meant is checked out, but elsewhere."""
    if branch is None or known.branch == branch:
        return False
    return any(each.branch == branch for each in listed(root))


def _has_submodules(path: Path) -> bool:
    done = must(path, "ls-files", "-z", "--stage")
    return any(line.startswith("160000 ") for line in done.text.split("\0"))


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
    for module in _modules(path):
        if run(path, f"--git-dir={module}", *_ALONE, "--not", "--remotes", "--").text:
            raise Conflict(
                f"A submodule in {shown(path)} has commits that are nowhere else.",
                "Push them, or give --force to lose them.",
                code="unpushed_submodule",
                details={"module": os.fspath(module)},
            )


def _modules(path: Path) -> list[Path]:
    """The repositories of submodules that go with a worktree."""
    own = places.git_dir(path)
    folder = own / "modules" if own is not None else None
    if folder is None or not folder.is_dir():
        return []
    return [each.parent for each in folder.rglob("HEAD") if (each.parent / "objects").is_dir()]


def forget(root: Path, path: Path) -> bool:
    """Takes the record of a worktree whose folder is gone out of git; whether there was one. Every
    other record stays, also of a folder that is away just now.

    Raises: GitError.
    """
    known = _known(root, path)
    if known is None or known.locked is not None or not is_gone(known.path):
        return False
    must(root, "worktree", "remove", "--force", "--", os.fspath(known.path), writes=True)
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


def is_gone(path: Path) -> bool:
    """Whether nothing is at a path. What cannot be looked at is not gone."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
