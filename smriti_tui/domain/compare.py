"""What two checkpoints have in common and what not, over all their fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.model import Artifact, Checkpoint, CheckpointBody, Item, Task

T = TypeVar("T")
Entry = Item | Task


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """The same thing on both sides."""

    a: T
    b: T
    changes: tuple[str, ...] = ()
    """Names of the fields that differ; none where they are the same."""


@dataclass(frozen=True, slots=True)
class Compared(Generic[T]):
    """A list of both sides. Nothing is in two groups; each group keeps its side's order, A's where
    it has both."""

    only_a: tuple[T, ...]
    only_b: tuple[T, ...]
    changed: tuple[Pair[T], ...]
    shared: tuple[Pair[T], ...]

    @property
    def same(self) -> bool:
        return not (self.only_a or self.only_b or self.changed)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two checkpoints, and the newest ones that both come from."""

    a: Checkpoint
    b: Checkpoint
    ancestors: tuple[str, ...]
    """None: unrelated. Several: their histories cross."""
    objective: Pair[str]
    summary: Pair[str]
    items: dict[str, Compared[Entry]]
    """By the names of `KINDS`."""
    entities: Compared[str]
    artifacts: Compared[Artifact]


def compare(a: Checkpoint, b: Checkpoint, ancestors: Sequence[str] = ()) -> Comparison:
    """Compares all fields; `ancestors` are `lineage.merge_bases` of the two."""
    one, two = a.body, b.body
    return Comparison(
        a, b, tuple(ancestors),
        _texts(one.objective, two.objective),
        _texts(one.summary, two.summary),
        {kind: compare_items(item_list(one, kind), item_list(two, kind)) for kind in KINDS},
        _entities(one, two),
        _artifacts(one.artifacts, two.artifacts),
    )  # fmt: skip


def matched(
    a: Sequence[Entry], b: Sequence[Entry]
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """Pairs of the same item, in A's order, and what only A and only B hold.

    By `uid` first, then by `comparison_key`, each item once, in order; an empty key matches nothing
    (DESIGN 10.16).
    """
    by_uid = {item.uid: item for item in reversed(b) if item.uid}
    partner: dict[int, Entry] = {}
    taken: set[int] = set()
    for item in a:
        found = by_uid.get(item.uid)
        if found is not None and id(found) not in taken:
            partner[id(item)] = found
            taken.add(id(found))
    by_key: dict[str, list[Entry]] = {}
    for item in reversed(b):
        if id(item) not in taken and (key := comparison_key(item.text)):
            by_key.setdefault(key, []).append(item)
    for item in a:
        if id(item) not in partner and (same := by_key.get(comparison_key(item.text))):
            found = same.pop()
            partner[id(item)] = found
            taken.add(id(found))
    pairs = [(item, partner[id(item)]) for item in a if id(item) in partner]
    only_a = [item for item in a if id(item) not in partner]
    return pairs, only_a, [item for item in b if id(item) not in taken]


def compare_items(a: Sequence[Entry], b: Sequence[Entry]) -> Compared[Entry]:
    """One kind of item on both sides."""
    pairs, only_a, only_b = matched(a, b)
    weighed = [Pair(one, two, changed_fields(one, two)) for one, two in pairs]
    return Compared(
        tuple(only_a),
        tuple(only_b),
        tuple(pair for pair in weighed if pair.changes),
        tuple(pair for pair in weighed if not pair.changes),
    )


def changed_fields(a: Entry, b: Entry) -> tuple[str, ...]:
    """Names of the fields that say something else.

    Wordings with one comparison key say the same. Evidence is no part of what an item says.
    """
    names = ["state", "rests_on"]
    if isinstance(a, Task) and isinstance(b, Task):
        names = ["id", "intent_hint", "blocked_by", "status", *names]
    differ = [name for name in names if getattr(a, name) != getattr(b, name)]
    return (*(["text"] if not same_words(a.text, b.text) else []), *differ)


def same_words(a: str, b: str) -> bool:
    """Whether two texts are equal but for case, outer signs and white space."""
    if a == b:
        return True
    key = comparison_key(a)
    return bool(key) and key == comparison_key(b)


def _texts(a: str, b: str) -> Pair[str]:
    return Pair(a, b, () if a.split() == b.split() else ("text",))


def _entities(a: CheckpointBody, b: CheckpointBody) -> Compared[str]:
    keys_a, keys_b = entity_keys(a.entities), entity_keys(b.entities)
    return Compared(
        tuple(name for key, name in keys_a.items() if key not in keys_b),
        tuple(name for key, name in keys_b.items() if key not in keys_a),
        (),
        tuple(Pair(name, keys_b[key]) for key, name in keys_a.items() if key in keys_b),
    )


def entity_keys(names: Sequence[str]) -> dict[str, str]:
    """The first writing of each entity, by what its writings have in common."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(comparison_key(name) or name, name)
    return found


def artifact_pairs(
    a: Sequence[Artifact], b: Sequence[Artifact]
) -> tuple[list[tuple[Artifact, Artifact]], list[Artifact], list[Artifact]]:
    """The same artifacts on both sides: by id, then by type and label, each once, in order."""
    partner: dict[int, Artifact] = {}
    left = list(b)
    for key in (lambda one: one.id, lambda one: (one.type, one.label)):
        there: dict[object, list[Artifact]] = {}
        for two in reversed(left):
            there.setdefault(key(two), []).append(two)
        for one in a:
            if id(one) not in partner and (same := there.get(key(one))):
                partner[id(one)] = same.pop()
        taken = {id(found) for found in partner.values()}
        left = [two for two in left if id(two) not in taken]
    return (
        [(one, partner[id(one)]) for one in a if id(one) in partner],
        [one for one in a if id(one) not in partner],
        left,
    )


def _artifacts(a: Sequence[Artifact], b: Sequence[Artifact]) -> Compared[Artifact]:
    pairs, only_a, only_b = artifact_pairs(a, b)
    names = ("type", "label", "content")
    weighed = [
        Pair(one, two, tuple(name for name in names if getattr(one, name) != getattr(two, name)))
        for one, two in pairs
    ]
    return Compared(
        tuple(only_a),
        tuple(only_b),
        tuple(pair for pair in weighed if pair.changes),
        tuple(pair for pair in weighed if not pair.changes),
    )
