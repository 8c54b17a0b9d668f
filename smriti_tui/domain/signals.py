"""What might go wrong between those who work at the same time: advice with evidence, never a block.

certain: it has been tried and it does conflict. likely: both changed the same place. possible: both
are near each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from smriti_tui.domain.claims import Claim, scope_paths, shared_paths
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.items import KINDS, LETTERS, item_list
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Item, Task
from smriti_tui.domain.worktrees import WorktreeLook

Certainty = Literal["certain", "likely", "possible"]
SignalKind = Literal["worktrees", "off_claim", "same_item"]
MOST_EVIDENCE = 5


@dataclass(frozen=True)
class Signal:
    """One warning. `ids` are those of the worktrees, claims or checkpoints it is about."""

    kind: SignalKind
    certainty: Certainty
    text: str
    ids: tuple[str, ...]
    evidence: tuple[str, ...] = ()


def off_claim(claims: Sequence[Claim], looks: Sequence[WorktreeLook]) -> list[Signal]:
    """Claims that name paths while their worktree changes none of them, but others."""
    by_id = {look.worktree.id: look for look in looks}
    found = []
    for claim in claims:
        look = by_id.get(claim.worktree or "")
        paths = scope_paths(claim.scope)
        if look is None or look.probed is None or not paths:
            continue
        changed = [path.rpartition(" → ")[2] for path in look.probed.dirty]
        beside = [path for path in changed if not shared_paths([path], paths)]
        if beside:
            found.append(
                Signal(
                    "off_claim",
                    "possible",
                    f"{claim.agent} claims {', '.join(paths)} and changes other files",
                    (claim.id, look.worktree.id),
                    tuple(beside[:MOST_EVIDENCE]),
                )
            )
    return found


@dataclass(frozen=True)
class BranchTip:
    """A branch by its head, for `same_items`."""

    name: str
    head: Checkpoint


def same_items(
    tips: Sequence[BranchTip], bases: Mapping[tuple[CheckpointId, CheckpointId], CheckpointBody]
) -> list[Signal]:
    """Items that two branches changed in different ways since they parted. `bases` holds the common
    ancestor of each two heads that have one and of which neither follows the other."""
    found = []
    for one, other in combinations(tips, 2):
        base = bases.get((one.head.id, other.head.id))
        if base is None:
            continue
        labels = list(_both_changed(base, one.head.body, other.head.body))
        if labels:
            found.append(
                Signal(
                    "same_item",
                    "likely",
                    f"{one.name} and {other.name} changed the same items since they parted",
                    (one.head.id, other.head.id),
                    tuple(labels[:MOST_EVIDENCE]),
                )
            )
    return found


def _both_changed(base: CheckpointBody, one: CheckpointBody, other: CheckpointBody) -> list[str]:
    labels = []
    for kind in KINDS:
        mine, its = _by_uid(one, kind), _by_uid(other, kind)
        for number, item in enumerate(item_list(base, kind), 1):
            if item.state != "live":
                continue
            first, second = mine.get(item.uid), its.get(item.uid)
            was = _said(item)
            if was != first != second != was:
                labels.append(f"{LETTERS[kind]}{number} {item.text}")
    return labels


def _by_uid(body: CheckpointBody, kind: str) -> dict[str, tuple[object, ...]]:
    return {item.uid: _said(item) for item in item_list(body, kind) if item.state == "live"}


def _said(item: Item | Task) -> tuple[object, ...]:
    """What a change of the item would be a change of; evidence is none."""
    own = (item.status, item.intent_hint, item.blocked_by) if isinstance(item, Task) else ()
    return (item.text, *own)
