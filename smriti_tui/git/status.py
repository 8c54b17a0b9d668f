"""What one `git status` tells of a working tree, and its drift."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import GitError
from smriti_tui.domain.worktrees import Probed
from smriti_tui.git import places
from smriti_tui.git.drift import Defaults, Drift
from smriti_tui.git.foreign import foreign
from smriti_tui.git.places import Place
from smriti_tui.git.run import run

STATUS = (
    "status", "--porcelain=v2", "-z", "--branch",
    # Settings could leave out each of these.
    "--ahead-behind", "--untracked-files=all", "--ignore-submodules=none", "--find-renames",
)  # fmt: skip
DETACHED = "(detached)"
LATE = "git took too long"


def probe(
    tree: Path, limit_s: float, drift: Drift | None = None, defaults: Defaults | None = None
) -> Probed:
    """Asks git about a working tree, in at most `limit_s` for all of it. What fails is told in
    `fault`; nothing is raised."""
    deadline = time.monotonic() + limit_s
    try:
        place = places.place(tree)
        found = _status(place, deadline)
        return _measured(place, found, drift or Drift(), defaults or Defaults(), deadline)
    except GitError as error:
        return Probed(_fault(error))
    except OSError as error:
        return Probed(f"it cannot be read: {error.strerror or error}")


def _fault(error: GitError) -> str:
    words = {"git_late": LATE, "git_missing": "there is no git"}
    return words.get(error.code, clean_line(error.message.rstrip(".")))


def _status(place: Place, deadline: float) -> Probed:
    quiet = foreign(place, _left(deadline)).quiet
    above = os.fspath(place.tree.parent)
    bounds = {} if os.pathsep in above else {"GIT_CEILING_DIRECTORIES": above}
    done = run(place.tree, *STATUS, limit_s=_left(deadline), environ={**quiet, **bounds})
    if done.code != 0:
        raise GitError(done.why or f"git status ended with {done.code}")
    found = parse(done.out)
    if found.branch == DETACHED:  # which may be the name of a branch, too
        named = places.branch_in_head(place.own)
        found = replace(found, branch=named if named == DETACHED else None)
    return replace(found, operation=places.operation(place.own))


def _measured(
    place: Place, found: Probed, drift: Drift, defaults: Defaults, deadline: float
) -> Probed:
    """With the time of its commit, and drift against the default branch where the branch follows
    none."""
    if found.commit is None:
        return found
    if found.against is not None:
        counted = drift.of(place, found.commit, None, deadline)
        return replace(found, committed_at=counted.committed_at)
    refs = defaults.of(place, deadline)
    other = next((each for each in refs if each.name != f"refs/heads/{found.branch}"), None)
    counted = drift.of(place, found.commit, other.commit if other else None, deadline)
    return replace(
        found,
        against=other.short if other else None,
        ahead=counted.ahead,
        behind=counted.behind,
        committed_at=counted.committed_at,
    )


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0)


def parse(out: bytes) -> Probed:
    """The output of `STATUS`; a detached head as `DETACHED`. Odd lines are left out, so that the
    rest is told; without any head there is nothing to tell.

    Raises: GitError.
    """
    branch: str | None = None
    commit: str | None = None
    against: str | None = None
    ahead: int | None = None
    behind: int | None = None
    parts = iter(out.split(b"\0"))
    dirty: list[str] = []
    for part in parts:
        text = part.decode(errors="surrogateescape")
        if text.startswith("# branch.oid "):
            commit = text[13:] if text[13:] != "(initial)" else None
        elif text.startswith("# branch.head "):
            branch = text[14:]
        elif text.startswith("# branch.upstream "):
            against = text[18:]
        elif text.startswith("# branch.ab "):
            ahead, behind = _counts(text[12:])
        else:
            dirty += _entry(text, parts)
    if branch is None:
        raise GitError("git said something unexpected")
    if ahead is None:  # an upstream that is gone counts for none
        against = None
    return Probed(
        branch=branch, commit=commit, against=against, ahead=ahead, behind=behind,
        dirty=tuple(dirty),
    )  # fmt: skip


def _counts(text: str) -> tuple[int | None, int | None]:
    signs = text.split(" ")
    try:
        return abs(int(signs[0])), abs(int(signs[1]))
    except (ValueError, IndexError):
        return None, None


def _entry(text: str, parts: Iterator[bytes]) -> list[str]:
    kind = text[:2]
    if kind == "1 ":
        fields = text.split(" ", 8)
        return [fields[8]] if len(fields) == 9 else []
    if kind == "2 ":
        before = next(parts, b"").decode(errors="surrogateescape")
        fields = text.split(" ", 9)
        return [f"{before} → {fields[9]}"] if len(fields) == 10 else []
    if kind == "u ":
        fields = text.split(" ", 10)
        return [fields[10]] if len(fields) == 11 else []
    return [text[2:]] if kind == "? " else []


def shown(path: Path) -> str:
    """A path for a message."""
    return clean_line(os.fspath(path))
