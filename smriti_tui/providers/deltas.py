"""Joining the deltas of a burst, so that a fast answer does not cost a message a token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PAUSE_S = 0.025
LARGEST = 65_536


class DeltaBuffer:
    """Passes the first delta on at once, later ones joined, at most one message every `PAUSE_S`."""

    def __init__(self, send: Callable[[str, str], None]) -> None:
        """`send` takes the kind (`text` or `reasoning`) and the joined deltas."""
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._kind = ""
        self._parts: list[str] = []
        self._size = 0
        self._sent_at = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def add(self, kind: str, delta: str) -> None:
        if kind != self._kind:
            self.flush()
            self._kind = kind
        self._parts.append(delta)
        self._size += len(delta)
        waited = self._loop.time() - self._sent_at
        if waited >= PAUSE_S or self._size >= LARGEST:
            self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_later(PAUSE_S - waited, self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._parts:
            return
        joined = "".join(self._parts)
        self._parts.clear()
        self._size = 0
        self._sent_at = self._loop.time()
        self._send(self._kind, joined)
