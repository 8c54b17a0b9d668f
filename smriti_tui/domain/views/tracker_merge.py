"""Two histories of one tracker into one state: what closes an item wins over what leaves it open, a
time of completion over none, else the later change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from smriti_tui.domain.field_merge import Settled, Side, Stamp, after, settle
from smriti_tui.domain.views import tracker
from smriti_tui.domain.views.base import Fact, ViewState

_MISSING: Final = object()


def merged(base: Sequence[Fact], ours: Sequence[Fact], theirs: Sequence[Fact]) -> Iterator[Settled]:
    """What our history lacks of theirs, item by item in the order of theirs.

    `base` is what both have; `ours` and `theirs` what each has after it.
    """
    sides = (_side(base), _side((*base, *ours)), _side((*base, *theirs)))
    return (each for each in settle(*sides, _rule) if each.fields)


def _side(facts: Sequence[Fact]) -> Side:
    """A history folded to its end, with the stamp of each field."""
    state = ViewState()
    stamps: dict[str, dict[str, Stamp]] = {}
    for fact in facts:
        key = fact.payload.get("id")
        before = dict(_item(state, key))
        tracker.VIEW.apply(state, fact)
        given = fact.payload.get("stamps") if fact.type == tracker.MERGED else None
        told = given if isinstance(given, Mapping) else {}
        for name, value in _item(state, key).items():
            if before.get(name, _MISSING) != value:
                kept = stamps.setdefault(str(key), {})
                own = after((fact.recorded_at, fact.event_id), kept.get(name))
                kept[name] = _stamp(told.get(name)) or own
    return {
        key: {name: (value, stamps[key][name]) for name, value in _item(state, key).items()}
        for key in state.items
    }


def _item(state: ViewState, key: object) -> Mapping[str, Any]:
    found = state.items.get(key) if isinstance(key, str) else None
    return {} if found is None else found


def _stamp(given: object) -> Stamp | None:
    if isinstance(given, list) and len(given) == 2 and all(isinstance(each, str) for each in given):
        return given[0], given[1]
    return None


def _rule(name: str, value: object, mine: object) -> bool | None:
    if name in ("status", "lane"):
        closes, kept = (isinstance(each, str) and each in tracker.CLOSED for each in (value, mine))
        return closes if closes is not kept else None
    if name == "completed_at" and (value is None) is not (mine is None):
        return mine is None
    return None
