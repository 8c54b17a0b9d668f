"""Many worktrees asked at the same time; what did not change since is not asked again.

How old an answer may be: `KEPT_S` at most, and dropped at once by `drop`. Under a watch, no older
than `UNSEEN_S`: what the watch is sure to see is kept until it changes, anything else is asked
again after that time.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from smriti_tui.domain.worktrees import Probed
from smriti_tui.git.drift import Defaults, Drift
from smriti_tui.git.status import LATE, probe

LIMIT_S = 3.0
"""For all of them together: hung ones cost it once."""
KEPT_S = 60.0
UNSEEN_S = 1.0
AT_ONCE = 2 * (os.cpu_count() or 2)
"""How many gits run at the same time; one that runs longer than `SLOW_S` is not counted."""
SLOW_S = 0.25
_END_S = 0.3
"""What killing the last ones may take."""


class Watch(Protocol):
    """Whoever drops what changed."""

    def sees(self, tree: Path) -> bool | None:
        """Whether everything that changed until `UNSEEN_S` ago is dropped; None where `tree` is not
        watched at all."""


class Probes:
    """Safe from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._kept: dict[Path, tuple[float, Probed]] = {}
        self._dropped: dict[Path, int] = {}
        self._drift = Drift()
        self._defaults = Defaults()
        self._watch: Watch | None = None

    def watched_by(self, watch: Watch | None) -> None:
        """From now on `watch` drops what changes."""
        self._watch = watch

    def look(
        self, trees: Sequence[Path], *, limit_s: float = LIMIT_S, fresh: bool = False
    ) -> list[Probed]:
        """A probe of each, in their order, in at most about `limit_s`. With `fresh` all are asked
        again."""
        wanted = list(dict.fromkeys(trees))
        lives = {tree: self._life(tree) for tree in wanted}
        with self._guard:
            began = self._clock()
            held = {} if fresh else {
                tree: kept[1]
                for tree in wanted
                if (kept := self._kept.get(tree)) is not None and began - kept[0] < lives[tree]
            }  # fmt: skip
            marks = {tree: self._dropped.get(tree, 0) for tree in wanted}
        missing = [tree for tree in wanted if tree not in held]
        found = self._ask(missing, limit_s)
        with self._guard:
            for tree, probed in found.items():
                # What changed while git looked is asked again the next time.
                if self._dropped.get(tree, 0) == marks[tree]:
                    self._kept[tree] = (began, probed)
        return [(held.get(tree) or found[tree]) for tree in trees]

    def last(self, tree: Path) -> Probed | None:
        """What is known of a worktree, however old; git is not asked."""
        with self._guard:
            kept = self._kept.get(tree)
        return kept[1] if kept is not None else None

    def drop(self, trees: Iterable[Path]) -> None:
        """Something changed there: the next look asks git."""
        with self._guard:
            for tree in trees:
                self._kept.pop(tree, None)
                self._dropped[tree] = self._dropped.get(tree, 0) + 1

    def _ask(self, trees: Sequence[Path], limit_s: float) -> dict[Path, Probed]:
        """Each in a thread of its own that nobody waits for longer than the limit: not even
        looking at a folder is sure to come back."""
        deadline = time.monotonic() + limit_s
        slots = threading.Semaphore(AT_ONCE)
        found: dict[Path, Probed] = {}

        def ask(tree: Path) -> None:
            mine = slots.acquire(timeout=SLOW_S)
            try:
                found[tree] = probe(
                    tree, max(deadline - time.monotonic(), 0), self._drift, self._defaults
                )
            finally:
                if mine:
                    slots.release()

        asked = [threading.Thread(target=ask, args=(tree,), daemon=True) for tree in trees]
        for thread in asked:
            thread.start()
        for thread in asked:
            thread.join(max(deadline + _END_S - time.monotonic(), 0))
        return {tree: found.get(tree) or Probed(LATE) for tree in trees}

    def _life(self, tree: Path) -> float:
        seen = self._watch.sees(tree) if self._watch is not None else None
        return UNSEEN_S if seen is False else KEPT_S
