"""Claims: who declares to work on what. They are advice: nothing is locked (DESIGN 3.9).

Whether a claim still holds is decided when it is read, against the deadline in it, by this module
alone, so that every surface says the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.durations import seconds_between
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.items import comparison_key
from smriti_tui.domain.model import ClaimStatus, Intent
from smriti_tui.domain.search_words import words

DEFAULT_TTL_S = 4 * 3600
INTENTS: tuple[Intent, ...] = ("implement", "review", "investigate", "docs", "test")
MOST_SCOPE = 500
"""Characters of a scope."""
MOST_TASK = 200
"""Characters of the id of a task."""
_ALIKE = 0.6
"""Share of common words from which two scopes are told as overlapping."""
_FEWEST_WORDS = 2
_PATH = re.compile(r"[\w.~+@-]*(?:/[\w.*~+@-]*)+|[\w-]+\.[A-Za-z][A-Za-z0-9]{0,7}\b")
_LITTLE = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "the",
        "to",
        "with",
    ]
)

ClaimState = Literal["active", "expired", "done", "abandoned"]
OverlapKind = Literal["task", "scope", "files"]


@dataclass(frozen=True)
class Claim:
    """A claim as it was declared, and how it ended."""

    id: str
    space: SpaceId
    agent: str
    scope: str
    intent: Intent
    task_id: str | None
    branch: BranchId
    branch_name: str
    base: CheckpointId | None
    """The head of its branch when it was taken."""
    worktree: str | None
    token: int
    """Grows with each claim on the same task: who comes back late sees that others came after."""
    status: ClaimStatus
    taken_at: str
    expires_at: str
    ended_at: str | None
    ended_by: str | None
    position: int

    def state(self, now: str) -> ClaimState:
        """`now` is UTC text."""
        if self.status == "active" and self.expires_at <= now:
            return "expired"
        return self.status

    def holds(self, now: str) -> bool:
        return self.state(now) == "active"

    def left_s(self, now: str) -> int:
        """Seconds until it expires, 0 where it has; also when the clock was turned back it never
        has more than it was given."""
        given = seconds_between(self.taken_at, self.expires_at)
        return max(0, min(seconds_between(now, self.expires_at), max(given, 0)))


@dataclass(frozen=True)
class Overlap:
    """Two claims that may get into each other's way, and why."""

    one: Claim
    """The earlier one."""
    other: Claim
    kind: OverlapKind
    why: str
    """What both have: the task, words or paths."""


def overlap(one: Claim, other: Claim) -> Overlap | None:
    """Whether two claims are about the same: the same task, or scopes that share a path or most of
    their words. Different tasks are different work, whatever the words."""
    first, second = sorted((one, other), key=lambda each: each.position)
    tasks = [comparison_key(each.task_id) if each.task_id else "" for each in (first, second)]
    if all(tasks):
        if tasks[0] == tasks[1]:
            return Overlap(first, second, "task", f"both are on task {first.task_id}")
        return None
    if paths := shared_paths(scope_paths(first.scope), scope_paths(second.scope)):
        return Overlap(first, second, "files", f"both name {', '.join(paths[:3])}")
    common = _shared_words(first.scope, second.scope)
    if common:
        return Overlap(first, second, "scope", f"both say {', '.join(common[:5])}")
    return None


def overlaps(claims: Sequence[Claim], now: str) -> list[Overlap]:
    """All pairs of holding claims that overlap, the newest first."""
    holding = sorted((each for each in claims if each.holds(now)), key=lambda each: -each.position)
    found = [
        overlap(later, earlier)
        for number, later in enumerate(holding)
        for earlier in holding[number + 1 :]
    ]
    return [each for each in found if each is not None]


def scope_paths(scope: str) -> list[str]:
    """The paths and file names that a scope names, normalised."""
    found = (match.group().strip("/") for match in _PATH.finditer(scope))
    return list(dict.fromkeys(posixpath.normpath(path) for path in found if path.strip("./*")))


def shared_paths(one: Iterable[str], other: Iterable[str]) -> list[str]:
    """Paths of one that lie in, over or at one of the other; globs end where their star begins."""
    theirs = [_stem(path) for path in other]
    return [
        path
        for path in one
        if any(_inside(_stem(path), each) or _inside(each, _stem(path)) for each in theirs)
    ]


def _stem(path: str) -> str:
    return path.split("*", 1)[0].rstrip("/")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/") or not folder


def _shared_words(one: str, other: str) -> list[str]:
    """The common words of two scopes that are alike; none where they are not."""
    if comparison_key(one) == comparison_key(other):
        return list(words(one))[:5]
    mine = [word for word in dict.fromkeys(words(one)) if word not in _LITTLE]
    its = {word for word in words(other) if word not in _LITTLE}
    common = [word for word in mine if word in its]
    if len(common) < _FEWEST_WORDS:
        return []
    smaller = min(len(mine), len(its))
    alike = len(common) == smaller or len(common) / len({*mine, *its}) >= _ALIKE
    return common if alike else []
