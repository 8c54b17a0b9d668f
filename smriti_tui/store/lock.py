"""The inter-process write lock: a fair queue before the database (DESIGN 4, 10.23).

`flock` on `<database>.lock`, which is never deleted, behind a lock of the process's own threads.
The kernel wakes the waiters in turn, which SQLite's sleep-and-retry does not: it takes the worst
wait of several writers down by an order of magnitude. A blocking `flock` cannot be given a time
limit: the main thread lets an alarm interrupt it; for each other one a thread waits beside it while
it counts the time, which costs 4 writers a tenth of what they write.
"""

from __future__ import annotations

import fcntl
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

from smriti_tui.store.faults import busy, store_error

STEP_S = 0.1
"""How often a wait looks whether it was cancelled."""


class WriteLock:
    """Held by one thread of one process at a time. Not re-entrant."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mine = threading.Lock()
        self._fd: int | None = None
        self._wanted: queue.SimpleQueue[_Wait | None] = queue.SimpleQueue()
        self._waiter: threading.Thread | None = None

    def acquire(self, timeout_s: float, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Takes the lock.

        Raises:
            StoreBusy: it was not free within `timeout_s`, or the wait was cancelled.
        """
        end = time.monotonic() + timeout_s
        while not self._mine.acquire(timeout=min(STEP_S, max(0.0, end - time.monotonic()))):
            if time.monotonic() >= end or cancelled():
                raise busy(str(self._path))
        try:
            self._acquire_file(end, cancelled)
        except BaseException:
            self._mine.release()
            raise

    def release(self) -> None:
        """Gives the lock back; the next waiter of any process wakes."""
        if self._fd is not None:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        self._mine.release()

    def close(self) -> None:
        """Ends the waiting thread and forgets the file. The lock must not be held."""
        if self._waiter is not None:
            self._wanted.put(None)
            self._waiter = None
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _acquire_file(self, end: float, cancelled: Callable[[], bool]) -> None:
        fd = self._open()
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._queue_up(fd, end, cancelled)
        except OSError as error:
            raise store_error(error, str(self._path)) from error

    def _open(self) -> int:
        if self._fd is None:
            try:
                self._fd = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            except OSError as error:
                raise store_error(error, str(self._path)) from error
        return self._fd

    def _queue_up(self, fd: int, end: float, cancelled: Callable[[], bool]) -> None:
        if _alarm_is_free():
            self._wait_here(fd, end, cancelled)
        else:
            self._wait_beside(fd, end, cancelled)

    def _wait_here(self, fd: int, end: float, cancelled: Callable[[], bool]) -> None:
        """Waits in this thread, the main one, which an alarm lets look up now and then."""
        armed = True

        def look_up(number: int, frame: object) -> None:
            if armed and (time.monotonic() >= end or cancelled()):
                raise busy(str(self._path))

        before = signal.signal(signal.SIGALRM, look_up)
        signal.setitimer(signal.ITIMER_REAL, STEP_S, STEP_S)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
        except BaseException:
            # It may have been got in the very moment of the alarm.
            fcntl.flock(fd, fcntl.LOCK_UN)
            raise
        finally:
            armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _wait_beside(self, fd: int, end: float, cancelled: Callable[[], bool]) -> None:
        wait = _Wait(fd)
        if self._waiter is None:
            self._waiter = threading.Thread(target=_wait_in_turn, args=(self._wanted,), daemon=True)
            self._waiter.start()
        self._wanted.put(wait)
        try:
            while not wait.over(min(STEP_S, max(0.0, end - time.monotonic()))):
                if (time.monotonic() >= end or cancelled()) and wait.give_up():
                    raise busy(str(self._path))
        except BaseException:
            # Interrupted as well: nobody would ever release what the thread still gets.
            if wait.give_up():
                self._replace_file()
            else:
                fcntl.flock(fd, fcntl.LOCK_UN)
            raise

    def _replace_file(self) -> None:
        """A new descriptor: the old one still waits in its thread, which closes it in its turn."""
        self._fd = None
        self._waiter = None
        self._wanted.put(None)
        self._wanted = queue.SimpleQueue()


def _alarm_is_free() -> bool:
    """Whether a blocking call here can be interrupted, and nobody else uses the alarm for it."""
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    )


class _Wait:
    """One blocking `flock`; given up, its descriptor is closed as soon as the call returns.

    Its end is a lock that opens, which wakes faster than an `Event`.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._over = threading.Lock()
        self._over.acquire()
        self._guard = threading.Lock()
        self._got = False
        self._given_up = False

    def over(self, timeout_s: float) -> bool:
        """Waits until the lock is got, at most `timeout_s`."""
        return self._over.acquire(timeout=timeout_s)

    def give_up(self) -> bool:
        """False if the lock was got in this very moment."""
        with self._guard:
            self._given_up = not self._got
            return self._given_up

    def run(self) -> None:
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        with self._guard:
            self._got = not self._given_up
        if self._got:
            self._over.release()
        else:
            os.close(self._fd)


def _wait_in_turn(wanted: queue.SimpleQueue[_Wait | None]) -> None:
    while (wait := wanted.get()) is not None:
        wait.run()
