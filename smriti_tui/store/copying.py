"""A whole log from one database into another, and the proof that it is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlmodel import Session

from smriti_tui.domain.anchors import digest_of
from smriti_tui.domain.errors import Conflict, StoreBroken
from smriti_tui.store.anchoring import heads_at
from smriti_tui.store.database import Store
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.readlog import Damaged, last_position, read_all
from smriti_tui.store.verify import verify

BATCH = 1_000
"""Events of one transaction: a copy that is broken off goes on behind the last whole one."""


@dataclass(frozen=True)
class Copied:
    """What was copied; `there` events were in the target already."""

    events: int
    there: int
    streams: int
    sha256: str
    """Over the heads of all streams, the same in both."""
    redacted: int = 0
    """Events that a text was taken out of: they are copied as what is left of them."""


def copy_log(source: Store, target: Store, told: Callable[[int], None]) -> Copied:
    """Copies all events in their order; the target is empty, or holds the first of them.

    Side tables (unsent texts, drafts, snapshots) stay where they are. `told` gets the number of
    events that are there so far.

    Raises:
        Conflict: the target holds another log (code `other_log`). StoreBroken: an event of the
            source is damaged, or the copy does not verify. StoreError.
    """
    with source.read() as tx:
        position, behind, there = 0, 0, 0
        if target.exists():
            with target.read() as known:
                position, there = _together(tx, known)
        while batch := _page(tx, position, BATCH):
            target.log.adopt(batch)
            position, behind = batch[-1].position, behind + len(batch)
            told(there + behind)
        upto = last_position(tx)
        heads = heads_at(tx, upto)
    with target.read() as known:
        proved = verify(known)
        copied = heads_at(known, last_position(known))
    if proved.difference is not None or digest_of(copied) != digest_of(heads):
        what = proved.difference.what if proved.difference else "its streams end elsewhere"
        raise StoreBroken(
            f"The copy is not the same log: {what}.",
            "Verify the source (`smriti log verify`), then copy to a new place.",
            code="copy_differs",
        )
    redacted = len(proved.redacted)
    return Copied(there + behind, there, len(heads), digest_of(heads), redacted)


def _together(source: Session, target: Session) -> tuple[int, int]:
    """Position of the source up to which the target has its events, and how many those are."""
    position, theirs, count = 0, 0, 0
    while batch := _page(target, theirs, BATCH):
        ours = _page(source, position, len(batch))
        pairs = list(zip(batch, ours, strict=False))
        same = all(a.chain_sha256 == b.chain_sha256 for a, b in pairs)
        if len(ours) < len(batch) or not same:
            raise Conflict(
                "The target holds another log, or more than the source.",
                "Copy to a new place; `smriti ingest` brings one log into another.",
                code="other_log",
            )
        position, theirs, count = ours[-1].position, batch[-1].position, count + len(batch)
    return position, count


def whole_log(tx: Session) -> Iterator[StoredEvent]:
    """All events in their order, a page at a time. Raises: StoreBroken (one is damaged)."""
    after = 0
    while batch := _page(tx, after, BATCH):
        yield from batch
        after = batch[-1].position


def _page(tx: Session, after: int, size: int) -> list[StoredEvent]:
    found: list[StoredEvent] = []
    for event in read_all(tx, after, size):
        if isinstance(event, Damaged):
            raise StoreBroken(
                f"Event {event.position} is damaged: {event.reason}.",
                "`smriti log verify` tells more; a backup may hold it.",
                code="log_damaged",
            )
        found.append(event)
    return found
