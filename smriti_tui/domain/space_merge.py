"""The settings of a Space and of its branches, of two histories into one, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from smriti_tui.domain import events as e
from smriti_tui.domain.field_merge import Fields, Settled, Side, Stamp, settle
from smriti_tui.domain.ids import BranchId

SPACE: Final = "space"
"""Key of the Space itself; branches go by their ids."""
DELETED: Final = "deleted"


@dataclass(frozen=True)
class Change:
    """A registered event of a Space's stream."""

    event: e.Event
    event_id: str
    recorded_at: str
    causation_id: str | None


def merged(
    base: Sequence[Change], ours: Sequence[Change], theirs: Sequence[Change]
) -> Iterator[Settled]:
    """What our Space lacks of theirs, and what both changed. A deletion is told and not taken:
    whoever goes on with a Space needs it.

    `base` is what both have; `ours` and `theirs` what each has after it.
    """
    known = {each.event_id: each for each in (*base, *ours, *theirs)}
    sides = [_side(each, known) for each in (base, (*base, *ours), (*base, *theirs))]
    # A branch that one of them alone opened comes with its tail.
    shared = {key: fields for key, fields in sides[2].items() if key in sides[0]}
    return settle(sides[0], sides[1], shared, _rule)


def repairs(settled: Settled) -> Iterator[tuple[e.Event, str]]:
    """The events that bring what is taken into our Space, each with the id of the event that said
    so there."""
    for name, value in settled.fields.items():
        by = settled.stamps[name][1]
        if settled.id != SPACE:
            branch = BranchId(settled.id)
            if name == "name":
                yield e.BranchRenamed(branch, value), by
            else:
                yield e.BranchDisposed(branch, value), by
        elif name != DELETED:
            yield e.SpaceChanged(**{name: value}), by


def _rule(name: str, value: object, mine: object) -> bool | None:
    return False if name == DELETED and value else None


def _side(changes: Sequence[Change], known: Mapping[str, Change]) -> Side:
    found: dict[str, dict[str, tuple[Any, Stamp]]] = {}
    for change in changes:
        stamp = _stamp(change, known)
        for key, name, value in _facts(change.event):
            found.setdefault(key, {})[name] = (value, stamp)
    side: dict[str, Fields] = dict(found)
    return side


def _stamp(change: Change, known: Mapping[str, Change]) -> Stamp:
    """What an earlier merge took over is as old as where it was said."""
    cause = known.get(change.causation_id or "")
    said = change if cause is None or not _same(change, cause) else cause
    return said.recorded_at, said.event_id


def _same(change: Change, cause: Change) -> bool:
    facts = set(_facts(cause.event))
    return bool(facts) and set(_facts(change.event)) <= facts


def _facts(event: e.Event) -> Iterator[tuple[str, str, Any]]:
    match event:
        case e.SpaceCreated():
            yield from _of_space(event.name, event.description, event.project_root or "", False)
        case e.SpaceChanged():
            told = (event.name, event.description, event.project_root, event.archived)
            yield from _of_space(*told)
        case e.SpaceDeleted():
            yield SPACE, DELETED, True
        case e.BranchOpened():
            yield event.branch, "name", event.name
            yield event.branch, "disposition", "active"
        case e.BranchRenamed():
            yield event.branch, "name", event.name
        case e.BranchDisposed():
            yield event.branch, "disposition", event.disposition


def _of_space(*values: str | bool | None) -> Iterator[tuple[str, str, Any]]:
    names = ("name", "description", "project_root", "archived")
    for name, value in zip(names, values, strict=True):
        if value is not None:
            yield SPACE, name, value
