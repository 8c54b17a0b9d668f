"""What one `git status` tells of a working tree, and its drift."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import GitError
from smriti_tui.domain.values import utc_text
from smriti_tui.domain.worktrees import Probed
from smriti_tui.git import places
from smriti_tui.git.run import run

STATUS = ("status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal")
DEFAULTS = ("refs/remotes/origin/main", "refs/remotes/origin/master", "refs/remotes/origin/trunk")
LOCAL_DEFAULTS = ("refs/heads/main", "refs/heads/master", "refs/heads/trunk")


def probe(tree: Path, limit_s: float) -> Probed:
    """Asks git about a working tree. What fails is told in `fault`; nothing is raised."""
    if not tree.is_dir():
        return Probed("the folder is missing")
    try:
        done = run(tree, *STATUS, limit_s=limit_s)
        if done.code != 0:
            return Probed(_fault(tree, done.why))
        found = parse(done.out)
        found = replace(found, operation=places.operation(tree))
        commit = found.commit
        if commit is None:
            return found
        if found.against is None:
            found = _against_default(tree, found, limit_s)
        return replace(found, committed_at=_commit_time(tree, commit, limit_s))
    except GitError as error:
        words = "git took too long" if error.code == "git_late" else error.message.rstrip(".")
        return Probed(words)


def _fault(tree: Path, why: str) -> str:
    link = places.git_dir(tree)
    if link is not None and not link.is_dir():
        return "its repository is gone"
    return "it is no git repository" if "not a git repository" in why else why or "git failed"


def parse(out: bytes) -> Probed:
    """The output of `STATUS`; odd lines are left out, so that the rest is told."""
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
            branch = text[14:] if text[14:] != "(detached)" else None
        elif text.startswith("# branch.upstream "):
            against = text[18:]
        elif text.startswith("# branch.ab "):
            ahead, behind = _counts(text[12:])
        else:
            dirty += _entry(text, parts)
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


def _against_default(tree: Path, found: Probed, limit_s: float) -> Probed:
    """Drift against the default branch where the branch follows none; nothing where there is no
    other."""
    for ref in _default_refs(tree, limit_s):
        name = ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")
        if ref == f"refs/heads/{found.branch}":
            continue
        done = run(
            tree, "rev-list", "--left-right", "--count", f"HEAD...{ref}", "--", limit_s=limit_s
        )
        counts = done.text.split()
        if done.code == 0 and len(counts) == 2 and all(each.isdigit() for each in counts):
            return replace(found, against=name, ahead=int(counts[0]), behind=int(counts[1]))
    return found


def _default_refs(tree: Path, limit_s: float) -> list[str]:
    """The default branches that exist, the likeliest first."""
    wanted = ("refs/remotes/origin/HEAD", *DEFAULTS, *LOCAL_DEFAULTS)
    done = run(tree, "for-each-ref", "--format=%(refname)%00%(symref)", *wanted, limit_s=limit_s)
    known = dict(line.split("\0", 1) for line in done.text.splitlines() if "\0" in line)
    remote = known.get("refs/remotes/origin/HEAD", "")
    there = [ref for ref in (remote, *DEFAULTS, *LOCAL_DEFAULTS) if ref in known]
    return list(dict.fromkeys(there))


def _commit_time(tree: Path, commit: str, limit_s: float) -> str | None:
    done = run(tree, "log", "-1", "--format=%ct", "--end-of-options", commit, limit_s=limit_s)
    text = done.text.strip()
    if done.code != 0 or not text.isdigit():
        return None
    try:
        return utc_text(datetime.fromtimestamp(int(text), UTC))
    except (ValueError, OverflowError, OSError):
        return None


def shown(path: Path) -> str:
    """A path for a message."""
    return clean_line(os.fspath(path))
