"""A wake-up when the database's files change: a hint that comes early, never the truth.

The log ahead of the database is written before its commit can be seen, and a slow disk makes the
hint come too soon; so the poll of `store.feed` goes on at its own pace (measured: with the hint
alone the newest commit was never seen).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

STEP_MS = 100
"""How long changes are gathered, and how often the watcher looks whether it is to end."""
NOT_YET_S = 1.0
"""How often a folder is looked for that is not there yet."""


class FileWatch:
    """Watches the folder of one database, that folder alone: its size does not matter."""

    def __init__(
        self, database: Path, wake: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """`failed` gets the reason when the system watches no more: then the poll alone serves."""
        self._database = database
        self._names = {database.name, f"{database.name}-wal", f"{database.name}-journal"}
        self._wake = wake
        self._failed = failed
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begins in a thread of its own."""
        threading.Thread(target=self._run, name="file-watch", daemon=True).start()

    def stop(self) -> None:
        """Ends the thread within a step."""
        self._stopped.set()

    def _run(self) -> None:
        # Loads a compiled library: never before the first frame.
        from watchfiles import watch

        while not self._database.parent.is_dir():
            if self._stopped.wait(NOT_YET_S):
                return
        try:
            for _ in watch(
                self._database.parent,
                watch_filter=lambda _, path: Path(path).name in self._names,
                debounce=STEP_MS,
                step=STEP_MS,
                stop_event=self._stopped,
                raise_interrupt=False,
                force_polling=False,
                recursive=False,
            ):
                self._wake()
        except OSError as error:  # the limit of watches, a folder that is gone
            self._failed(str(error) or type(error).__name__)
