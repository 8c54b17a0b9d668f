"""Many worktrees asked at the same time; what did not change since is not asked again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from smriti_tui.domain.worktrees import Probed
from smriti_tui.git import places
from smriti_tui.git.status import probe

LIMIT_S = 3.0
"""For all of them together: hung ones cost it once."""
KEPT_S = 60.0
MOST_AT_ONCE = 64


class Probes:
    """Safe from several threads. Without `watching`, an answer is kept for `KEPT_S` at most."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._kept: dict[Path, tuple[float, Probed]] = {}
        self._dropped: dict[Path, int] = {}

    def look(
        self, trees: Sequence[Path], *, limit_s: float = LIMIT_S, fresh: bool = False
    ) -> list[Probed]:
        """A probe of each, in their order, in at most about `limit_s`. With `fresh` all are asked
        again."""
        wanted = list(dict.fromkeys(trees))
        with self._guard:
            now = self._clock()
            held = {} if fresh else {
                tree: kept[1]
                for tree in wanted
                if (kept := self._kept.get(tree)) is not None and now - kept[0] < KEPT_S
            }  # fmt: skip
            marks = {tree: self._dropped.get(tree, 0) for tree in wanted}
        missing = [tree for tree in wanted if tree not in held]
        found = dict(zip(missing, _ask(missing, limit_s), strict=True))
        with self._guard:
            now = self._clock()
            for tree, probed in found.items():
                # What changed while git looked is asked again the next time.
                if self._dropped.get(tree, 0) == marks[tree]:
                    self._kept[tree] = (now, probed)
        return [(held.get(tree) or found[tree]) for tree in trees]

    def drop(self, trees: Iterable[Path]) -> None:
        """Something changed there: the next look asks git."""
        with self._guard:
            for tree in trees:
                self._kept.pop(tree, None)
                self._dropped[tree] = self._dropped.get(tree, 0) + 1


def _ask(trees: Sequence[Path], limit_s: float) -> list[Probed]:
    if not trees:
        return []
    if len(trees) == 1:
        return [probe(trees[0], limit_s)]
    deadline = time.monotonic() + limit_s
    with ThreadPoolExecutor(min(len(trees), MOST_AT_ONCE), "git-probe") as pool:
        return list(
            pool.map(lambda tree: probe(tree, max(deadline - time.monotonic(), 0.05)), trees)
        )


def watched_folders(tree: Path) -> list[Path]:
    """Where a change of a worktree shows: its files, and its own git directory."""
    own = places.git_dir(tree)
    folders = [tree]
    if own is not None and tree not in own.parents:
        folders.append(own)
    return [each for each in folders if each.is_dir()]
