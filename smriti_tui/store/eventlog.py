"""The log and its one door for writes (DESIGN section 4)."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smriti_tui.domain.errors import Invalid, StoreError
from smriti_tui.domain.events import StoreCreated
from smriti_tui.domain.ids import (
    OPEN_STREAM,
    STORE_STREAM,
    command_event_id,
    is_uuid,
    new_event_id,
    new_id,
)
from smriti_tui.domain.values import repair_text
from smriti_tui.store.engine import WAL_BYTES, driver, open_writer
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.faults import is_busy, store_error
from smriti_tui.store.lock import WriteLock
from smriti_tui.store.scope import Writer, WriteScope, sealed
from smriti_tui.store.waiting import Waits

WAIT_S = 10.0
"""How long a write waits for its turn (DESIGN 10.23)."""
ORIGIN = "SELECT json_extract(payload, '$.origin') FROM event WHERE stream = ? AND version = 1"


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event of an open stream that is to be appended."""

    type: str
    payload: dict[str, object]
    event_id: str | None = None
    causation_id: str | None = None


class EventLog:
    """Appends events, and with them their tables, on one kept-open connection.

    One per process and database. Safe from several threads; each write waits its turn.
    """

    def __init__(
        self,
        path: Path,
        lock: WriteLock,
        now: Callable[[], str],
        prepare: Callable[[], None],
        generation: Callable[[], int],
    ) -> None:
        """`prepare` brings the database to this program's schema; called before each write.
        `generation` changes when another file takes the path, and raises when it is gone."""
        self._path = path
        self._now = now
        self._prepare = prepare
        self._lock = lock
        self._wal = f"{path}-wal"
        self._generation = generation
        self._connection: Any = None
        self._opened: int | None = None
        self._origin = ""
        self._committed: list[Callable[[], None]] = []
        self.waits = Waits()

    def on_commit(self, nudge: Callable[[], None]) -> Callable[[], None]:
        """Calls `nudge` after each commit of this process, in the writing thread; the result ends
        that."""
        self._committed.append(nudge)
        return lambda: self._committed.remove(nudge)

    @contextlib.contextmanager
    def write(
        self,
        *,
        actor: str,
        door: str,
        command_id: str | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[WriteScope]:
        """One transaction under the lock; leaving it commits, an exception undoes all of it.

        Raises:
            StoreBusy: no turn within `WAIT_S`, or the wait was cancelled; nothing was written.
            StoreError: the database failed; nothing was written.
            Invalid: no actor, or `command_id` is no UUID.
        """
        writer = _writer(actor, door, command_id)
        self._prepare()
        with self.waits.turn(cancelled) as ends:
            self._lock.acquire(WAIT_S, ends)
        try:
            cursor = self._present().cursor()
            with self.waits.turn(cancelled) as ends:
                self._begin(cursor, ends)
            try:
                scope = self._scope(cursor, writer)
                yield scope
                cursor.execute("COMMIT")
            except BaseException as error:
                _roll_back(cursor)
                # It may have been written down in this transaction alone.
                self._origin = ""
                if isinstance(error, driver().Error):
                    raise store_error(error, str(self._path)) from error
                raise
        finally:
            self._release()
        if scope.appended:
            for nudge in tuple(self._committed):
                nudge()
        self._empty_wal()

    def append(
        self,
        stream: str,
        events: Sequence[NewEvent],
        *,
        actor: str,
        door: str,
        expected_version: int | None = None,
        command_id: str | None = None,
    ) -> list[StoredEvent]:
        """Appends events to an open stream, all or none; returns them as stored.

        An event whose `event_id` is stored already with the same content comes back as it is, and
        nothing is written for it; if that holds for the first, `expected_version` is not looked at.

        Raises:
            Invalid: a stream or type name that is not allowed, a payload that is no JSON object or
                too large.
            VersionConflict: the stream is not at `expected_version`.
            Conflict: an `event_id` is stored with other content.
        """
        _check_names(stream, events)
        payloads = [sealed(new.payload) for new in events]
        with self.write(actor=actor, door=door, command_id=command_id) as scope:
            stored: list[StoredEvent] = []
            for i, new in enumerate(events):
                event_id = new.event_id
                if command_id is not None:
                    event_id = command_event_id(command_id, i)
                stored.append(
                    scope.append_raw(
                        stream,
                        new.type,
                        payloads[i],
                        expected_version=expected_version if i == 0 else None,
                        event_id=event_id,
                        causation_id=new.causation_id,
                    )
                )
        return stored

    @contextlib.contextmanager
    def exclusive(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Any]:
        """The kept-open connection under the write lock, for maintenance. No transaction is open.

        Raises:
            StoreBusy, StoreError: as `write`.
        """
        with self.waits.turn(cancelled) as ends:
            self._lock.acquire(WAIT_S, ends)
        try:
            yield self._present()
        finally:
            self._release()

    def _present(self) -> Any:
        """The kept-open connection to the file that stands at the path now."""
        generation = self._generation()
        if self._opened != generation:
            self._forget()
        if self._connection is None:
            self._connection = open_writer(self._path, "FULL")
            self._opened = generation
        return self._connection

    def _release(self) -> None:
        # A transaction that could not even be undone would bar every later one.
        if self._connection is not None and self._connection.in_transaction:
            self._forget()
        self._lock.release()

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(driver().Error):
                self._connection.close()
            self._connection = None
        self._origin = ""

    def close(self) -> None:
        """Closes the connection under the lock; the next use opens it again."""
        if self._connection is not None:
            self._lock.acquire(WAIT_S)
            try:
                self._forget()
            finally:
                self._lock.release()

    def _begin(self, cursor: Any, cancelled: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT_S
        while True:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                return
            except driver().Error as error:
                if not is_busy(error) or time.monotonic() >= end or cancelled():
                    raise store_error(error, str(self._path)) from error

    def _scope(self, cursor: Any, writer: Writer) -> WriteScope:
        """A scope that knows the store's origin; the very first one writes it down."""
        if not self._origin:
            row = cursor.execute(ORIGIN, (STORE_STREAM,)).fetchone()
            self._origin = row[0] if row else new_id()
            if row is None:
                first = Writer("smriti", "system", new_event_id())
                opening = WriteScope(cursor, self._origin, first, self._now)
                opening.append(STORE_STREAM, StoreCreated(self._origin))
        return WriteScope(cursor, self._origin, writer, self._now)

    def _empty_wal(self) -> None:
        """Moves the write-ahead file into the database once it is past its bound.

        The file stays, and the next commits overwrite it in place: where it grows anew after a
        truncation, each of them costs twice the sync. What a reader still looks at waits for the
        next commit. The commit stands, whatever becomes of this.
        """
        with contextlib.suppress(OSError, StoreError, driver().Error):
            if _size(self._wal) > WAL_BYTES:
                with self.exclusive() as connection:
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _size(path: str) -> int:
    """Bytes of a file, by seeking its end.

    Looking at a file's times, as `stat` does, makes Linux write the next change of them with the
    next sync: half as much again for each commit.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.lseek(descriptor, 0, os.SEEK_END)
    finally:
        os.close(descriptor)


def _roll_back(cursor: Any) -> None:
    with contextlib.suppress(driver().Error):
        if cursor.connection.in_transaction:
            cursor.execute("ROLLBACK")


def _writer(actor: str, door: str, command_id: str | None) -> Writer:
    name, _ = repair_text(actor.strip())
    if not name:
        raise Invalid("No actor was given.", "Set --actor or SMRITI_ACTOR.", field="actor")
    if command_id is not None and not is_uuid(command_id):
        raise Invalid(
            f"{command_id!r} is no UUID.", "Give --command-id a UUID.", field="command_id"
        )
    return Writer(name, door, command_id or new_event_id(), command_id)


MAX_TYPE = 200
"""Most characters of an open stream's event type."""


def check_open_stream(stream: str) -> None:
    """Raises `Invalid` for a name that is not an open stream's (DESIGN 10.5)."""
    if stream == STORE_STREAM or "/" in stream:
        raise Invalid(
            f"Stream {stream} is the product's own.",
            "Only its commands write there; choose another name.",
            field="stream",
        )
    if OPEN_STREAM.fullmatch(stream) is None:
        raise Invalid(
            f"{stream!r} is no stream name.",
            "Use a-z, 0-9, '_', '.', '-', at most 80 signs, starting with a letter or digit.",
            field="stream",
        )


def _check_names(stream: str, events: Sequence[NewEvent]) -> None:
    check_open_stream(stream)
    for event in events:
        if not event.type.strip():
            raise Invalid("The event has no type.", "Name what happened.", field="type")
        if len(event.type) > MAX_TYPE:
            what = f"The event's type is longer than {MAX_TYPE} characters."
            raise Invalid(what, "Put the rest into the payload.", field="type")
        if event.event_id is not None and not is_uuid(event.event_id):
            raise Invalid(f"{event.event_id!r} is no UUID.", "Give a UUID.", field="event_id")
