"""What a merge holds as a whole: every id once, and references that follow what was joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from smriti_tui.domain.compare import Entry
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.model import Artifact, Task

Part = Entry | Artifact
Held = list[tuple[str, Part]]


def held(slots: Sequence[Slot[Any]]) -> Held:
    """The parts that the merge holds, with their kinds.

    An id that stands twice, as that of an item that became another kind on one side, stays with
    the first; the others have none and are given one when they are saved. References name what they
    named: one to an item or artifact of theirs that was joined with one of ours follows it.
    """
    found = _once((slot.kind, part) for slot in slots for part in slot.result)
    there = {name for _, part in found for name in _names(part)}
    joined = dict(_joined(slots))
    now = {name: other for name, other in joined.items() if name not in there}
    return [(kind, _following(part, now)) for kind, part in found]


def _once(parts: Iterator[tuple[str, Part]]) -> Held:
    seen: set[str] = set()
    found: Held = []
    for kind, part in parts:
        key = part.id if isinstance(part, Artifact) else part.uid
        again = bool(key) and key in seen
        seen.add(key)
        found.append((kind, _nameless(part) if again else part))
    return found


def _nameless(part: Part) -> Part:
    return replace(part, id="") if isinstance(part, Artifact) else replace(part, uid="")


def _names(part: Part) -> tuple[str, ...]:
    """What `rests_on` and `blocked_by` may call it."""
    if isinstance(part, Artifact):
        return (part.id,)
    return (part.uid, part.id or "") if isinstance(part, Task) else (part.uid,)


def _joined(slots: Sequence[Slot[Any]]) -> Iterator[tuple[str, str]]:
    """Names of theirs with those of what stands for them."""
    for slot in slots:
        if slot.theirs is not None and slot.result:
            for its, mine in zip(_names(slot.theirs), _names(slot.result[0]), strict=True):
                if its and mine:
                    yield its, mine


def _following(part: Part, now: Mapping[str, str]) -> Part:
    if isinstance(part, Artifact):
        return part
    changes: dict[str, Any] = {"rests_on": _renamed(part.rests_on, now)}
    if isinstance(part, Task):
        changes["blocked_by"] = _renamed(part.blocked_by, now)
    return replace(part, **changes)


def _renamed(names: tuple[str, ...], now: Mapping[str, str]) -> tuple[str, ...]:
    renamed = tuple(now.get(name, name) for name in names)
    return names if renamed == names else tuple(dict.fromkeys(renamed))
