"""Noticing other processes' commits: NOTIFY wakes, a poll is the net."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from smriti_tui.domain.errors import StoreError
from smriti_tui.store.backends.postgres_connect import Server
from smriti_tui.store.backends.postgres_cursor import CHANNEL
from smriti_tui.store.faults import store_error

if TYPE_CHECKING:
    from psycopg import Connection

STEP_S: Final = 0.5
"""How soon a watch notices that it is to end."""
AGAIN_S: Final = 1.0
"""How often a server that is away is looked for."""


class ServerProbe:
    """The row that positions are drawn from, on one connection."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._connection: Connection[tuple[Any, ...]] | None = None

    def version(self) -> int:
        import psycopg

        try:
            if self._connection is None:
                self._connection = self._server.open()
            row = self._connection.execute("SELECT position FROM event_counter").fetchone()
        except psycopg.Error as error:
            raise store_error(error, self._server.name) from error
        return int(row[0]) if row else 0

    def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(Exception):
                self._connection.close()
            self._connection = None


class NotifyWatch:
    """Listens on a connection of its own; a server that restarts is found again."""

    def __init__(self, server: Server, wake: Callable[[], None]) -> None:
        self._server = server
        self._wake = wake
        self._stopped = threading.Event()
        self.listens = False
        """Whether the server wakes the poll now."""

    def start(self) -> None:
        threading.Thread(target=self._run, name="notify-watch", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        import psycopg

        while not self._stopped.is_set():
            try:
                with contextlib.closing(self._server.open()) as connection:
                    self._listen(connection)
            except (psycopg.Error, StoreError):
                self.listens = False
                self._stopped.wait(AGAIN_S)

    def _listen(self, connection: Connection[tuple[Any, ...]]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self.listens = True
        # What was committed before is not told of.
        self._wake()
        try:
            while not self._stopped.is_set():
                for _ in connection.notifies(timeout=STEP_S, stop_after=1):
                    self._wake()
        finally:
            self.listens = False
