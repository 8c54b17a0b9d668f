"""A watch over worktrees: what changed is dropped, so that what did not costs nothing.

What bounds the age of a state: the watch writes a beat, a file of its own, several times a second
and gets it back through the same queue as every change. So when a beat has come back, all that
happened before it was written has come as well, and was dropped. `sees` says yes only while the
newest beat that came back was written at most `UNSEEN_S` ago; else, and for a tree that cannot be
watched at all, `Probes` asks git again after that time. A beat that never comes back means that the
system lost changes: all is dropped. What no watch is told of (a setting of the user, a file written
through memory) is seen after `probes.KEPT_S`.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from smriti_tui.git.probes import UNSEEN_S, Probes
from smriti_tui.git.reading import Read, Reading
from smriti_tui.git.scope import Scope, scope_or_none

STEP_MS, DEBOUNCE_MS = 50, 200
"""A change is told after the first quiet step, at the latest after the debounce."""
BEAT_S = 0.25
AGAIN_S, AGAIN_AT_MOST_S = 1.0, 30.0
"""How soon the folders of a tree are looked through again; each time twice as long, until it is
quiet for the longest time. All trees lose sight for a moment then."""
RETRY_S = 60.0
"""When it is tried again after the system refused."""
FLOOD = 2_000
"""So many changes at once, and some may have been lost."""
_PREFIX = "beat-"

Changes = Collection[tuple[int, str]]


class WorktreeWatch:
    """Runs a thread of its own until `stop`."""

    def __init__(
        self,
        probes: Probes,
        changed: Callable[[Sequence[Path]], None],
        failed: Callable[[str], None],
        watchable: Callable[[Path], bool],
    ) -> None:
        """`changed` hears, in the thread, which worktrees may have changed, after they were
        dropped; `failed`, once, why the system watches no more. `watchable` says whether a folder
        is on a disk of this machine: of others nothing is told."""
        self._probes = probes
        self._changed = changed
        self._failed = failed
        self._watchable = watchable
        self._guard = threading.Lock()
        self._wanted: tuple[Path, ...] = ()
        self._wake = threading.Event()
        self._stopped = False
        self._told = False
        self._seen: frozenset[Path] = frozenset()
        self._beaten = float("-inf")
        self._scopes: dict[Path, Scope | None] = {}
        self._due: dict[Path, float] = {}
        self._lost: set[Path] = set()
        self._rest: dict[Path, tuple[float, float]] = {}
        self._thread: threading.Thread | None = None

    def watch(self, trees: Sequence[Path]) -> None:
        """From now on these and no others; the same again changes nothing."""
        wanted = tuple(sorted(set(trees)))
        with self._guard:
            if wanted == self._wanted or self._stopped:
                return
            self._wanted = wanted
            self._seen &= frozenset(wanted)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="worktree-watch", daemon=True
                )
                self._thread.start()
        self._probes.watched_by(self)
        self._wake.set()

    def stop(self) -> None:
        """Ends the thread within a step."""
        with self._guard:
            self._stopped = True
            self._seen = frozenset()
            self._wanted = ()
        self._wake.set()

    def sees(self, tree: Path) -> bool | None:
        with self._guard:
            if tree not in self._wanted:
                return None
            return tree in self._seen and time.monotonic() - self._beaten <= UNSEEN_S

    def _run(self) -> None:
        with tempfile.TemporaryDirectory(prefix="smriti-watch-") as beats:
            while not self._stopped:
                self._wake.clear()
                reading = self._looked_through()
                if not reading.folders:
                    self._wake.wait()
                    continue
                try:
                    self._listen(reading, os.path.realpath(beats))
                except (OSError, RuntimeError) as error:
                    self._give_up(reading, error)

    def _looked_through(self) -> Reading:
        """What is watched from now on; only trees that are new or changed in shape are walked."""
        with self._guard:
            wanted = self._wanted
        for tree in wanted:
            if tree not in self._scopes:
                self._scopes[tree] = self._scope(tree)
        self._scopes = {tree: self._scopes[tree] for tree in wanted}
        later = time.monotonic() + AGAIN_AT_MOST_S
        self._due = {tree: later for tree, scope in self._scopes.items() if scope is None}
        self._lost.clear()
        return Reading([each for each in self._scopes.values() if each is not None], self._probes)

    def _scope(self, tree: Path) -> Scope | None:
        return scope_or_none(tree) if self._watchable(tree) else None

    def _listen(self, reading: Reading, beats: str) -> None:
        """Until the folders are others. Raises: OSError: the system does not watch."""
        from watchfiles import watch  # a native library, not needed by a first frame

        pulse = Pulse(beats)
        for changes in watch(
            *sorted(reading.folders), beats, stop_event=self._wake, step=STEP_MS,
            debounce=DEBOUNCE_MS, rust_timeout=int(BEAT_S * 1000), yield_on_timeout=True,
            raise_interrupt=False, watch_filter=None, recursive=False, force_polling=False,
            ignore_permission_denied=True,
        ):  # fmt: skip
            first = pulse.newest is None
            lost = pulse.heard(changes)
            if first and pulse.newest is not None:
                # It listens. What happened before it did is not known, and the folders may be
                # others by now.
                if self._reshaped(reading):
                    break
                self._begin(reading)
            read = reading.read(changes)
            if lost or len(changes) > FLOOD:
                read.lost |= reading.trees
            self._take(read)
            if pulse.newest is not None:
                with self._guard:
                    self._beaten = pulse.newest
            pulse.beat()
            if self._looked_again(reading):
                break
        with self._guard:
            self._seen = frozenset()

    def _reshaped(self, reading: Reading) -> bool:
        found = {each.place.tree: self._scope(each.place.tree) for each in reading.scopes}
        other = [each for each in reading.scopes if found[each.place.tree] != each]
        for each in other:
            self._scopes[each.place.tree] = found[each.place.tree]
        return bool(other)

    def _begin(self, reading: Reading) -> None:
        self._drop(reading.trees)
        with self._guard:
            self._seen = frozenset(reading.trees) & frozenset(self._wanted)

    def _take(self, read: Read) -> None:
        blind = read.reshaped | read.lost
        if blind:
            with self._guard:
                self._seen -= blind
            self._lost |= read.lost
            for tree in blind - self._due.keys():
                self._due[tree] = time.monotonic() + self._next_rest(tree)
        self._drop(read.hit | blind)

    def _next_rest(self, tree: Path) -> float:
        now = time.monotonic()
        last, rest = self._rest.get(tree, (float("-inf"), 0.0))
        quiet = now - last > AGAIN_AT_MOST_S + rest
        rest = 0.0 if quiet else min(max(2 * rest, AGAIN_S), AGAIN_AT_MOST_S)
        self._rest[tree] = (now, rest)
        return rest

    def _looked_again(self, reading: Reading) -> bool:
        """Looks through the trees it is time for; whether other folders are to be watched."""
        now = time.monotonic()
        again = [tree for tree, at in self._due.items() if at <= now]
        before = {each.place.tree: each for each in reading.scopes}
        others = False
        for tree in again:
            found = self._scopes[tree] = self._scope(tree)
            if tree in self._lost or found != before.get(tree):
                others = True
            elif found is None:
                self._due[tree] = now + AGAIN_AT_MOST_S
            else:
                del self._due[tree]
                self._drop([tree])
                with self._guard:
                    self._seen |= {tree} & set(self._wanted)
        return others

    def _drop(self, trees: Iterable[Path]) -> None:
        found = sorted(trees)
        if found:
            self._probes.drop(found)
            self._changed(found)

    def _give_up(self, reading: Reading, error: Exception) -> None:
        """Git is asked again and again then; a folder that only went away is looked for at once."""
        with self._guard:
            self._seen = frozenset()
        if isinstance(error, FileNotFoundError) or self._reshaped(reading):
            self._scopes.clear()
            self._wake.wait(BEAT_S)
            return
        if not self._told:
            self._told = True
            self._failed(str(error) or type(error).__name__)
        self._wake.wait(RETRY_S)


class Pulse:
    """Beats written, and those that came back."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._written: dict[str, float] = {}
        self._number = 0
        self.newest: float | None = None
        """When the newest one that came back was written."""

    def beat(self) -> None:
        """Writes the next one if it is time for it."""
        now = time.monotonic()
        if self._written and now - max(self._written.values()) < BEAT_S:
            return
        self._number += 1
        path = f"{self._folder}/{_PREFIX}{id(self)}-{self._number}"
        self._written[path] = now
        Path(path).touch()

    def heard(self, changes: Changes) -> bool:
        """Whether one was passed over: a later one came back, it never did."""
        back = {path for _, path in changes if path in self._written}
        if not back:
            return False
        newest = max(self._written[path] for path in back)
        self.newest = max(newest, self.newest or newest)
        passed = {path for path, at in self._written.items() if at <= newest}
        for path in passed:
            del self._written[path]
            Path(path).unlink(missing_ok=True)
        return passed != back
