"""The log for people and scripts: append to open streams, read, follow, prove, rebuild."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from smriti_tui.domain.anchors import Anchor, anchor_of
from smriti_tui.domain.errors import NotFound, StoreError
from smriti_tui.domain.ids import STORE_STREAM
from smriti_tui.services.caller import Caller
from smriti_tui.services.searching import moment
from smriti_tui.services.views import ViewService
from smriti_tui.store import readlog
from smriti_tui.store.anchoring import Anchored, check_anchor, heads_at
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.feed import Feed
from smriti_tui.store.readlog import Damaged, EventFilter, StreamInfo
from smriti_tui.store.rebuild import Rebuilt, rebuild
from smriti_tui.store.scope import Expected
from smriti_tui.store.verify import Difference, Verified, verify

__all__ = [
    "Anchored",
    "Damaged",
    "Difference",
    "EventFilter",
    "Expected",
    "Feed",
    "LogService",
    "NewEvent",
    "Proved",
    "Rebuilt",
    "StoredEvent",
    "StreamInfo",
    "Verified",
]


@dataclass(frozen=True)
class Proved:
    """What a verification looked at, and the anchors that hold."""

    log: Verified
    anchored: Sequence[Anchored]

    @property
    def difference(self) -> Difference | None:
        """The first thing that is wrong."""
        return self.log.difference


@dataclass(frozen=True)
class LogService:
    caller: Caller
    views: ViewService

    def append(
        self,
        stream: str,
        events: Sequence[NewEvent],
        *,
        expected_version: Expected = None,
        command_id: str | None = None,
    ) -> list[StoredEvent]:
        """Appends to an open stream, all or none.

        Raises:
            Invalid: one of the product's own streams, a bad name, a payload that is no object.
            VersionConflict, Conflict: see `EventLog.append`.
        """
        stored = self.caller.store.log.append(
            stream,
            events,
            actor=self.caller.actor,
            door=self.caller.door,
            expected_version=expected_version,
            command_id=command_id,
        )
        self.caller.noticed.look(stored)
        self.views.keep_up(stream, stored[0].version - 1, stored[-1].version)
        return stored

    def read(
        self,
        stream: str | None,
        after: int = 0,
        limit: int | None = None,
        wanted: EventFilter = EventFilter(),  # noqa: B008 (frozen)
    ) -> Generator[StoredEvent | Damaged, None, None]:
        """Events of a stream after a version, or of all streams after a position. Lazy: a page at a
        time, one consistent state. Who stops early closes it."""
        with self.caller.read() as tx:
            if stream is None:
                yield from readlog.read_all(tx, after, limit, wanted)
            else:
                yield from readlog.read_stream(tx, stream, after, limit, wanted)

    def filtered(
        self,
        *,
        types: Sequence[str] = (),
        actor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        newest: bool = False,
    ) -> EventFilter:
        """A filter with dates as people write them, as a search takes them.

        Raises:
            Invalid: a date that cannot be read.
        """
        now = self.caller.store.now()
        return EventFilter(
            tuple(dict.fromkeys(types)),
            actor,
            moment(since, now) if since else None,
            moment(until, now, end=True) if until else None,
            newest,
        )

    def last_position(self) -> int:
        """Position of the newest event, 0 for an empty log."""
        with self.caller.read() as tx:
            return readlog.last_position(tx)

    def store_id(self) -> str | None:
        """The id of this store, which its events carry as `origin`; None before the first write."""
        with self.caller.read() as tx:
            first = readlog.event_at(tx, STORE_STREAM, 1)
        return None if first is None or first.fault() else first.origin

    def subscribe(self, after: int | None = None) -> Feed:
        """A feed of what is committed after a position; None means from now on.

        Raises:
            Invalid: the store looks into the past.
        """
        self.caller.store.present_only()
        return Feed(self.caller.store, self.last_position() if after is None else after)

    def on_wait(self, told: Callable[[bool], object]) -> Callable[[], None]:
        """Calls `told` when a write of this process waits for its turn, and when none does any
        more; on any thread. The result ends that."""
        return self.caller.store.log.waits.on_wait(told)

    def give_up_waiting(self) -> None:
        """Writes that wait now write nothing and say so."""
        self.caller.store.log.waits.give_up()

    def writable(self) -> bool:
        """Whether this process may write: file and folder by the system, a server by its rights.
        One that cannot be asked now is told of by what asks it next."""
        try:
            return self.caller.store.writable()
        except StoreError:
            return True

    def streams(self) -> list[StreamInfo]:
        with self.caller.read() as tx:
            return readlog.streams(tx)

    def verify(self, anchors: Sequence[Anchor] = ()) -> Proved:
        """Chains, gaps, heads and tables (see `store.verify`), then what each anchor saw.

        Raises:
            Invalid: the store looks into the past.
        """
        self.caller.store.present_only()
        store = self.store_id() if anchors else None
        with self.caller.read() as tx:
            verified = verify(tx)
            held: list[Anchored] = []
            for anchor in anchors if verified.difference is None else ():
                found = check_anchor(tx, anchor, store)
                if isinstance(found, Difference):
                    return Proved(replace(verified, difference=found), held)
                held.append(found)
            return Proved(verified, held)

    def anchor(self) -> Anchor:
        """What the streams end with now.

        Raises:
            NotFound: the log is empty. Invalid: the store looks into the past.
        """
        self.caller.store.present_only()
        store = self.store_id()
        with self.caller.read() as tx:
            position = readlog.last_position(tx)
            heads = heads_at(tx, position)
        if store is None:
            raise NotFound("The log is empty: there is nothing to anchor.", "Write something.")
        return anchor_of(store, position, heads)

    def rebuild(self) -> Rebuilt:
        """Recreates the tables from the log. Raises: StoreBroken when the log is damaged."""
        return rebuild(self.caller.store)
