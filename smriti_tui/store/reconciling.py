"""Events of another store are taken over, and what the two call by different names is found out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from smriti_tui.domain import events as e
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId, kind_and_owner
from smriti_tui.domain.model import Source
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.scope import WriteScope


@dataclass(frozen=True)
class Tail:
    """A stream that grew apart: what came from the other store after that version."""

    stream: str
    family: str
    parent: str
    version: int


@dataclass(frozen=True)
class CameCheckpoint:
    """A checkpoint that was taken over."""

    id: CheckpointId
    space: SpaceId
    there: BranchId
    """The branch that it was saved on."""
    here: BranchId
    source: Source | None


@dataclass
class Taking:
    """Takes the events of another store, in their order, and notes where they went."""

    scope: WriteScope
    looked_at: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    """How many were taken, by the stream that they are in here."""
    apart: set[str] = field(default_factory=set)
    """Streams of the other store of which something went into a tail."""
    checkpoints: list[CameCheckpoint] = field(default_factory=list)
    _from: int = 0
    """Position of the first event that was taken."""
    _moved: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By session of the other store: from which turn on which session has its turns here."""
    _made_from: dict[str, str] = field(default_factory=dict)
    """What the other store says of the sources of its checkpoints."""

    def take(self, event: StoredEvent) -> None:
        """Raises: Conflict, Invalid (as `WriteScope.adopt`)."""
        self.looked_at += 1
        stored = self.scope.adopt(event, apart=True)
        if stored is not None:
            self._from = self._from or stored.position
            self.taken[stored.stream] += 1
        here = stored or self.scope.stored(event.event_id) or event
        if here.stream != event.stream:
            self.apart.add(event.stream)
        self._note(event, here, is_new=stored is not None)

    def _note(self, event: StoredEvent, here: StoredEvent, *, is_new: bool) -> None:
        kind, owner = kind_and_owner(event.stream)
        if kind == "session" and here.owner_id != owner:
            typed = event.event()
            number = e.first_number(typed)
            if number is not None:
                moves = self._moved.setdefault(owner, [])
                if not moves or moves[-1][1] != here.owner_id:
                    moves.append((number, here.owner_id))
        elif kind == "space" and event.type == e.SpaceJoined.TYPE:
            typed = event.event()
            if isinstance(typed, e.SpaceJoined):
                self._made_from |= {made.checkpoint: made.session for made in typed.sources}
        elif kind == "space" and is_new and event.type == e.CheckpointSaved.TYPE:
            typed = event.event()
            if isinstance(typed, e.CheckpointSaved):
                self._came(SpaceId(owner), typed)

    def _came(self, space: SpaceId, saved: e.CheckpointSaved) -> None:
        row = self.scope.tables.one("checkpoint", {"id": saved.id}, ("branch",))
        here = BranchId(row[0]) if row else saved.branch
        source = saved.body.source
        self.checkpoints.append(CameCheckpoint(saved.id, space, saved.branch, here, source))

    # ---- what is called differently ----------------------------------------------------------

    def joined(self) -> dict[SpaceId, e.SpaceJoined]:
        """By Space, what is to be written down of the names in both stores."""
        found: dict[SpaceId, tuple[dict[BranchId, e.KnownAs], list[e.MadeFrom]]] = {}
        for came in self.checkpoints:
            branches, sources = found.setdefault(came.space, ({}, []))
            if came.here != came.there and self._is_new(came.here):
                branches[came.here] = e.KnownAs(came.here, came.there)
            session = self._session(came)
            if session is not None:
                sources.append(e.MadeFrom(came.id, session))
        return {
            space: e.SpaceJoined(tuple(branches.values()), tuple(sources))
            for space, (branches, sources) in found.items()
            if branches or sources
        }

    def _is_new(self, branch: BranchId) -> bool:
        row = self.scope.tables.one("branch", {"id": branch}, ("position",))
        return row is not None and int(row[0]) >= self._from

    def _session(self, came: CameCheckpoint) -> SessionId | None:
        """Where the turns of a checkpoint are, if that is another session than it names."""
        if came.source is None:
            return None
        there = self._made_from.get(came.id, came.source.session)
        here = there
        for first, session in self._moved.get(there, ()):
            if came.source.last is not None and came.source.last >= first:
                here = session
        return None if here == came.source.session else SessionId(here)

    def tails(self) -> list[Tail]:
        """The tails that were begun."""
        rows = self.scope.tables.rows(
            "SELECT stream, family, parent, version FROM tail WHERE position >= ? "
            "ORDER BY position",
            (self._from,),
        )
        return [Tail(*row) for row in rows] if self._from else []
