"""What the review screen reads: the review as it stands, what the rules see, what stands behind an
item. All of it is called in threads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.findings import SettledFinding
from smriti_tui.domain.follow_up import FollowUp
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.model import Checkpoint, Item, Task
from smriti_tui.domain.review_rules import RuleReport
from smriti_tui.domain.reviewed import Reviewed, labels_of, parts_of

if TYPE_CHECKING:
    from smriti_tui.services import Services

MOST_BRANCHES = 50
"""Heads in which an item is looked for."""


@dataclass(frozen=True)
class Left:
    """What the screen is left with: the follow-up that was written."""

    made: Checkpoint
    words: str = ""
    """What is to be said of it; empty where that was said."""
    then_merge: bool = False
    """Whether it is to be merged into the branch that moved on."""


@dataclass(frozen=True)
class Look:
    """The review as it stands."""

    checkpoint: Checkpoint
    space: str
    reviewed: Reviewed | None
    follow: FollowUp
    head: CheckpointId | None
    """The head of its branch now."""
    now: str
    writable: bool = True

    @property
    def recorded(self) -> tuple[SettledFinding, ...]:
        """Its findings, none where nobody reviewed it."""
        return self.reviewed.findings if self.reviewed is not None else ()

    def findings(self, report: RuleReport | None) -> tuple[SettledFinding, ...]:
        """The recorded ones; else what the rules see now, of which nothing is recorded."""
        if self.reviewed is not None or report is None:
            return self.recorded
        return tuple(SettledFinding("", each) for each in report.findings)


def read_look(services: Services, checkpoint: CheckpointId) -> Look:
    """Raises: NotFound, StoreError."""
    found = services.checkpoints.get(checkpoint)
    branches = services.spaces.branches(found.body.space)
    return Look(
        found,
        services.spaces.get(found.body.space).name,
        services.reviewing.latest(checkpoint),
        services.reviewing.follow_up(checkpoint),
        next((each.head for each in branches if each.id == found.branch), None),
        services.caller.store.now(),
        services.log.writable(),
    )


@dataclass(frozen=True)
class Behind:
    """Where an item comes from, and how it stands on other branches."""

    since: CheckpointId | None = None
    elsewhere: tuple[tuple[str, str], ...] = ()
    """Branch with the label there, and how it stands."""


def read_behind(
    services: Services, checkpoint: Checkpoint, uids: tuple[str, ...]
) -> dict[str, Behind]:
    """Of items and of tasks; what else a finding points at has no history of its own."""
    parts, labels = parts_of(checkpoint.body), labels_of(checkpoint.body)
    wanted = [uid for uid in uids if uid in parts]
    heads = _heads(services, checkpoint) if wanted else []
    found: dict[str, Behind] = {}
    for uid in wanted:
        traces = services.blaming.item(checkpoint.id, labels[uid])
        item = parts[uid][1]
        there = [row for head in heads for row in _stands(head, item)]
        found[uid] = Behind(traces[-1].checkpoint.id if traces else None, tuple(there))
    return found


def _heads(services: Services, checkpoint: Checkpoint) -> list[Checkpoint]:
    """The states of live branches, without the one that is reviewed."""
    heads = []
    for branch in services.spaces.branches(checkpoint.body.space):
        if branch.disposition != "active" or branch.head in (None, checkpoint.id):
            continue
        try:
            heads.append(services.checkpoints.get(CheckpointId(branch.head or "")))
        except NotFound:  # Deleted between two reads.
            continue
        if len(heads) == MOST_BRANCHES:
            break
    return heads


def _stands(head: Checkpoint, item: Item | Task) -> list[tuple[str, str]]:
    """By its id, else by its wording in a list of the same kind."""
    labels = labels_of(head.body)
    items = [each for kind in KINDS for each in item_list(head.body, kind)]
    key = comparison_key(item.text)
    same = next((each for each in items if each.uid == item.uid), None)
    if same is None and key:
        same = next(
            (e for e in items if type(e) is type(item) and comparison_key(e.text) == key), None
        )
    if same is None:
        return []
    if same.state == "retired":
        words = "retired there"
    elif comparison_key(same.text) == key:
        words = "still there"
    else:
        words = f"reads there: {same.text}"
    return [(f"{head.branch_name} {labels[same.uid]}", words)]


def branch_words(look: Look) -> str:
    """Where a follow-up would go."""
    found = look.checkpoint
    if look.head == found.id:
        return f"parent {short(found.id)} on {found.branch_name}"
    now = short(look.head) if look.head else "nothing"
    return f"parent {short(found.id)}; {found.branch_name} has moved on to {now}"
