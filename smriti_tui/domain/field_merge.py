"""Two histories of the same things into one state, field by field (DESIGN section 9).

Both grew from the same beginning. A field that one side changed takes that change. Where both did,
a rule of the kind of thing decides, else the later change: each is the same from either side, so
both stores end in one state. Nothing is dropped unseen: every field that both changed is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

Stamp = tuple[str, str]
"""When a field got its value, and by which event: the later one is greater."""
Fields = Mapping[str, tuple[Any, Stamp]]
"""The fields of one thing with their stamps."""
Side = Mapping[str, Fields]
"""All things that a history tells of, by key."""
MISSING: Final = object()


def after(own: Stamp, before: Stamp | None) -> Stamp:
    """The stamp of a change of what has the stamp `before`. Whoever changes a value has seen it: it
    is the later one, also where the clock of that machine is behind."""
    if before is None or own > before:
        return own
    return before[0], f"{before[1]}~{own[1]}"


@dataclass(frozen=True)
class Settled:
    """What a merge gives one thing of ours."""

    id: str
    fields: Mapping[str, Any]
    stamps: Mapping[str, Stamp]
    conflicts: Mapping[str, Mapping[str, Any]]
    """Fields that both changed: their values at the base, on either side, and which is taken."""

    def payload(self) -> dict[str, Any]:
        """Of the event that settles it."""
        return {
            "id": self.id,
            "fields": dict(self.fields),
            "stamps": {name: list(stamp) for name, stamp in self.stamps.items()},
            "conflicts": {name: dict(told) for name, told in self.conflicts.items()},
        }


Rule = Callable[[str, Any, Any], bool | None]
"""Of a field with its two values: whether the first wins whatever came later; None: it does not
say. From the other side it must say the opposite."""


def settle(base: Side, ours: Side, theirs: Side, rule: Rule) -> Iterator[Settled]:
    """What our history lacks of theirs, thing by thing in the order of theirs, and what both
    changed.

    Nothing comes where nothing is to do, so merging again changes nothing.
    """
    for key, fields in theirs.items():
        settled = _settled(key, (base.get(key, {}), ours.get(key, {}), fields), rule)
        if settled is not None:
            yield settled


def _settled(key: str, sides: tuple[Fields, Fields, Fields], rule: Rule) -> Settled | None:
    was, own, other = sides
    fields: dict[str, Any] = {}
    stamps: dict[str, Stamp] = {}
    conflicts: dict[str, dict[str, Any]] = {}
    for name, (value, stamp) in other.items():
        before, _ = was.get(name, (MISSING, None))
        mine, own_stamp = own.get(name, (MISSING, ("", "")))
        if value in (mine, before) and not (mine is MISSING and before is MISSING):
            continue
        taken = mine is MISSING or mine == before
        if not taken:
            told = rule(name, value, mine)
            taken = stamp > own_stamp if told is None else told
            conflicts[name] = {
                "base": None if before is MISSING else before,
                "ours": mine,
                "theirs": value,
                "taken": "theirs" if taken else "ours",
            }
        if taken:
            fields[name], stamps[name] = value, stamp
    return Settled(key, fields, stamps, conflicts) if fields or conflicts else None
