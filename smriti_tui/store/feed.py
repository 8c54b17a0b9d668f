"""Committed events as they come, from this process and others (DESIGN section 4, `subscribe`).

What is new is decided by "events after my position" alone. A poll of `PRAGMA data_version` on one
long-lived connection outside transactions tells when to look; it is woken early by this process's
own commits and by changes in the database's folder. A file notice alone would be wrong: it comes
before the commit is visible, and with a slow fsync no second one follows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from smriti_tui.domain.errors import StoreError
from smriti_tui.store.backends.base import Probe, Watch
from smriti_tui.store.database import Store
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.readlog import Damaged, last_position, read_all

ACTIVE_S = 0.1
IDLE_S = 0.3
PAGE = 1000


class Feed:
    """One subscriber in one thread. `nudge` and `stop` may be called from any."""

    def __init__(self, store: Store, after: int) -> None:
        """Starts after position `after`."""
        self._store = store
        self.position = after
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._probe: Probe | None = None
        self._version: int | None = None
        self._generation: int | None = None
        self._replaced: Callable[[], None] = lambda: None
        self.interval_s = ACTIVE_S
        self._watch: Watch | None = None

    def nudge(self) -> None:
        """Looks at once, whatever the poll says."""
        self._version = None
        self._wake.set()

    def stop(self) -> None:
        """Ends the subscription within one interval."""
        self._stopped.set()
        self._wake.set()

    def watch(self, failed: Callable[[str], None]) -> None:
        """Has the poll woken early by what the database's changes stir, until the subscription
        ends; `failed` gets the reason if that cannot be (the limit of watches is reached)."""
        self._watch = self._store.watch(self._wake.set, failed)
        self._watch.start()

    def batches(
        self,
        unreachable: Callable[[StoreError | None], None] = lambda error: None,
        replaced: Callable[[], None] = lambda: None,
    ) -> Iterator[list[StoredEvent | Damaged]]:
        """Non-empty lists of events in order of position, until stopped. Never skips, never
        repeats.

        `unreachable` is told when the database cannot be read, and None when it can be again;
        `replaced`, when another file has taken its path.
        """
        failed = False
        self._replaced = replaced
        forget_commits = self._store.log.on_commit(self.nudge)
        try:
            while not self._stopped.is_set():
                try:
                    batch = self._look()
                except StoreError as error:
                    self._forget()
                    unreachable(error)
                    failed, batch = True, []
                else:
                    if failed:
                        unreachable(None)
                        failed = False
                if batch:
                    yield batch
                    if len(batch) == PAGE:
                        continue
                self._wake.wait(self._store.pause_s(self.interval_s))
                self._wake.clear()
        finally:
            forget_commits()
            self._forget()
            if self._watch is not None:
                self._watch.stop()

    def _look(self) -> list[StoredEvent | Damaged]:
        generation = self._store.generation()
        if not self._store.exists():
            return []
        if generation != self._generation:
            self._change_file(generation)
        if self._probe is None:
            self._probe = self._store.probe()
        version = self._probe.version()
        if version == self._version:
            return []
        with self._store.read() as tx:
            batch = list(read_all(tx, self.position, PAGE))
        if batch:
            self.position = batch[-1].position
        if len(batch) < PAGE:
            self._version = version
        return batch

    def _change_file(self, generation: int) -> None:
        """Another file has taken the path, such as a backup that was put back: what is appended to
        it from now on comes, also where its end lies before this one's position."""
        self._forget()
        if self._generation is not None:
            with self._store.read() as tx:
                self.position = min(self.position, last_position(tx))
            self._replaced()
        self._generation = generation

    def _forget(self) -> None:
        self._version = None
        if self._probe is not None:
            self._probe.close()
            self._probe = None
