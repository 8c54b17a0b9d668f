"""Where an item comes from: its first appearance, each change, and the merges that brought it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.compare import Entry, changed_fields
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.model import Checkpoint

What = Literal["appeared", "changed", "merged", "retired"]


@dataclass(frozen=True)
class Trace:
    """One thing that happened to an item, in one checkpoint."""

    what: What
    checkpoint: Checkpoint
    item: Entry
    """As it stands in that checkpoint."""
    before: Entry | None = None
    """As it stood in the parent it came from."""
    changes: tuple[str, ...] = ()


def find_item(checkpoint: Checkpoint, uid: str) -> Entry | None:
    """The item of a checkpoint with this uid, of any kind."""
    return next(
        (item for kind in KINDS for item in item_list(checkpoint.body, kind) if item.uid == uid),
        None,
    )


def blame(
    start: Checkpoint, uid: str, look: Callable[[CheckpointId], Checkpoint | None]
) -> list[Trace]:
    """What happened to an item that `start` holds, newest first, the last one being where it first
    appeared.

    It is followed to the parent that holds it, the first one first, by uid and else by its wording:
    so a merge shows which side it came from.
    """
    traces: list[Trace] = []
    here, item = start, find_item(start, uid)
    while item is not None:
        found = [
            (parent, old)
            for parent in map(look, here.body.parents)
            if parent is not None and (old := _same(parent, item)) is not None
        ]
        if not found:
            return [*traces, Trace("appeared", here, item)]
        parent, old = found[0]
        changes = changed_fields(old, item)
        if changes:
            retired = item.state == "retired" and old.state == "live"
            traces.append(Trace("retired" if retired else "changed", here, item, old, changes))
        if parent.id != here.body.parents[0]:
            traces.append(Trace("merged", here, item, old))
        here, item = parent, old
    return traces


def _same(checkpoint: Checkpoint, item: Entry) -> Entry | None:
    found = find_item(checkpoint, item.uid)
    if found is not None:
        return found
    key = comparison_key(item.text)
    for kind in KINDS:
        for other in item_list(checkpoint.body, kind):
            if type(other) is type(item) and key and comparison_key(other.text) == key:
                return other
    return None
