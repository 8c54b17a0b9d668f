"""The settings of a Space and of its branches, of two histories into one, field by field."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from smriti_tui.domain import events as e
from smriti_tui.domain.field_merge import Fields, Settled, Side, Stamp, after, settle
from smriti_tui.domain.ids import BranchId

SPACE: Final = "space"
"""Key of the Space itself; branches go by their ids."""


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
    """What our Space lacks of theirs, and what both changed.

    `base` is what both have; `ours` and `theirs` what each has after it.
    """
    common, own, other = _folded(base, ours, theirs)
    # A branch that one of them alone opened comes with its tail.
    shared = {key: fields for key, fields in other.items() if key in common}
    return settle(common, own, shared, lambda *_: None)


def deletion(ours: Sequence[Change], theirs: Sequence[Change]) -> Settled | None:
    """Who of both deleted the Space. It is told and not taken: whoever goes on with it needs it."""
    here, there = map(_deletes, (ours, theirs))
    if here is there:
        return None
    told = {"base": False, "ours": here, "theirs": there, "taken": "ours"}
    return Settled(SPACE, {}, {}, {"deleted": told})


def _deletes(changes: Sequence[Change]) -> bool:
    return any(isinstance(each.event, e.SpaceDeleted) for each in changes)


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
        else:
            yield e.SpaceChanged(**{name: value}), by


Said = dict[str, tuple[dict[tuple[str, str], Any], dict[tuple[str, str], Stamp]]]
"""By event id: what it says of which field of what, and with which stamps."""


class _History:
    """Settings as a history leaves them. What an earlier merge took over is as old as where it was
    said, in the other history."""

    def __init__(self, begun: _History | None = None) -> None:
        self.side: dict[str, dict[str, tuple[Any, Stamp]]] = (
            {} if begun is None else {key: dict(fields) for key, fields in begun.side.items()}
        )

    def take(self, change: Change, said: Said) -> None:
        """Notes also down what the change says, and with which stamps."""
        facts = {(key, name): value for key, name, value in _facts(change.event)}
        cause, stamps = said.get(change.causation_id or "", ({}, {}))
        if not facts.items() <= cause.items():
            stamps = {}
        own: dict[tuple[str, str], Stamp] = {}
        for (key, name), value in facts.items():
            fields = self.side.setdefault(key, {})
            before = fields[name][1] if name in fields else None
            stamp = stamps.get((key, name)) or after((change.recorded_at, change.event_id), before)
            fields[name] = (value, stamp)
            own[key, name] = stamp
        said[change.event_id] = (facts, own)


def _folded(*parts: Sequence[Change]) -> tuple[Side, Side, Side]:
    """What both begin with, and what each of the two histories leaves."""
    said: Said = {}
    common = _History()
    for change in parts[0]:
        common.take(change, said)
    histories = [_History(common), _History(common)]
    waiting = [deque(part) for part in parts[1:]]
    while any(waiting):
        still = {change.event_id for queue in waiting for change in queue}
        moved = False
        for history, queue in zip(histories, waiting, strict=True):
            while queue and queue[0].causation_id not in still:
                still.discard(queue[0].event_id)
                history.take(queue.popleft(), said)
                moved = True
        if not moved:
            # Each waits for the other, as no merge writes it: their own times count then.
            history, queue = next(each for each in zip(histories, waiting, strict=True) if each[1])
            history.take(queue.popleft(), said)
    return _read(common), _read(histories[0]), _read(histories[1])


def _read(history: _History) -> Side:
    side: dict[str, Fields] = dict(history.side)
    return side


def _facts(event: e.Event) -> Iterator[tuple[str, str, Any]]:
    match event:
        case e.SpaceCreated():
            yield from _of_space(event.name, event.description, event.project_root or "", False)
        case e.SpaceChanged():
            yield from _of_space(event.name, event.description, event.project_root, event.archived)
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
