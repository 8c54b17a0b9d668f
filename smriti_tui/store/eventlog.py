"""The log and its one door for writes (DESIGN section 4)."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from smriti_tui.domain.errors import Invalid, StoreBroken
from smriti_tui.domain.events import EventRedacted, StoreCreated
from smriti_tui.domain.ids import (
    OPEN_STREAM,
    STORE_STREAM,
    command_event_id,
    is_uuid,
    new_event_id,
    new_id,
)
from smriti_tui.domain.values import repair_text
from smriti_tui.store.backends.base import Writing
from smriti_tui.store.dialect import Dialect
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.faults import store_error
from smriti_tui.store.scope import Expected, Writer, WriteScope, sealed
from smriti_tui.store.waiting import Waits

WAIT_S = 10.0
"""How long a write waits for its turn (DESIGN 10.23)."""
ORIGIN = "SELECT payload FROM event WHERE stream = ? AND version = 1"


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
        writing: Writing,
        dialect: Dialect,
        now: Callable[[], str],
        prepare: Callable[[], None],
    ) -> None:
        """`prepare` brings the database to this program's schema; called before each write."""
        self._writing = writing
        self._dialect = dialect
        self._now = now
        self._prepare = prepare
        self._origin = ""
        self._serial = 0
        """Of the connection that the origin was read on."""
        self._committed: list[Callable[[], None]] = []
        self.waits = Waits()

    @property
    def errors(self) -> type[Exception]:
        """Base of the driver's errors, for who works on the connection itself."""
        return self._writing.errors

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
        made: list[StoredEvent] = []
        with self.transaction(cancelled, made) as cursor:
            scope = self._scope(cursor, writer)
            scope.appended = made
            yield scope
        if scope.appended:
            for nudge in tuple(self._committed):
                nudge()
        self._writing.tidy()

    @contextlib.contextmanager
    def transaction(
        self, cancelled: Callable[[], bool] = lambda: False, made: Sequence[StoredEvent] = ()
    ) -> Iterator[Any]:
        """A cursor under the lock, for what maintains the tables; leaving it commits, an exception
        undoes all of it. By the events in `made` is told whether a commit stands whose word was
        lost on the way.

        Raises:
            StoreBusy, StoreError: as `write`.
        """
        writing = self._writing
        with self.waits.turn(cancelled) as ends:
            cursor = writing.begin(WAIT_S, ends)
        try:
            try:
                yield cursor
                try:
                    writing.commit(cursor)
                except writing.errors:
                    if not (made and writing.stands(made[-1].event_id)):
                        raise
            except BaseException as error:
                writing.undo(cursor)
                # It may have been written down in this transaction alone.
                self._origin = ""
                if isinstance(error, writing.errors):
                    raise store_error(error, writing.name) from error
                raise
        finally:
            writing.end()

    def append(
        self,
        stream: str,
        events: Sequence[NewEvent],
        *,
        actor: str,
        door: str,
        expected_version: Expected = None,
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
                        repair_text(new.type)[0],
                        payloads[i],
                        expected_version=expected_version if i == 0 else None,
                        event_id=event_id,
                        causation_id=new.causation_id and repair_text(new.causation_id)[0],
                    )
                )
        return stored

    def adopt(self, events: Sequence[StoredEvent]) -> None:
        """Takes events of another database over, the store's own stream with them, in one
        transaction: this log then is that store.

        Raises:
            Conflict, Invalid: as `WriteScope.adopt`. StoreBusy, StoreError: as `write`.
        """
        self._prepare()
        with self.transaction() as cursor:
            writer = Writer("smriti", "system", new_event_id())
            scope = WriteScope(cursor, self._dialect, "", writer, self._now)
            for event in events:
                scope.adopt(event)
        self._writing.tidy()

    @contextlib.contextmanager
    def exclusive(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[Any]:
        """The kept-open connection under the write lock, for maintenance. No transaction is open.

        Raises:
            StoreBusy, StoreError: as `write`.
        """
        with contextlib.ExitStack() as held:
            with self.waits.turn(cancelled) as ends:
                connection = held.enter_context(self._writing.exclusive(WAIT_S, ends))
            yield connection

    def close(self) -> None:
        """Closes the connection under the lock; the next use opens it again."""
        self._writing.close()

    def _scope(self, cursor: Any, writer: Writer) -> WriteScope:
        """A scope that knows the store's origin; the very first one writes it down."""
        if not self._origin or self._serial != self._writing.serial:
            self._serial = self._writing.serial
            row = cursor.execute(ORIGIN, (STORE_STREAM,)).fetchone()
            self._origin = _origin_in(row[0]) if row else new_id()
            if row is None:
                first = Writer("smriti", "system", new_event_id())
                opening = WriteScope(cursor, self._dialect, self._origin, first, self._now)
                opening.append(STORE_STREAM, StoreCreated(self._origin))
        return WriteScope(cursor, self._dialect, self._origin, writer, self._now)


def _origin_in(payload: str) -> str:
    try:
        return str(json.loads(payload)["origin"])
    except (ValueError, KeyError, TypeError) as error:
        raise StoreBroken(
            "The log's first event is damaged: it names no origin.",
            "Restore a backup; nothing was written.",
            code="log_damaged",
        ) from error


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
        if not repair_text(event.type)[0].strip():
            raise Invalid("The event has no type.", "Name what happened.", field="type")
        if event.type == EventRedacted.TYPE:
            what = f"{event.type} says what a redaction did."
            raise Invalid(what, "Choose another type.", field="type")
        if len(event.type) > MAX_TYPE:
            what = f"The event's type is longer than {MAX_TYPE} characters."
            raise Invalid(what, "Put the rest into the payload.", field="type")
        if event.event_id is not None and not is_uuid(event.event_id):
            raise Invalid(f"{event.event_id!r} is no UUID.", "Give a UUID.", field="event_id")
