"""Where a Space is now: one consistent read, and git asked beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from smriti_tui.domain.divergence import divergence
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.freshness import Freshness, freshness
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.domain.lineage import Look, merge_bases
from smriti_tui.domain.model import MAIN, Checkpoint
from smriti_tui.domain.state_view import BranchHead, StateView
from smriti_tui.domain.worktrees import Worktree, WorktreeLook
from smriti_tui.services.caller import Caller
from smriti_tui.services.signals import tip_signals, tree_signals
from smriti_tui.store import checkpoints, claims, find, spaces, worktrees
from smriti_tui.store.engine import Tx
from smriti_tui.store.lineage import looker

SHOWN_NEWER = 5

LONGEST_ID = 64
"""Characters of a checkpoint's id; what is longer is none, and is not told whole."""


class Prober(Protocol):
    """Asks git about worktrees."""

    def look(self, worktrees: Sequence[Worktree]) -> tuple[WorktreeLook, ...]:
        """Each with its probe, in their order. What fails says so and raises nothing."""


@dataclass(frozen=True)
class StateService:
    caller: Caller
    prober: Prober

    def view(
        self, space: SpaceId, *, since: str | None = None, main_only: bool = False
    ) -> StateView:
        """The state of a Space. `since` is an id or prefix of a checkpoint that was read before;
        one that is not there is told as unknown. With `main_only` neither branches nor claims nor
        worktrees are read.

        Raises:
            NotFound: no such Space. Ambiguous, Invalid: of `since`.
        """
        return self.probed(self.recorded(space, since=since, main_only=main_only))

    def recorded(
        self, space: SpaceId, *, since: str | None = None, main_only: bool = False
    ) -> StateView:
        """What `view` finds in the database, without what git says: that may take seconds."""
        with self.caller.read() as tx:
            found = spaces.space(tx, space)
            head = checkpoints.find_checkpoint(tx, spaces.main_branch(tx, space).head)
            view = StateView(
                found,
                head,
                notes=tuple(checkpoints.notes(tx, head.id)) if head else (),
                now=self.caller.store.now(),
                main_only=main_only,
            )
            if since:
                view = _with_freshness(tx, view, since)
            return view if main_only else _with_others(tx, view)

    def probed(self, view: StateView) -> StateView:
        """The view with its worktrees as git sees them just now."""
        if view.main_only:
            return view
        with self.caller.read() as tx:
            open_ = worktrees.of_space(tx, view.space.id)
        if not open_:
            return view
        view = replace(view, worktrees=self.prober.look(open_))
        return replace(view, signals=(*tree_signals(view), *view.signals))


def _with_freshness(tx: Tx, view: StateView, since: str) -> StateView:
    try:
        read = find.checkpoint_id(tx, since)
    except NotFound:
        return replace(view, freshness=Freshness(since[:LONGEST_ID], "unknown"))
    found = freshness(read, view.head.id if view.head else None, looker(tx))
    newer = [checkpoints.find_checkpoint(tx, each) for each in found.newer[:SHOWN_NEWER]]
    there = tuple(each for each in newer if each is not None)
    return replace(view, freshness=found, newer=there)


def _with_others(tx: Tx, view: StateView) -> StateView:
    space, main = view.space.id, view.head
    heads = _heads(tx, space)
    look = looker(tx)
    apart = [
        divergence(each.branch, each.head, main)
        for each in heads
        if main is not None and _parted(main.id, each.head.id, look)
    ]
    view = replace(view, branches=tuple(heads))
    return replace(
        view,
        signals=tuple(tip_signals(tx, view, look)),
        claims=tuple(each for each in claims.unended(tx, space) if each.holds(view.now)),
        divergences=tuple(each for each in apart if each is not None),
    )


def _heads(tx: Tx, space: SpaceId) -> list[BranchHead]:
    """The active branches beside main that hold a checkpoint, the newest first."""
    found: list[BranchHead] = []
    for branch in spaces.branches(tx, space):
        head: Checkpoint | None = None
        if branch.name != MAIN and branch.disposition == "active":
            head = checkpoints.find_checkpoint(tx, branch.head)
        if head is not None:
            found.append(BranchHead(branch, head))
    return sorted(found, key=lambda each: -each.head.position)


def _parted(main: CheckpointId, head: CheckpointId, look: Look) -> bool:
    """Whether neither follows the other."""
    return {main, head}.isdisjoint(merge_bases(main, head, look))
