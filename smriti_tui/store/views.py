"""What views fold: the events of their streams, and snapshots of what was folded before.

A snapshot only saves time. It is used where its text has the hash that stands beside it, the rules
are those that made it, and the last event that it folded stands in the log as it stood then; else
the next older one is, else all events are folded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge

from sqlalchemy import text
from sqlmodel import Session as Tx

from smriti_tui.domain.values import canonical, sha256
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.readlog import Damaged, read_stream

KEPT = 3
"""Snapshots of a view that stay; older ones go when another is saved."""
NEWEST = (
    "SELECT position, event_id, versions, body, sha256 FROM view_snapshot "
    "WHERE view = :view AND projector = :projector "
    "AND position <= (SELECT max(position) FROM event) ORDER BY position DESC"
)
INSERT = (
    "INSERT INTO view_snapshot (view, projector, position, event_id, versions, body, sha256, "
    "saved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (view, projector, position) DO UPDATE "
    "SET event_id = excluded.event_id, versions = excluded.versions, body = excluded.body, "
    "sha256 = excluded.sha256, saved_at = excluded.saved_at"
)
PRUNE = (
    "DELETE FROM view_snapshot WHERE view = ? AND (projector < ? OR position NOT IN ("
    "SELECT position FROM view_snapshot WHERE view = ? AND projector = ? "
    "ORDER BY position DESC LIMIT ?))"
)


@dataclass(frozen=True)
class Snapshot:
    """A folded state, and up to where the log is folded in it."""

    position: int
    event_id: str
    """Of the event at that position."""
    versions: Mapping[str, int]
    """Of each stream, the last version that is in it."""
    body: str


@dataclass(frozen=True)
class Unfit:
    """A snapshot that cannot be used, and why."""

    position: int
    reason: str


def snapshots(tx: Tx, view: str, projector: int) -> Iterator[Snapshot | Unfit]:
    """Snapshots of a view by these rules, newest first; none that claims more than the log has."""
    values = {"view": view, "projector": projector}
    for position, event_id, versions, body, digest in tx.connection().execute(text(NEWEST), values):
        if sha256(str(body)) != digest:
            yield Unfit(position, "its text was changed: it is corrupt")
        elif not _stands(tx, position, event_id):
            yield Unfit(position, "the event that it ends with does not stand in this log")
        else:
            yield Snapshot(position, event_id, json.loads(versions), body)


def _stands(tx: Tx, position: int, event_id: str) -> bool:
    found = tx.connection().execute(
        text("SELECT event_id FROM event WHERE position = :position"), {"position": position}
    )
    return found.scalar() == event_id


def tail(
    tx: Tx, streams: Sequence[str], after: Mapping[str, int]
) -> Iterator[StoredEvent | Damaged]:
    """Events of some streams after a version of each, in the order of the log."""
    parts = [read_stream(tx, stream, after.get(stream, 0)) for stream in streams]
    return merge(*parts, key=lambda event: event.position)


def position_of(tx: Tx, stream: str, version: int) -> int | None:
    """Position of one version of a stream; None if there is none."""
    found = tx.connection().execute(
        text("SELECT position FROM event WHERE stream = :stream AND version = :version"),
        {"stream": stream, "version": version},
    )
    position = found.scalar()
    return None if position is None else int(position)


def insert_values(view: str, projector: int, made: Snapshot, now: str) -> tuple[object, ...]:
    """The row of a snapshot, as `INSERT` takes it."""
    versions = canonical(dict(made.versions))
    return (
        view, projector, made.position, made.event_id, versions, made.body, sha256(made.body), now,
    )  # fmt: skip
