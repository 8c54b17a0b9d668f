"""Whether two worktrees get into each other's way: tried out, in a place of its own.

certain: merging the two as they are now, with what is not committed, really conflicts; the trial
merge proved it. likely: both changed lines of a file that are at most `NEAR_LINES` apart, though
git can still merge them. possible: both changed the same file, elsewhere in it.

Index and objects of the trial lie in a temporary folder. Nothing of the repository is written, no
hook runs and no lock is taken.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.domain.signals import Certainty
from smriti_tui.git import places
from smriti_tui.git.run import Done, run

NEAR_LINES = 3
LIMIT_S = 10.0
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@", re.MULTILINE)
_NOBODY = {
    "GIT_AUTHOR_NAME": "trial", "GIT_AUTHOR_EMAIL": "trial@localhost",
    "GIT_COMMITTER_NAME": "trial", "GIT_COMMITTER_EMAIL": "trial@localhost",
    "GIT_AUTHOR_DATE": "@1 +0000", "GIT_COMMITTER_DATE": "@1 +0000",
}  # fmt: skip

Lines = tuple[int, int]
"""First and last line in their common ancestor; 0 for an empty or new file."""


@dataclass(frozen=True)
class Shared:
    """A file that both changed."""

    path: str
    certainty: Certainty
    lines: tuple[Lines, ...] = ()
    """Where, as lines of the common ancestor; none where the files as such are at odds."""


@dataclass(frozen=True)
class Prediction:
    """Two worktrees, by their folders, and what both changed; certain ones first. `fault` says why
    it could not be tried."""

    one: Path
    other: Path
    shared: tuple[Shared, ...] = ()
    fault: str = ""


@dataclass
class _Trial:
    """A temporary place for indexes and objects, and the states that were written there."""

    root: Path
    place: Path
    deadline: float
    environ: Mapping[str, str] = field(default_factory=dict)
    states: dict[Path, str] = field(default_factory=dict)

    def git(self, *arguments: str, tree: Path | None = None, index: str = "") -> Done:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise GitError("There was no time left to try it.", code="git_late")
        own = {**self.environ, **({"GIT_INDEX_FILE": index} if index else {})}
        return run(tree or self.root, *arguments, limit_s=left, environ=own)

    def must(self, *arguments: str, tree: Path | None = None, index: str = "") -> Done:
        done = self.git(*arguments, tree=tree, index=index)
        if done.code != 0:
            raise GitError(done.why or "git failed")
        return done


def predict(root: Path, trees: Sequence[Path], limit_s: float = LIMIT_S) -> list[Prediction]:
    """Each two worktrees of one repository that changed a file in common, or could not be tried."""
    if len(trees) < 2:
        return []
    found: list[Prediction] = []
    with _trial(root, limit_s) as trial:
        for one, other in combinations(dict.fromkeys(trees), 2):
            try:
                shared = _shared(trial, _state(trial, one), _state(trial, other))
            except GitError as error:
                found.append(Prediction(one, other, fault=error.message))
                continue
            if shared:
                found.append(Prediction(one, other, tuple(shared)))
    return found


@contextmanager
def _trial(root: Path, limit_s: float) -> Iterator[_Trial]:
    place = Path(tempfile.mkdtemp(prefix="smriti-trial-"))
    try:
        trial = _Trial(root, place, time.monotonic() + limit_s)
        done = run(root, "rev-parse", "--git-path", "objects")
        objects = Path(done.text.removesuffix("\n"))
        if not objects.is_absolute():
            objects = root / objects
        (place / "objects").mkdir()
        trial.environ = {
            **_NOBODY,
            "GIT_OBJECT_DIRECTORY": os.fspath(place / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fspath(objects),
        }
        yield trial
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _state(trial: _Trial, tree: Path) -> str:
    """A commit of the working tree as it is now, untracked files with it, on top of its head."""
    if tree in trial.states:
        return trial.states[tree]
    head = trial.must("rev-parse", "--verify", "HEAD^{commit}", tree=tree).text.strip()
    index = os.fspath(trial.place / f"index-{len(trial.states)}")
    own = places.git_dir(tree)
    if own is not None and (own / "index").exists():
        shutil.copyfile(own / "index", index)  # with it, unchanged files are not read
    else:
        trial.must("read-tree", "HEAD", tree=tree, index=index)
    trial.must("add", "--all", "--", ".", tree=tree, index=index)
    written = trial.must("write-tree", tree=tree, index=index).text.strip()
    made = trial.must("commit-tree", "-p", head, "-m", "trial", written, tree=tree)
    trial.states[tree] = made.text.strip()
    return trial.states[tree]


def _shared(trial: _Trial, one: str, other: str) -> list[Shared]:
    base = trial.git("merge-base", one, other)
    if base.code != 0 or not base.text.strip():
        return []
    start = base.text.strip()
    both = _changed(trial, start, one) & _changed(trial, start, other)
    merged = trial.git(
        "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other
    )
    if merged.code not in (0, 1):
        raise GitError(merged.why or "git cannot try a merge here")
    clashes = set()
    if merged.code == 1:
        clashes = {each for each in merged.text.split("\0")[1:] if each}
    found = [
        _judged(trial, path, path in clashes, start, one, other) for path in sorted(both | clashes)
    ]
    order: Mapping[Certainty, int] = {"certain": 0, "likely": 1, "possible": 2}
    return sorted(found, key=lambda each: order[each.certainty])


def _changed(trial: _Trial, start: str, end: str) -> set[str]:
    done = trial.must("diff", "--name-only", "-z", "--no-renames", start, end, "--")
    return {each for each in done.text.split("\0") if each}


def _judged(trial: _Trial, path: str, clashes: bool, start: str, one: str, other: str) -> Shared:
    mine, its = (_hunks(trial, path, start, end) for end in (one, other))
    near = 0 if clashes else NEAR_LINES
    touching = tuple(
        (max(min(a[0], b[0]), 0), max(a[1], b[1]))
        for a in mine
        for b in its
        if a[0] <= b[1] + max(near, 1) and b[0] <= a[1] + max(near, 1)
    )
    if clashes:
        return Shared(path, "certain", touching)
    return Shared(path, "likely", touching) if touching else Shared(path, "possible")


def _hunks(trial: _Trial, path: str, start: str, end: str) -> list[Lines]:
    """The changed stretches of a file, as lines of where both started."""
    done = trial.git(
        "diff", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv", start, end, "--",
        f":(top,literal){path}",
    )  # fmt: skip
    stretches = []
    for match in _HUNK.finditer(done.out):
        first, count = int(match[1]), int(match[2] or 1)
        stretches.append((first, first + max(count, 1) - 1))
    return stretches
