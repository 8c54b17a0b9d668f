"""Heads of the log as of a position, and the first place where it is not what an anchor saw."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlmodel import Session

from smriti_tui.domain.anchors import Anchor, Heads, digest_of
from smriti_tui.store.verify import Difference

HEADS = (
    "SELECT e.stream, e.version, e.chain_sha256 FROM event e JOIN (SELECT stream, "
    "max(version) AS newest FROM event WHERE position <= :position GROUP BY stream) h "
    "ON e.stream = h.stream AND e.version = h.newest"
)
CHAIN = "SELECT chain_sha256 FROM event WHERE stream = :stream AND version = :version"
NEWEST = "SELECT max(version) FROM event WHERE stream = :stream"
SINCE = "SELECT count(*) FROM event WHERE position > :position"


@dataclass(frozen=True)
class Anchored:
    """An anchor that holds, and how many events came after it."""

    anchor: Anchor
    since: int


def heads_at(tx: Session, position: int) -> Heads:
    """Each stream that had an event up to a position, with its version and chain hash there."""
    rows = tx.connection().execute(text(HEADS), {"position": position})
    return {str(stream): (int(version), str(chain)) for stream, version, chain in rows}


def check_anchor(tx: Session, anchor: Anchor, store: str | None) -> Anchored | Difference:
    """Whether the log still holds what an anchor saw. That its links hold is for `verify`."""
    if anchor.store != store:
        return Difference(
            f"the anchor is of another store ({anchor.store})", f"this one is {store or 'new'}"
        )
    if anchor.heads is not None:
        for stream, (version, chain) in sorted(anchor.heads.items()):
            if (found := _stream(tx, stream, version, chain)) is not None:
                return found
    elif digest_of(heads_at(tx, anchor.position)) != anchor.digest:
        what = "the log up to there is not what the anchor saw"
        where = f"event {anchor.position}; a whole anchor file names the stream"
        return Difference(what, where, position=anchor.position)
    since = tx.connection().execute(text(SINCE), {"position": anchor.position}).scalar()
    return Anchored(anchor, int(since or 0))


def _stream(tx: Session, stream: str, version: int, chain: str) -> Difference | None:
    values = {"stream": stream, "version": version}
    found = tx.connection().execute(text(CHAIN), values).scalar()
    if found == chain:
        return None
    newest = tx.connection().execute(text(NEWEST), {"stream": stream}).scalar()
    where = f"version {version} of {stream}"
    if newest is None:
        return Difference("a stream that the anchor saw is gone", where, stream)
    if newest < version:
        what = f"the end of a stream is cut: it has {newest} events, the anchor saw {version}"
        return Difference(what, where, stream)
    return Difference("the history was written anew: the anchor saw another one", where, stream)
