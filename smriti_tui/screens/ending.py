"""The last steps of the process: close what is open, give the terminal back, and never hang."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened

LIMIT_S = 1.5
"""A thread that still waits (for a lock, a disk) is left behind after this; what it was to write
is either in the log or was never confirmed."""
REST_S = 0.7
"""What is left of that once everything is kept: a terminal that went away takes no last words."""
SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")


class Terminal(Protocol):
    """What is told that the program ends."""

    def hurry(self) -> None:
        """Nothing is waited for any more."""

    def give_back_now(self) -> None:
        """Gives the terminal back at once, from any thread."""


class Ending:
    """A limit on how long leaving may take.

    It is kept by a thread that sleeps on a pipe, so that a signal can set it from the middle of
    anything: writing a byte takes no lock.
    """

    def __init__(self) -> None:
        self._until: float | None = None
        self._code = 1
        self._words = ""
        self._terminal: Callable[[], Terminal | None] = _none
        self._wakes, self._wake = os.pipe()
        threading.Thread(target=self._watch, name="ending", daemon=True).start()

    def listen(self, leave: Callable[[int], None], terminal: Callable[[], Terminal | None]) -> None:
        """A signal to end leads to `leave`, also where the loop is busy; called on the loop.

        `terminal` is what must be given back where the loop does not get to it.
        """
        self._terminal = terminal
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()

        def on_signal(number: int, frame: FrameType | None) -> None:
            self._code = 128 + number
            self.begin()
            with contextlib.suppress(RuntimeError):  # The loop has ended already.
                loop.call_soon_threadsafe(leave, 128 + number)

        for name in SIGNALS:
            if (number := getattr(signal, name, None)) is not None:
                signal.signal(number, on_signal)

    def begin(self, limit_s: float = LIMIT_S) -> None:
        """From here on the process ends within `limit_s`, whatever its threads do."""
        if self._until is None:
            self._set(time.monotonic() + limit_s)
        if (terminal := self._terminal()) is not None:
            terminal.hurry()

    def kept(self, code: int) -> None:
        """Everything is kept: the rest may take `REST_S`, then the process ends with `code`."""
        self._code = code
        self._set(time.monotonic() + REST_S)

    def say(self, words: str) -> None:
        """Last words, for when the app itself does not get to say them."""
        self._words = words

    def close(self, *opened: Opened | None) -> None:
        """Closes services and provider process, in time."""
        self.begin()
        for each in opened:
            if each is not None:
                each.close()

    def last(self, code: int) -> None:
        """The interpreter ends next, with `code`; a thread that still waits is left behind."""
        self._code, self._terminal, self._words = code, _none, ""
        self._set(time.monotonic() + REST_S)

    def forget(self) -> None:
        """Another app follows: no limit."""
        self._set(None)

    def _set(self, until: float | None) -> None:
        self._until = until
        with contextlib.suppress(OSError):
            os.write(self._wake, b".")

    def _watch(self) -> None:
        while True:
            until = self._until
            left = None if until is None else max(until - time.monotonic(), 0)
            if select.select([self._wakes], [], [], left)[0]:
                os.read(self._wakes, 512)
            elif until == self._until:
                self._cut_off()

    def _cut_off(self) -> None:
        if (terminal := self._terminal()) is not None:
            terminal.give_back_now()
        if self._words and sys.__stderr__ is not None:
            with contextlib.suppress(OSError, ValueError):
                fd = sys.__stderr__.fileno()
                if select.select([], [fd], [], 0)[1]:
                    os.write(fd, self._words.encode("utf-8", "replace"))
        os._exit(self._code)


def _none() -> None:
    """No terminal."""
