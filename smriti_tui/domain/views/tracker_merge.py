"""Two histories of one tracker into one state, field by field (DESIGN section 9).

Both grew from the same beginning. A field that one side changed takes that change. Where both did,
what closes an item wins over what leaves it open, a time of completion over none, and else the
later change: each is the same from either side, so both stores end in one state. Nothing is dropped
unseen: every field that both changed stands in the event that settles it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from smriti_tui.domain.views import tracker
from smriti_tui.domain.views.base import Fact, ViewState

Stamp = tuple[str, str]
"""When a field got its value, and by which event: the later one is greater."""
_MISSING: Final = object()


@dataclass(frozen=True)
class Settled:
    """What a merge gives one item of ours."""

    id: str
    fields: Mapping[str, Any]
    stamps: Mapping[str, Stamp]
    conflicts: Mapping[str, Mapping[str, Any]]
    """Fields that both changed: their values at the base, on either side, and which is taken."""

    def payload(self) -> dict[str, Any]:
        """Of the event `item_merged`."""
        return {
            "id": self.id,
            "fields": dict(self.fields),
            "stamps": {name: list(stamp) for name, stamp in self.stamps.items()},
            "conflicts": {name: dict(told) for name, told in self.conflicts.items()},
        }


@dataclass
class _Side:
    """A history folded to its end, with the stamp of each field."""

    state: ViewState = field(default_factory=ViewState)
    stamps: dict[str, dict[str, Stamp]] = field(default_factory=dict)

    def take(self, fact: Fact) -> None:
        key = fact.payload.get("id")
        before = dict(self._item(key))
        tracker.VIEW.apply(self.state, fact)
        given = fact.payload.get("stamps") if fact.type == tracker.MERGED else None
        told = given if isinstance(given, Mapping) else {}
        for name, value in self._item(key).items():
            if before.get(name, _MISSING) != value:
                own = (fact.recorded_at, fact.event_id)
                self.stamps.setdefault(str(key), {})[name] = _stamp(told.get(name)) or own

    def _item(self, key: object) -> Mapping[str, Any]:
        found = self.state.items.get(key) if isinstance(key, str) else None
        return {} if found is None else found


def _stamp(given: object) -> Stamp | None:
    if isinstance(given, list) and len(given) == 2 and all(isinstance(each, str) for each in given):
        return given[0], given[1]
    return None


def merged(base: Sequence[Fact], ours: Sequence[Fact], theirs: Sequence[Fact]) -> Iterator[Settled]:
    """What our history lacks of theirs, item by item in the order of theirs.

    `base` is what both have; `ours` and `theirs` what each has after it. Nothing comes where
    nothing is to do, so merging again changes nothing.
    """
    common, own, other = _folded(base), _folded((*base, *ours)), _folded((*base, *theirs))
    for key in other.state.items:
        settled = _settled(key, common, own, other)
        if settled is not None:
            yield settled


def _folded(facts: Sequence[Fact]) -> _Side:
    side = _Side()
    for fact in facts:
        side.take(fact)
    return side


def _settled(key: str, base: _Side, ours: _Side, theirs: _Side) -> Settled | None:
    was, own, other = (side.state.items.get(key) or {} for side in (base, ours, theirs))
    fields: dict[str, Any] = {}
    stamps: dict[str, Stamp] = {}
    conflicts: dict[str, dict[str, Any]] = {}
    for name, value in other.items():
        before, mine = was.get(name, _MISSING), own.get(name, _MISSING)
        if value in (mine, before) and not (mine is _MISSING and before is _MISSING):
            continue
        stamp = theirs.stamps[key][name]
        taken = mine is _MISSING or mine == before
        if not taken:
            taken = _wins(name, value, stamp, mine, ours.stamps[key][name])
            conflicts[name] = {
                "base": None if before is _MISSING else before,
                "ours": mine,
                "theirs": value,
                "taken": "theirs" if taken else "ours",
            }
        if taken:
            fields[name], stamps[name] = value, stamp
    return Settled(key, fields, stamps, conflicts) if fields else None


def _wins(name: str, value: object, stamp: Stamp, mine: object, own: Stamp) -> bool:
    """Whether a value wins over ours; the same from the other side."""
    if name in ("status", "lane"):
        closes, kept = (isinstance(each, str) and each in tracker.CLOSED for each in (value, mine))
        if closes is not kept:
            return closes
    if name == "completed_at" and (value is None) is not (mine is None):
        return mine is None
    return stamp > own
