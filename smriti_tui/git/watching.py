"""A watch over worktrees: what changed is probed again, what did not costs nothing.

The watch only drops what is kept. A change that it does not see (a network disk, a watch that could
not be set up, a commit made from elsewhere) is seen when `Probes` forgets by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from smriti_tui.git.probes import Probes, watched_folders

STEP_MS, DEBOUNCE_MS = 50, 200
"""A change is told after the first quiet step, at the latest after the debounce."""
_NOISE = ("index.lock", "HEAD.lock")


class WorktreeWatch:
    """Runs a thread of its own until `stop`."""

    def __init__(self, probes: Probes, changed: Callable[[Sequence[Path]], None]) -> None:
        """`changed` hears, in the thread, which worktrees changed, after they were dropped."""
        self._probes = probes
        self._changed = changed
        self._stop: threading.Event | None = None
        self._trees: tuple[Path, ...] = ()

    def watch(self, trees: Sequence[Path]) -> None:
        """From now on these and no others; the same again changes nothing."""
        wanted = tuple(sorted(set(trees)))
        if wanted == self._trees:
            return
        self.stop()
        self._trees = wanted
        folders = {folder: tree for tree in wanted for folder in watched_folders(tree)}
        if not folders:
            return
        self._probes.drop(wanted)
        self._stop = threading.Event()
        worker = threading.Thread(
            target=self._run, args=(folders, self._stop), name="worktree-watch", daemon=True
        )
        worker.start()

    def stop(self) -> None:
        if self._stop is not None:
            self._stop.set()
        self._stop = None
        self._trees = ()

    def _run(self, folders: Mapping[Path, Path], stop: threading.Event) -> None:
        from watchfiles import watch  # a native library, not needed by a first frame

        try:
            for changes in watch(
                *folders, stop_event=stop, step=STEP_MS, debounce=DEBOUNCE_MS,
                rust_timeout=1000, yield_on_timeout=False, raise_interrupt=False,
                watch_filter=_counts,
            ):  # fmt: skip
                hit = {_owner(Path(path), folders) for _, path in changes} - {None}
                trees = sorted(each for each in hit if each is not None)
                if trees:
                    self._probes.drop(trees)
                    self._changed(trees)
        except (OSError, RuntimeError):
            # No more watches to be had, or a folder went away: the time limit of the probes holds.
            self._probes.drop(set(folders.values()))


def _counts(_: object, path: str) -> bool:
    return not path.endswith(_NOISE)


def _owner(path: Path, folders: Mapping[Path, Path]) -> Path | None:
    for folder in (path, *path.parents):
        if folder in folders:
            return folders[folder]
    return None
