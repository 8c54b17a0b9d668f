"""The last steps of the process: close what is open, and never hang."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened

LIMIT_S = 1.5
"""A thread that still waits (for a lock, a disk) is left behind after this; what it was to write
is either in the log or was never confirmed."""
REST_S = 0.7
"""What is left of that once everything is kept: a terminal that went away takes no last words."""


class Ending:
    """A limit on how long leaving may take."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None
        self._code = 1

    def listen(self, leave: Callable[[int], None]) -> None:
        """A signal to end, or a terminal that went away, leads to `leave`; called on the loop."""
        if threading.current_thread() is threading.main_thread():
            loop = asyncio.get_running_loop()
            for name in ("SIGTERM", "SIGHUP"):
                if (number := getattr(signal, name, None)) is not None:
                    loop.add_signal_handler(number, leave, 128 + number)

    def begin(self, limit_s: float = LIMIT_S) -> None:
        """From here on the process ends within `limit_s`, whatever its threads do."""
        if self._timer is None:
            self._timer = threading.Timer(limit_s, os._exit, (self._code,))
            self._timer.daemon = True
            self._timer.start()

    def kept(self, code: int) -> None:
        """Everything is kept: the rest may take `REST_S`, then the process ends with `code`."""
        self._stop()
        self._code = code
        self.begin(REST_S)

    def close(self, *opened: Opened | None) -> None:
        """Closes services and provider process, in time."""
        self.begin()
        for each in opened:
            if each is not None:
                each.close()
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
