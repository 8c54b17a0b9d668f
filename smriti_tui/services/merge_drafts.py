"""Merges that are begun and not written: their answers are kept as they are given (DESIGN 10.22).

A draft belongs to a branch, its head then, and what is merged into it. It survives a crash, is no
fact, and goes when the merge is written. Thrown away it stays in its table, so that it can be
brought back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId
from smriti_tui.domain.lineage import is_ancestor
from smriti_tui.domain.merge_slots import Answer, answer_of
from smriti_tui.domain.model import Branch, Checkpoint
from smriti_tui.domain.values import canonical, repair_text
from smriti_tui.services.caller import Caller
from smriti_tui.services.merging import Merge
from smriti_tui.store import checkpoints, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.lineage import looker
from smriti_tui.store.side import MergeDraft


@dataclass(frozen=True)
class Unfinished:
    """A merge that was begun, with the answers given so far."""

    into: Branch
    ours: CheckpointId
    """The head of the branch when it was begun; it may be another one now."""
    theirs: Checkpoint
    base: CheckpointId | None
    """The common ancestor it was planned over."""
    answers: Mapping[str, Answer]
    changed_at: str
    thrown: bool = False


@dataclass(frozen=True)
class MergeDraftService:
    """Keeps, finds and throws away. Everything here raises StoreError when the database is away."""

    caller: Caller

    def keep(self, merge: Merge, answers: Mapping[str, Answer]) -> None:
        """Keeps the answers in the place of those before; without any there is nothing to keep."""
        side = self.caller.store.side
        if not answers:
            side.drop_merge_draft(merge.into.id, merge.ours.id, merge.theirs.id)
        else:
            side.save_merge_draft(_draft(merge, answers))

    def throw_away(self, merge: Merge, answers: Mapping[str, Answer]) -> None:
        """The merge is unfinished no more; `of` still finds its answers, as thrown away."""
        now = self.caller.store.now()
        self.caller.store.side.save_merge_draft(_draft(merge, answers, now))

    def forget(self, merge: Merge) -> None:
        """The merge was written: what was begun of it on this or an earlier head is gone."""
        side = self.caller.store.side
        for draft in side.merge_drafts(merge.ours.body.space):
            if (draft.into, draft.theirs) == (merge.into.id, merge.theirs.id):
                side.drop_merge_draft(draft.into, draft.ours, draft.theirs)

    def of(self, merge: Merge) -> Unfinished | None:
        """What was begun of this merge: on this head, else the newest on an earlier one. One that
        was thrown away comes only where there is no other."""
        mine = [
            draft
            for draft in self.caller.store.side.merge_drafts(merge.ours.body.space)
            if (draft.into, draft.theirs) == (merge.into.id, merge.theirs.id)
        ]
        mine.sort(key=lambda each: (each.thrown_at is not None, each.ours != merge.ours.id))
        with self.caller.read() as tx:
            found = (_unfinished(tx, draft) for draft in mine)
            return next((each for each in found if each is not None), None)

    def of_space(self, space: SpaceId) -> list[Unfinished]:
        """The unfinished merges of a Space, newest first; not those that another way has done."""
        drafts = self.caller.store.side.merge_drafts(space)
        if not drafts:
            return []
        with self.caller.read() as tx:
            found = [_unfinished(tx, draft) for draft in drafts if draft.thrown_at is None]
            return [each for each in found if each is not None and not _merged(tx, each)]


def _draft(merge: Merge, answers: Mapping[str, Answer], thrown_at: str | None = None) -> MergeDraft:
    text, _ = repair_text(canonical({key: each.document for key, each in answers.items()}))
    return MergeDraft(
        into=merge.into.id,
        ours=merge.ours.id,
        theirs=merge.theirs.id,
        space=merge.ours.body.space,
        base=merge.base.id if merge.base else None,
        answers=text,
        changed_at="",
        thrown_at=thrown_at,
    )


def _unfinished(tx: Tx, draft: MergeDraft) -> Unfinished | None:
    """None where branch or checkpoint are gone."""
    theirs = checkpoints.find_checkpoint(tx, CheckpointId(draft.theirs))
    if theirs is None:
        return None
    try:
        into = spaces.branch(tx, BranchId(draft.into))
        given = json.loads(draft.answers)
    except (NotFound, ValueError):
        return None
    found = {str(key): answer_of(value) for key, value in given.items()}
    return Unfinished(
        into=into,
        ours=CheckpointId(draft.ours),
        theirs=theirs,
        base=CheckpointId(draft.base) if draft.base else None,
        answers={key: answer for key, answer in found.items() if answer is not None},
        changed_at=draft.changed_at,
        thrown=draft.thrown_at is not None,
    )


def _merged(tx: Tx, each: Unfinished) -> bool:
    tip = each.into.tip
    return tip is not None and is_ancestor(each.theirs.id, tip, looker(tx))
