"""Views of open streams: folded from the newest snapshot that fits, and the events after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from smriti_tui.domain.errors import NotFound, StoreError
from smriti_tui.domain.views import VIEWS, Fact, View, ViewState, registered
from smriti_tui.domain.views.base import UNREADABLE
from smriti_tui.domain.views.snapshot import snapshot_text, state_of
from smriti_tui.services.caller import Caller
from smriti_tui.store import views
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.readlog import Damaged
from smriti_tui.store.views import Snapshot, Unfit

EVERY = 1_000
"""Events of a stream after which a snapshot of its views is saved by who appends."""


@dataclass
class Folded:
    """A view as its events made it, up to where they were read."""

    view: View
    state: ViewState = field(default_factory=ViewState)
    versions: dict[str, int] = field(default_factory=dict)
    """Last version of each stream that is in it."""
    position: int = 0
    """Of the last event in it; 0 for none."""
    event_id: str = ""
    """Of the last event in it; empty where that one cannot be read."""
    recorded_at: str | None = None
    """Of the last event that was read here; null where the snapshot had all."""
    unfit: list[Unfit] = field(default_factory=list)
    """Snapshots that could not be used, newest first."""
    read: int = 0
    """Events that were folded here, not taken from a snapshot."""

    def take(self, event: StoredEvent | Damaged) -> None:
        """Folds the next event in; one that cannot be read is counted."""
        if isinstance(event, Damaged):
            self.state.skip("?", UNREADABLE)
            self.event_id = ""
        else:
            payload = json.loads(event.payload)
            fact = Fact(event.type, payload, event.actor, event.recorded_at, event.event_id)
            self.view.apply(self.state, fact)
            self.event_id, self.recorded_at = event.event_id, event.recorded_at
        self.versions[event.stream] = event.version
        self.position = event.position
        self.read += 1


@dataclass(frozen=True)
class ViewService:
    caller: Caller

    def project(self, name: str) -> Folded:
        """A view as it is now, or was at the moment that the store looks at.

        Raises:
            NotFound: no such view.
        """
        with self.caller.read() as tx:
            return _folded(tx, registered(name))

    def streams(self, name: str) -> tuple[str, ...]:
        """What a view is folded from, first the stream that it is written to.

        Raises:
            NotFound: no such view.
        """
        return registered(name).streams

    def fold_on(self, folded: Folded) -> None:
        """Takes in what was committed since."""
        with self.caller.read() as tx:
            _fold_tail(tx, folded)

    def position(self, name: str, version: int) -> int:
        """Position of one version of the stream that a view counts by, or of `space/ID`.

        Raises:
            NotFound: no such view, or no such version.
        """
        stream = name if "/" in name else registered(name).streams[0]
        with self.caller.read() as tx:
            found = views.position_of(tx, stream, version)
        if found is None:
            raise NotFound(
                f"Stream {stream} has no version {version}.",
                "`smriti log streams` lists the newest of each.",
            )
        return found

    def snapshot(self, name: str) -> Folded:
        """Folds a view and keeps the result, so that the next fold begins there.

        Raises:
            NotFound: no such view. Invalid: the store looks into the past. StoreError.
        """
        self.caller.store.present_only()
        folded = self.project(name)
        if folded.event_id:
            made = Snapshot(
                folded.position, folded.event_id, folded.versions, snapshot_text(folded.state)
            )
            self.caller.store.side.save_snapshot(name, folded.view.version, made)
        return folded

    def keep_up(self, stream: str, before: int, after: int) -> None:
        """Saves snapshots of the views of a stream whenever it has grown by `EVERY` events; they
        only save time, so a failure is no fault of the write."""
        if before // EVERY == after // EVERY:
            return
        for view in VIEWS.values():
            if stream in view.streams:
                with suppress(StoreError):
                    self.snapshot(view.name)


def _folded(tx: Tx, view: View) -> Folded:
    folded = Folded(view)
    for found in views.snapshots(tx, view.name, view.version):
        if isinstance(found, Unfit):
            folded.unfit.append(found)
        else:
            folded.state, folded.versions = state_of(found.body), dict(found.versions)
            folded.position, folded.event_id = found.position, found.event_id
            break
    _fold_tail(tx, folded)
    return folded


def _fold_tail(tx: Tx, folded: Folded) -> None:
    after: Mapping[str, int] = dict(folded.versions)
    for event in views.tail(tx, folded.view.streams, after):
        folded.take(event)
