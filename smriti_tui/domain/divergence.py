"""Where a branch has settled something else than main."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.compare import Entry, compare_items
from smriti_tui.domain.model import Branch, Checkpoint


@dataclass(frozen=True)
class Divergence:
    """Both sides hold decisions that the other does not."""

    branch: Branch
    head: Checkpoint
    only_main: tuple[Entry, ...]
    only_branch: tuple[Entry, ...]
    changed: tuple[tuple[Entry, Entry], ...]
    """The same decision in two wordings, main's first."""


def divergence(branch: Branch, head: Checkpoint, main: Checkpoint) -> Divergence | None:
    """None where one side has nothing of its own: it is only ahead or behind."""
    live = [
        tuple(item for item in side.body.decisions if item.state == "live") for side in (main, head)
    ]
    found = compare_items(*live)
    changed = tuple((pair.a, pair.b) for pair in found.changed if "text" in pair.changes)
    if not changed and not (found.only_a and found.only_b):
        return None
    return Divergence(branch, head, found.only_a, found.only_b, changed)
