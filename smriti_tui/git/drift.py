"""How far a commit is from another, and when it was made: counted once, since it stays true."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.domain.values import utc_text
from smriti_tui.git.places import Place
from smriti_tui.git.run import run

REMOTE_HEAD = "refs/remotes/origin/HEAD"
REMOTE_DEFAULTS = tuple(f"refs/remotes/origin/{name}" for name in ("main", "master", "trunk"))
LOCAL_DEFAULTS = tuple(f"refs/heads/{name}" for name in ("main", "master", "trunk"))
MOST_KEPT = 4096

Stamp = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Counted:
    """Commits of the one that the other lacks, those it lacks itself, and its time as UTC text."""

    ahead: int | None = None
    behind: int | None = None
    committed_at: str | None = None


@dataclass(frozen=True)
class Ref:
    """A branch that others are measured against."""

    name: str
    """In full, as `refs/remotes/origin/main`."""
    commit: str

    @property
    def short(self) -> str:
        return self.name.removeprefix("refs/remotes/").removeprefix("refs/heads/")


class Drift:
    """Safe from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: dict[tuple[Path, int, str, str], Counted] = {}

    def of(self, place: Place, commit: str, against: str | None, deadline: float) -> Counted:
        """Counts and time of a commit; against nothing, its time alone. Raises: GitError."""
        key = (place.common, _depth(place), commit, against or "")
        with self._guard:
            known = self._known.get(key)
        if known is not None:
            return known
        counted = _count(place, commit, against, max(deadline - time.monotonic(), 0))
        with self._guard:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[key] = counted
        return counted


def _depth(place: Place) -> int:
    """Changes when a shallow clone is deepened: then there is more to count."""
    try:
        return (place.common / "shallow").stat().st_mtime_ns
    except OSError:
        return 0


def _count(place: Place, commit: str, against: str | None, limit_s: float) -> Counted:
    """One call for both: the commit is on its own side of the walk, or where the two meet."""
    apart = against is not None and against != commit
    wanted = ["--left-right", "--boundary", f"{commit}...{against}"] if apart else ["-1", commit]
    done = run(place.tree, "rev-list", "--format=%ct", *wanted, "--", limit_s=limit_s)
    if done.code != 0:
        raise GitError(done.why or "git cannot count its commits")
    lines = done.text.split("\n")
    marks = [line.removeprefix("commit ") for line in lines[::2] if line]
    times = {mark.lstrip("<>-"): text for mark, text in zip(marks, lines[1::2], strict=False)}
    found = Counted(committed_at=_utc(times.get(commit, "")))
    if against is None:
        return found
    ahead = sum(mark.startswith("<") for mark in marks)
    behind = sum(mark.startswith(">") for mark in marks)
    return replace(found, ahead=ahead, behind=behind)


def _utc(text: str) -> str | None:
    try:
        return utc_text(datetime.fromtimestamp(int(text), UTC))
    except (ValueError, OverflowError, OSError):
        return None


class Defaults:
    """The default branches of repositories, asked for again when one of their files is another.
    Safe from several threads, which wait for one answer."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._asked: dict[Path, tuple[Stamp, Future[list[Ref]]]] = {}

    def of(self, place: Place, deadline: float) -> list[Ref]:
        """Those that exist, the likeliest first. Raises: GitError."""
        stamp = _stamp(place.common)
        with self._guard:
            known = self._asked.get(place.common)
            mine = known is None or known[0] != stamp
            if known is None or mine:
                known = self._asked[place.common] = (stamp, Future())
            asked = known[1]
        if mine:
            try:
                asked.set_result(_defaults(place, max(deadline - time.monotonic(), 0)))
            except GitError as error:
                with self._guard:
                    if self._asked.get(place.common) == (stamp, asked):
                        del self._asked[place.common]
                asked.set_exception(error)
        try:
            return asked.result(max(deadline - time.monotonic(), 0))
        except TimeoutError as error:
            raise GitError("git took too long", code="git_late") from error


def _stamp(common: Path) -> Stamp:
    """Changes with every change of a branch that matters: git puts a new file in place of the old
    one."""
    names = [REMOTE_HEAD, *REMOTE_DEFAULTS, *LOCAL_DEFAULTS, "packed-refs", "reftable/tables.list"]
    with suppress(OSError, ValueError):  # it may name any branch
        told = (common / REMOTE_HEAD).read_text(encoding="utf-8", errors="surrogateescape")
        names.append(told.strip().removeprefix("ref: "))
    return tuple(_file_stamp(common / name) for name in names)


def _file_stamp(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return 0, 0, 0
    return found.st_ino, found.st_mtime_ns, found.st_size


def _defaults(place: Place, limit_s: float) -> list[Ref]:
    wanted = (REMOTE_HEAD, *REMOTE_DEFAULTS, *LOCAL_DEFAULTS)
    shape = "--format=%(refname)%00%(symref)%00%(objectname)"
    done = run(place.tree, "for-each-ref", shape, *wanted, limit_s=limit_s)
    rows = [line.split("\0") for line in done.text.split("\n") if line.count("\0") == 2]
    commits = {name: commit for name, _, commit in rows}
    remote = next(
        (Ref(to or name, commit) for name, to, commit in rows if name == REMOTE_HEAD), None
    )
    others = [Ref(n, commits[n]) for n in (*REMOTE_DEFAULTS, *LOCAL_DEFAULTS) if n in commits]
    return [remote, *others] if remote is not None else others
