"""The last steps of the process: close what is open, and never hang."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened

LIMIT_S = 1.9
"""A thread that still waits (for a lock, a disk) is left behind after this; what it was to write
is either in the log or was never confirmed."""


class Ending:
    """A limit on how long leaving may take."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """From here on the process ends within `LIMIT_S`, whatever its threads do."""
        if self._timer is None:
            self._timer = threading.Timer(LIMIT_S, os._exit, (1,))
            self._timer.daemon = True
            self._timer.start()

    def close(self, opened: Opened | None) -> None:
        """Closes services and provider process, in time."""
        self.begin()
        if opened is not None:
            opened.close()
        if self._timer is not None:
            self._timer.cancel()
