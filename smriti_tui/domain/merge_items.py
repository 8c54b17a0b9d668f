"""The items of one kind over three checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from smriti_tui.domain.compare import Entry, matched, same_words
from smriti_tui.domain.merge_slots import (
    Answer,
    Outcome,
    Slot,
    arranged,
    distinct,
    joined,
    three_ways,
)
from smriti_tui.domain.model import Task

_SCALARS = ("text", "id", "intent_hint")
_SETS = ("evidence", "rests_on", "blocked_by")
Triple = tuple[Entry | None, Entry | None, Entry | None]


def merge_list(
    kind: str, base: Sequence[Entry], ours: Sequence[Entry], theirs: Sequence[Entry]
) -> list[Slot[Entry]]:
    """A slot for each item that a side holds, in the order of the result."""
    triples, places = _triples(base, ours, theirs)
    slots = [_slot(kind, *triple) for triple in triples]
    order = arranged(base, ours, theirs, lambda item: places[id(item)])
    return distinct([slots[number] for number in order])


def _triples(
    base: Sequence[Entry], ours: Sequence[Entry], theirs: Sequence[Entry]
) -> tuple[list[Triple], Mapping[int, int]]:
    """The same item on the three sides, and the triple's number by the identity of its items."""
    mine, _, ours_new = matched(base, ours)
    its, _, theirs_new = matched(base, theirs)
    in_ours = {id(b): o for b, o in mine}
    in_theirs = {id(b): t for b, t in its}
    triples: list[Triple] = [(b, in_ours.get(id(b)), in_theirs.get(id(b))) for b in base]
    both, ours_alone, theirs_alone = matched(ours_new, theirs_new)
    triples += [(None, o, t) for o, t in both]
    triples += [(None, o, None) for o in ours_alone]
    triples += [(None, None, t) for t in theirs_alone]
    places = {
        id(item): number
        for number, triple in enumerate(triples)
        for item in triple
        if item is not None
    }
    return triples, places


def _slot(kind: str, base: Entry | None, ours: Entry | None, theirs: Entry | None) -> Slot[Entry]:
    one = ours or base or theirs
    assert one is not None
    slot_id = f"{kind}:{(base or one).uid}"
    easy: tuple[Outcome, Entry | None] | None = three_ways(base, ours, theirs)
    if easy is not None:
        outcome, item = easy
        if outcome != "same" and base is not None and _gone(item) and not _gone(base):
            outcome = "retired"
        return Slot(slot_id, kind, base, ours, theirs, outcome, (item,) if item else ())
    if _gone(ours) and _gone(theirs):
        return Slot(slot_id, kind, base, ours, theirs, "retired", (_said(ours, theirs),))
    if ours is None or theirs is None or _gone(ours) or _gone(theirs):
        return Slot(
            slot_id, kind, base, ours, theirs, "conflict", conflict="change_retire",
            fields=("state",),
        )  # fmt: skip
    item, fields = _combined(base, ours, theirs)
    if fields:
        return Slot(
            slot_id, kind, base, ours, theirs, "conflict", conflict="both_changed", fields=fields
        )
    return Slot(slot_id, kind, base, ours, theirs, "combined", (item,))


def _gone(item: Entry | None) -> bool:
    return item is None or item.state == "retired"


def _said(ours: Entry | None, theirs: Entry | None) -> Entry:
    """Of two retirements the one that says more; the same whichever side is ours."""
    told = [item for item in (ours, theirs) if item is not None]
    return max(told, key=lambda item: (bool(item.reason), item.reason or "", item.retired_by or ""))


def _combined(base: Entry | None, ours: Entry, theirs: Entry) -> tuple[Entry, tuple[str, ...]]:
    """Ours with what theirs changed, and the fields in which both contradict each other."""
    changes: dict[str, Any] = {}
    against = []
    for name in _names(ours, _SCALARS):
        b, o, t = (getattr(side, name, None) for side in (base, ours, theirs))
        easy = three_ways(b, o, t)
        if easy is not None:
            changes[name] = easy[1]
        elif name == "text" and same_words(str(o), str(t)):
            changes[name] = o
        else:
            against.append(name)
    for name in _names(ours, _SETS):
        changes[name] = joined(getattr(base, name, ()), getattr(ours, name), getattr(theirs, name))
    if isinstance(ours, Task) and isinstance(theirs, Task):
        done = "done" in (ours.status, theirs.status)
        reopened = isinstance(base, Task) and base.status == "done" and ours.status != theirs.status
        changes["status"] = "done" if done and not reopened else "open"
    return replace(ours, **changes), tuple(against)


def _names(item: Entry, names: Sequence[str]) -> list[str]:
    return [name for name in names if hasattr(item, name)]


def settle_item(slot: Slot[Entry], answer: Answer) -> tuple[Entry, ...] | None:
    """What the merge holds of a conflict after an answer; None: the answer does not fit it.

    A side that was chosen gives what the sides contradict each other in; the rest of what both
    changed is kept. Of two kept ones, theirs is an item of its own.
    """
    ours, theirs = slot.ours, slot.theirs
    live = ours if not _gone(ours) else theirs
    if answer.text is not None:
        mine = _prefer(slot, ours or live)
        return (replace(mine, text=answer.text),) if mine and answer.text.strip() else None
    if answer.choice == "neither":
        return ()
    if answer.choice == "both":
        if _gone(ours) or _gone(theirs) or theirs is None:
            return None
        mine = _prefer(slot, ours)
        own = theirs.uid if mine and theirs.uid != mine.uid else ""
        return (mine, replace(theirs, uid=own)) if mine else None
    side = ours if answer.choice == "ours" else theirs
    if side is None or _gone(side):
        return () if side is None else (side,)
    mine = _prefer(slot, side)
    return (mine,) if mine else None


def _prefer(slot: Slot[Entry], side: Entry | None) -> Entry | None:
    """Both sides combined, with `side` where they contradict each other, as a live item."""
    ours, theirs = slot.ours, slot.theirs
    if side is None:
        return None
    if ours is None or theirs is None or _gone(ours) or _gone(theirs):
        return next(item for item in (ours, theirs) if item is not None and not _gone(item))
    item, fields = _combined(slot.base, ours, theirs)
    return replace(item, **{name: getattr(side, name) for name in fields})
