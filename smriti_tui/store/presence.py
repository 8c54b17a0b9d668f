"""Whether the file that was opened still stands at its path.

A connection goes on working on a file that was moved away or deleted: what it writes would be gone
with it. So the path is looked at before each use; it costs a microsecond.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.store.faults import store_error


class Presence:
    """The file at one path, as this process has seen it. Safe from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = str(path)
        self._guard = threading.Lock()
        self._seen: tuple[int, int] | None = None
        self._generation = 0

    def generation(self) -> int:
        """A number that changes when another file has taken the path: connections to the one before
        are of no use then. A file that never was there is none and no fault.

        Raises:
            StoreBroken: the file was there and is gone (code `database_gone`).
            StoreError: the path cannot be looked at.
        """
        with self._guard:
            try:
                found = os.stat(self._name)  # noqa: PTH116 (a third of the time of Path.stat)
            except (FileNotFoundError, NotADirectoryError) as error:
                if self._seen is None:
                    return self._generation
                raise _gone(self._path) from error
            except OSError as error:
                raise store_error(error, str(self._path)) from error
            # The number of a file that is open is not given to another one.
            identity = (found.st_dev, found.st_ino)
            if self._seen is not None and self._seen != identity:
                self._generation += 1
            self._seen = identity
            return self._generation


def _gone(path: Path) -> StoreBroken:
    return StoreBroken(
        f"The database file is gone: {path} was moved or deleted.",
        "Put it back and go on; until then nothing is written.",
        code="database_gone",
    )
