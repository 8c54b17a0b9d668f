"""Two stores into one: `smriti log merge` (DESIGN section 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from smriti_tui.domain import space_merge
from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.events import BranchRenamed, LogMerged
from smriti_tui.domain.field_merge import Settled
from smriti_tui.domain.ids import STORE_STREAM, SessionId, family, kind_and_owner, short
from smriti_tui.domain.space_merge import Change
from smriti_tui.domain.views import tracker, tracker_merge
from smriti_tui.domain.views.base import Fact
from smriti_tui.services.caller import Caller
from smriti_tui.services.ingest_reading import read_export
from smriti_tui.services.ingesting import check_checkpoints, check_spaces
from smriti_tui.store import readlog
from smriti_tui.store.copying import whole_log
from smriti_tui.store.database import Store
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.log_source import holds, of_reading
from smriti_tui.store.reconciling import Tail, Taking
from smriti_tui.store.scope import WriteScope

SQLITE_MAGIC: Final = b"SQLite format 3\0"


class _Undone(Exception):
    """Takes back what a dry run wrote."""


@dataclass(frozen=True)
class Came:
    """Where checkpoints of the other store are."""

    space: str
    branch: str
    checkpoints: int
    apart: str | None
    """The branch that it was there, where that went on here too."""


@dataclass(frozen=True)
class CameSession:
    """A session that went on in both: what the other store has of it."""

    id: SessionId
    of: SessionId
    after: int
    """Turns that both have."""
    turns: int
    """All of it."""


@dataclass(frozen=True)
class Kept:
    """A setting or a field of an item that both changed, and what is taken."""

    what: str
    settled: Settled


@dataclass(frozen=True)
class Merged:
    """What became of another store's events."""

    events: int
    """That the other store has, its own stream left out."""
    taken: Mapping[str, int]
    """Events that were taken, by the stream that they are in here."""
    checkpoints: Sequence[Came]
    sessions: Sequence[CameSession]
    apart: Sequence[Tail]
    """Streams of a team's own that went on in both, kept side by side."""
    settled: Sequence[Kept]


@dataclass(frozen=True)
class ReconcileService:
    caller: Caller

    def merge(self, other: str, *, dry_run: bool = False) -> Merged:
        """Takes over what another store has and this one has not: a database, which is only read,
        or an export. All of it or nothing; again changes nothing.

        What both went on with from the same beginning is kept side by side: checkpoints on branches
        of their own, turns in sessions of their own, streams as `<stream>~<event id>`; fields of
        the tracker and settings come to one state by rule, and each is told.

        Raises:
            NotFound: there is nothing there. Invalid: it is no database or export, or its events
                are not as they were written. Conflict: an event's id is here with other content.
            StoreBroken, StoreBusy, StoreError.
        """
        with _opened(other, self.caller.store) as found:
            if dry_run and not self.caller.store.exists():
                counts = Counter(event.stream for event in found.events())
                return Merged(counts.total(), counts, (), (), (), ())
            merged: list[Merged] = []
            with suppress(_Undone), self.caller.write() as scope:
                merged.append(_merge(scope, found))
                if dry_run or not merged[0].taken:
                    raise _Undone
            return merged[0]


# ---- the other store -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Other:
    """Its id, if it tells, and all its events in their order, its own stream left out."""

    origin: str
    events: Callable[[], Iterator[StoredEvent]]

    def of(self, stream: str) -> list[StoredEvent]:
        return [event for event in self.events() if event.stream == stream]


@contextmanager
def _opened(path: str, own: Store) -> Iterator[_Other]:
    if "://" not in path and not _is_database(Path(path)):
        found = read_export(Path(path)).events
        check_checkpoints(found)
        with own.read() as tx:
            check_spaces(tx, found)
        yield _Other("", lambda: iter(found))
        return
    with closing(Store(path, own.now)) as store:
        if store.name == own.name:
            raise Invalid(f"{store.name} is the database itself.", "Name another one.")
        if not store.exists():
            raise NotFound(f"There is no database {store.name}.", "Name the one to merge.")
        with store.read() as tx:
            first = readlog.event_at(tx, STORE_STREAM, 1)
            yield _Other(
                first.origin if first else "",
                lambda: _checked(tx),
            )


def _checked(tx: Tx) -> Iterator[StoredEvent]:
    """Raises: Invalid (a payload is not what was written), StoreBroken."""
    query = of_reading(tx).query
    for event in whole_log(tx):
        if not holds(query, event):
            raise Invalid(
                f"Version {event.version} of {event.stream} was changed: its payload has another "
                "hash.",
                "Nothing was taken over; `smriti log verify` looks at all of it.",
                code="changed",
            )
        if event.stream != STORE_STREAM:
            yield event


def _is_database(path: Path) -> bool:
    """By its first bytes; what is not there or cannot be read is told by whoever opens it."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except OSError:
        return False


# ---- merging -------------------------------------------------------------------------------------


def _merge(scope: WriteScope, other: _Other) -> Merged:
    taking = Taking(scope)
    for event in other.events():
        taking.take(event)
    if not taking.taken:
        return Merged(taking.looked_at, {}, (), (), (), ())
    for space, joined in taking.joined().items():
        scope.append(f"space/{space}", joined)
    settled = [*_settle_spaces(scope, other, taking), *_settle_tracker(scope, other, taking)]
    tails = taking.tails()
    names = tuple(tail.stream for tail in tails)
    scope.append(STORE_STREAM, LogMerged(other.origin, taking.taken.total(), names))
    return Merged(
        taking.looked_at,
        dict(sorted(taking.taken.items())),
        tuple(_came(scope, taking)),
        tuple(_came_sessions(scope, tails)),
        tuple(tail for tail in tails if "/" not in tail.stream),
        tuple(settled),
    )


def _settle_spaces(scope: WriteScope, other: _Other, taking: Taking) -> Iterator[Kept]:
    """Settings of Spaces that went on in both."""
    for stream in _to_settle(taking, "space/"):
        base, ours, theirs = map(_changes, _apart(scope.events(stream), other.of(stream)))
        owner = kind_and_owner(stream)[1]
        for settled in space_merge.merged(base, ours, theirs):
            for event, cause in space_merge.repairs(settled):
                if not (isinstance(event, BranchRenamed) and _is_taken(scope, owner, event.name)):
                    scope.append(stream, event, causation_id=cause)
            if settled.conflicts:
                yield Kept(_what(scope, owner, settled.id), settled)
        if (gone := space_merge.deletion(ours, theirs)) is not None:
            yield Kept(_what(scope, owner, gone.id), gone)


def _settle_tracker(scope: WriteScope, other: _Other, taking: Taking) -> Iterator[Kept]:
    for stream in _to_settle(taking, tracker.NAME):
        base, ours, theirs = map(_facts, _apart(scope.events(stream), other.of(stream)))
        for settled in tracker_merge.merged(base, ours, theirs):
            scope.append_raw(stream, tracker.MERGED, settled.payload())
            yield Kept(f"tracker item {settled.id}", settled)


def _to_settle(taking: Taking, kind: str) -> list[str]:
    """Streams of which something new came into a tail."""
    grown = {family(stream) for stream in taking.taken}
    own = (stream for stream in sorted(taking.apart) if stream == family(stream))
    return [stream for stream in own if stream.startswith(kind) and stream in grown]


Apart = tuple[list[StoredEvent], list[StoredEvent], list[StoredEvent]]


def _apart(ours: list[StoredEvent], theirs: list[StoredEvent]) -> Apart:
    """What both begin with, and what each has after it."""
    same = 0
    for mine, other in zip(ours, theirs, strict=False):
        if mine.event_id != other.event_id:
            break
        same += 1
    return ours[:same], ours[same:], theirs[same:]


def _changes(events: Sequence[StoredEvent]) -> list[Change]:
    typed = ((event, event.event()) for event in events)
    return [
        Change(known, event.event_id, event.recorded_at, event.causation_id)
        for event, known in typed
        if known is not None
    ]


def _facts(events: Sequence[StoredEvent]) -> list[Fact]:
    return [
        Fact(event.type, event.body(), event.actor, event.recorded_at, event.event_id)
        for event in events
    ]


# ---- what is told --------------------------------------------------------------------------------


def _is_taken(scope: WriteScope, space: str, name: str) -> bool:
    return scope.tables.one("branch", {"space": space, "name": name}, ("id",)) is not None


def _what(scope: WriteScope, space: str, key: str) -> str:
    if key == space_merge.SPACE:
        return f"Space {_name(scope, 'space', space)}"
    return f"branch {_name(scope, 'branch', key)}"


def _name(scope: WriteScope, table: str, key: str) -> str:
    row = scope.tables.one(table, {"id": key}, ("name",))
    return str(row[0]) if row else short(key)


def _came(scope: WriteScope, taking: Taking) -> Iterator[Came]:
    counts = Counter((each.space, each.here, each.there) for each in taking.checkpoints)
    for (space, here, there), count in counts.items():
        apart = _name(scope, "branch", there) if here != there else None
        yield Came(_name(scope, "space", space), _name(scope, "branch", here), count, apart)


def _came_sessions(scope: WriteScope, tails: Sequence[Tail]) -> Iterator[CameSession]:
    for tail in tails:
        kind, session = kind_and_owner(tail.stream)
        row = scope.tables.one(
            "session", {"id": session}, ("fork_session", "fork_turn", "last_seq")
        )
        if kind == "session" and row is not None:
            yield CameSession(SessionId(session), SessionId(row[0]), int(row[1] or 0), int(row[2]))
