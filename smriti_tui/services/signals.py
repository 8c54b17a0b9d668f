"""What might go wrong between those at work: files tried out in git, items compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.lineage import Look, merge_bases
from smriti_tui.domain.model import MAIN, CheckpointBody
from smriti_tui.domain.signals import BranchTip, Signal, off_claim, same_items
from smriti_tui.domain.state_view import StateView
from smriti_tui.domain.worktrees import WorktreeLook
from smriti_tui.git.conflicts import Prediction, Shared, predict
from smriti_tui.store import checkpoints
from smriti_tui.store.engine import Tx

MOST_TIPS = 10
MOST_TREES = 12
LIMIT_S = 5.0
"""For trying all merges out."""


def tip_signals(tx: Tx, view: StateView, look: Look) -> list[Signal]:
    """Items that two branches changed, of main and the newest active branches."""
    tips = [BranchTip(each.branch.name, each.head) for each in view.branches[:MOST_TIPS]]
    if view.head is not None:
        tips.insert(0, BranchTip(MAIN, view.head))
    bases: dict[tuple[CheckpointId, CheckpointId], CheckpointBody] = {}
    for one, other in combinations(tips, 2):
        found = merge_bases(one.head.id, other.head.id, look)
        if len(found) == 1 and not {one.head.id, other.head.id} & set(found):
            base = checkpoints.find_checkpoint(tx, next(iter(found)))
            if base is not None:
                bases[one.head.id, other.head.id] = base.body
    return same_items(tips, bases)


def tree_signals(view: StateView) -> list[Signal]:
    """What the worktrees of the Space do to each other and to the claims on them. Asks git."""
    looks = [each for each in view.worktrees if each.probed and not each.probed.fault]
    by_root: defaultdict[str, list[WorktreeLook]] = defaultdict(list)
    for look in looks[:MOST_TREES]:
        by_root[look.worktree.root].append(look)
    found = [signal for root, mine in by_root.items() for signal in _predicted(Path(root), mine)]
    return [*found, *off_claim(view.claims, looks)]


def _predicted(root: Path, looks: Sequence[WorktreeLook]) -> list[Signal]:
    by_path = {Path(look.worktree.path): look.worktree for look in looks}
    signals = []
    for each in predict(root, list(by_path), LIMIT_S):
        one, other = by_path[each.one], by_path[each.other]
        if each.fault:
            words = f"{one.agent} and {other.agent}: a merge was not tried, {each.fault}"
            signals.append(Signal("worktrees", "possible", words, (one.id, other.id)))
        if each.shared:
            signals.append(
                Signal(
                    "worktrees",
                    each.shared[0].certainty,
                    _words(one.agent, other.agent, each),
                    (one.id, other.id),
                    tuple(map(_evidence, each.shared)),
                )
            )
    return signals


def _words(one: str, other: str, found: Prediction) -> str:
    first = found.shared[0]
    verb = {
        "certain": "cannot be merged as they are",
        "likely": "change the same place",
        "possible": "change the same file",
    }[first.certainty]
    return f"{one} and {other} {verb}: {clean_line(first.path)}"


def _evidence(shared: Shared) -> str:
    lines = ", ".join(
        str(first) if first == last else f"{first}-{last}" for first, last in shared.lines
    )
    return f"{shared.path}{f' {lines}' if lines else ''} ({shared.certainty})"
