"""Whether two worktrees get into each other's way: tried out, in a place of its own.

certain: merging the two as they are now, with what is not committed, really conflicts; the trial
merge proved it. likely: both changed lines of a file that are at most `NEAR_LINES` apart, though
git can still merge them, or a program that is not run here would decide. possible: both changed the
same file, elsewhere in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from smriti_tui.domain.errors import GitError
from smriti_tui.domain.signals import Certainty
from smriti_tui.git.hunks import Lines, hunks
from smriti_tui.git.trial import Change, Trial, opened

NEAR_LINES = 3
LIMIT_S = 10.0
_ORDER: Mapping[Certainty, int] = {"certain": 0, "likely": 1, "possible": 2}


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


def predict(root: Path, trees: Sequence[Path], limit_s: float = LIMIT_S) -> list[Prediction]:
    """Each two worktrees of one repository that changed a file in common, or could not be tried."""
    if len(trees) < 2:
        return []
    found: list[Prediction] = []
    with opened(root, limit_s) as trial:
        for one, other in combinations(dict.fromkeys(trees), 2):
            try:
                shared = _shared(trial, one, other)
            except (GitError, OSError) as error:
                found.append(Prediction(one, other, fault=str(error)))
                continue
            if shared:
                found.append(Prediction(one, other, tuple(shared)))
    return found


def _shared(trial: Trial, one: Path, other: Path) -> list[Shared]:
    mine, its = trial.state(one), trial.state(other)
    start = trial.base(mine, its)
    if start is None:
        return []
    changes = trial.changed(start, mine), trial.changed(start, its)
    both = changes[0].paths & changes[1].paths
    clashes = _clashes(trial, one, other, changes) if both or _apart(*changes) else set()
    paths = sorted(both | clashes)
    if not paths:
        return []
    unsure = trial.unsure(one, paths) | trial.unsure(other, paths)
    places = [hunks(trial.patch(start, end, paths)) for end in (mine, its)]
    found = [
        _judged(
            path, path in clashes and path not in unsure, *(each.get(path, ()) for each in places)
        )
        for path in paths
    ]
    return sorted(found, key=lambda each: _ORDER[each.certainty])


def _apart(one: Change, other: Change) -> bool:
    """Whether changes without a file in common may be at odds all the same: something was moved, or
    what is a file for one is a folder for the other."""
    if one.moves or other.moves:
        return True
    return bool(one.folders & other.paths or other.folders & one.paths)


def _clashes(trial: Trial, one: Path, other: Path, changes: tuple[Change, Change]) -> set[str]:
    """What a merge leaves to people. Attributes decide as well: where they were changed it counts
    only if it is so whichever of the two is merged into the other."""
    found = trial.merged(one, other)
    if found and any(each.attributes for each in changes):
        found &= trial.merged(other, one)
    return found


def _judged(path: str, certain: bool, mine: Sequence[Lines], its: Sequence[Lines]) -> Shared:
    near = 1 if certain else NEAR_LINES
    touching = tuple(
        (min(a[0], b[0]), max(a[1], b[1]))
        for a in mine
        for b in its
        if a[0] <= b[1] + near and b[0] <= a[1] + near
    )
    if certain:
        return Shared(path, "certain", touching)
    return Shared(path, "likely", touching) if touching else Shared(path, "possible")
