"""What rests on an item or artifact: found along the links that its checkpoint stores, from link to
link (DESIGN section 8).

A link is an entry of `rests_on`, or of a task's `blocked_by`. Only what is stored in an item
counts: what a model offers is no link until a person accepts it. A retired item does not stand any
more: it is not listed, and nothing is passed on through it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.errors import Ambiguous, NotFound
from smriti_tui.domain.ids import MIN_PREFIX, CheckpointId, is_uuid, short
from smriti_tui.domain.items import KINDS, LETTERS, comparison_key, item_list
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Item, Task

Lists = Mapping[str, Sequence[Item | Task]]
"""The items of a state by kind, in the order that labels count."""
Link = Literal["rests_on", "blocked_by"]
Why = Literal["task", "scope", "base"]
ARTIFACTS = "artifacts"
MOST_SHOWN = 5


@dataclass(frozen=True)
class Target:
    """What the question is about."""

    kind: str
    """One of `KINDS`, or `ARTIFACTS`."""
    uid: str
    """Of an artifact: its id."""
    label: str
    """`D1` and so on; an artifact goes by its own label."""
    text: str
    slug: str = ""
    """A task's `id`."""

    @property
    def names(self) -> frozenset[str]:
        """What a link may call it."""
        return frozenset({self.uid, self.slug} - {""})


@dataclass(frozen=True)
class Reached:
    """An item that rests on the target, directly or through others."""

    kind: str
    label: str
    item: Item | Task
    on: str
    """Label of what it rests on itself: the target's, or that of one that was reached before."""
    link: Link
    steps: int
    """1 where it names the target itself."""


@dataclass(frozen=True)
class Elsewhere:
    """What the head of another live branch holds of it."""

    branch: str
    checkpoint: CheckpointId
    title: str
    label: str | None
    """Of the target itself, where it still stands there."""
    reached: tuple[Reached, ...]


@dataclass(frozen=True)
class ClaimReached:
    """A claim that holds and leans on the target."""

    claim: Claim
    why: Why
    """Its task is among what rests on it, or the target itself; its scope names one of these; or
    the target stands in the checkpoint it began at."""
    label: str
    """Of what it names, in the state it is read against."""


@dataclass(frozen=True)
class Reach:
    """All that rests on a target."""

    target: Target
    checkpoint: Checkpoint
    here: tuple[Reached, ...]
    """In the checkpoint itself."""
    elsewhere: tuple[Elsewhere, ...]
    """On the heads of other live branches, and of its own where that has moved on; those without
    the target and without anything that rests on it are left out."""
    claims: tuple[ClaimReached, ...]


def lists_of(body: CheckpointBody) -> Lists:
    """The item lists of a checkpoint."""
    return {kind: item_list(body, kind) for kind in KINDS}


def labelled(lists: Lists) -> Iterator[tuple[str, str, Item | Task]]:
    """Kind, label and item of every item."""
    for kind in KINDS:
        for number, item in enumerate(lists.get(kind, ()), 1):
            yield kind, f"{LETTERS[kind]}{number}", item


def names_of(item: Item | Task) -> frozenset[str]:
    """What a link may call an item."""
    slug = item.id or "" if isinstance(item, Task) else ""
    return frozenset({item.uid, slug} - {""})


def reached(lists: Lists, names: Iterable[str], label: str) -> tuple[Reached, ...]:
    """What rests on the thing that goes by `names`: the nearest first, then as the lists have it.

    `label` is what the thing is called. It is never among what is found, even on a circle.
    """
    live = [found for found in labelled(lists) if found[2].state == "live"]
    called = dict.fromkeys(names, label)
    left = [each for each in live if not names_of(each[2]) & called.keys()]
    found: list[Reached] = []
    steps = 0
    while called:
        steps += 1
        ring = [
            Reached(kind, own, item, called[name], link, steps)
            for kind, own, item in left
            if (hit := _first_link(item, called)) is not None
            for link, name in (hit,)
        ]
        taken = {each.label for each in ring}
        left = [each for each in left if each[1] not in taken]
        called = {}
        for each in ring:
            for name in names_of(each.item):
                called.setdefault(name, each.label)
        found += ring
    return tuple(found)


def _first_link(item: Item | Task, called: Mapping[str, str]) -> tuple[Link, str] | None:
    for name in item.rests_on:
        if name in called:
            return "rests_on", name
    if isinstance(item, Task):
        for name in item.blocked_by:
            if name in called:
                return "blocked_by", name
    return None


# ---- naming the target -------------------------------------------------------------------------


def target_of(kind: str, label: str, item: Item | Task) -> Target:
    """An item as what the question is about."""
    slug = (item.id or "") if isinstance(item, Task) else ""
    return Target(kind, item.uid, label, item.text, slug)


def targets(body: CheckpointBody) -> list[Target]:
    """Everything in a checkpoint that something can rest on, retired items too."""
    items = [target_of(kind, label, item) for kind, label, item in labelled(lists_of(body))]
    files = [Target(ARTIFACTS, each.id, each.label, each.type) for each in body.artifacts]
    return [*items, *files]


def find_target(checkpoint: Checkpoint, wanted: str) -> Target:
    """An item by its label (`D1`), or an item or artifact by its id, a task's own id, or the
    beginning of an id, dashes left out.

    Raises:
        NotFound: it holds no such thing. Ambiguous: several ids begin so.
    """
    wanted = wanted.strip()
    known = targets(checkpoint.body)
    digits = wanted.replace("-", "").lower()
    rules = (
        [each for each in known if each.kind != ARTIFACTS and each.label == wanted.upper()],
        [each for each in known if wanted in each.names],
        [
            each
            for each in known
            if len(digits) >= MIN_PREFIX and each.uid.replace("-", "").lower().startswith(digits)
        ],
    )
    found = next((fits for fits in rules if fits), [])
    if not found:
        raise NotFound(
            f"Checkpoint {short(checkpoint.id)} has no item or artifact {wanted!r}.",
            "Its items are named D1, A1, T1, Q1 and so on; artifacts go by their id.",
        )
    if len(found) > 1:
        shown = ", ".join(f"{each.uid} ({each.label})" for each in found[:MOST_SHOWN])
        raise Ambiguous(
            f"{wanted!r} fits {len(found)} of its parts: {shown}.",
            "Give more of the id.",
            details={"candidates": [{"id": each.uid, "name": each.label} for each in found]},
        )
    return found[0]


# ---- elsewhere ---------------------------------------------------------------------------------


def elsewhere(heads: Sequence[Checkpoint], target: Target) -> tuple[Elsewhere, ...]:
    """What the heads of branches hold of it; those that hold nothing are left out."""
    found = [_on_head(head, target) for head in heads]
    return tuple(each for each in found if each.label is not None or each.reached)


def _on_head(head: Checkpoint, target: Target) -> Elsewhere:
    own = standing(head.body, target)
    there = reached(
        lists_of(head.body), target.names | (own.names if own else frozenset()),
        own.label if own else target.label,
    )  # fmt: skip
    label = own.label if own else None
    return Elsewhere(head.branch_name, head.id, head.title, label, there)


def standing(body: CheckpointBody, target: Target) -> Target | None:
    """The target as it stands in a state; None where it is not there, or retired."""
    gone = {item.uid for _, _, item in labelled(lists_of(body)) if item.state != "live"}
    return next(
        (
            each
            for each in targets(body)
            if each.uid == target.uid and each.uid and each.uid not in gone
        ),
        None,
    )


# ---- claims ------------------------------------------------------------------------------------


def claims_reached(
    claims: Iterable[Claim],
    states: Mapping[str, CheckpointBody],
    target: Target,
    known: Iterable[Reached] = (),
) -> tuple[ClaimReached, ...]:
    """The claims that lean on the target, for their strongest reason, in the order given.

    `states` holds the checkpoint that each claim began at, by id: a label in a scope or a task
    means what it meant there. `known` is what rests on the target in states of now; that goes by
    its ids alone.
    """
    found = [_claim_reached(claim, states.get(claim.base or ""), target, known) for claim in claims]
    return tuple(each for each in found if each is not None)


def _claim_reached(
    claim: Claim, body: CheckpointBody | None, target: Target, known: Iterable[Reached]
) -> ClaimReached | None:
    own = standing(body, target) if body else None
    called = {name: each.label for each in known for name in names_of(each.item)}
    called |= dict.fromkeys(target.names, target.label)
    if body is not None:
        called |= _called(body, own, target)
    by_task = {comparison_key(name): label for name, label in called.items()}
    task = comparison_key(claim.task_id or "")
    if task in by_task:
        return ClaimReached(claim, "task", by_task[task])
    for name, label in called.items():
        if _says(claim.scope, name):
            return ClaimReached(claim, "scope", label)
    return ClaimReached(claim, "base", own.label) if own is not None else None


def _called(body: CheckpointBody, own: Target | None, target: Target) -> dict[str, str]:
    """Names of the target and of what rests on it in a state, with the labels these have there."""
    label = own.label if own else target.label
    names = target.names | (own.names if own else frozenset())
    called = dict.fromkeys(names | ({label} if own else set()), label)
    for each in reached(lists_of(body), names, label):
        called |= dict.fromkeys((*names_of(each.item), each.label), each.label)
    return called


def _says(text: str, name: str) -> bool:
    """Whether a text has the name as words of their own; of an id the 7 shown signs are enough."""
    ways = (name, short(name)) if is_uuid(name) else (name,)
    return any(re.search(rf"(?<![\w-]){re.escape(way)}(?![\w-])", text) for way in ways)
