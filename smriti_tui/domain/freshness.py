"""What came on a branch since a checkpoint that somebody has read: decided by ancestry, never by
time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.lineage import Look, is_ancestor, merge_bases

Relation = Literal["same", "behind", "apart", "ahead", "unknown"]
MOST = 50
"""Checkpoints that are counted."""


@dataclass(frozen=True)
class Freshness:
    """behind: the head follows it. ahead: it follows the head. apart: neither, it lies on another
    line. unknown: there is no such checkpoint here."""

    since: str
    relation: Relation
    newer: tuple[CheckpointId, ...] = ()
    """The checkpoints of the head's line that it does not follow, newest first, at most `MOST`."""

    @property
    def changed(self) -> bool:
        return self.relation in ("behind", "apart")


def freshness(since: CheckpointId, head: CheckpointId | None, look: Look) -> Freshness:
    """`since` is known; a line without a head has nothing newer."""
    if head is None:
        return Freshness(since, "ahead")
    if since == head:
        return Freshness(since, "same")
    bases = merge_bases(since, head, look)
    if head in bases:
        return Freshness(since, "ahead")
    relation: Relation = "behind" if since in bases else "apart"
    return Freshness(since, relation, tuple(_newer(since, head, look)))


def _newer(since: CheckpointId, head: CheckpointId, look: Look) -> Iterator[CheckpointId]:
    """Along the first parents of the head, up to what `since` follows itself."""
    read = look(since)
    at = look(head)
    for _ in range(MOST):
        if at is None or at.id == since:
            return
        # What came later cannot be followed by it, so most need no walk.
        older = read is not None and at.position < read.position
        if older and is_ancestor(at.id, since, look):
            return
        yield at.id
        at = look(at.parents[0]) if at.parents else None
