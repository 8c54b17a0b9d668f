"""How a merge begins: planned onto the head of now, with the answers that were given before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.ids import BranchId, CheckpointId, short
from smriti_tui.domain.merge_slots import Answer
from smriti_tui.domain.merging import fitting
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.merge_drafts import Unfinished
    from smriti_tui.services.merging import Merge


@dataclass(frozen=True)
class Carried:
    """Answers that were given when the branch had another head."""

    answers: Mapping[str, Answer]
    ours: CheckpointId
    base: CheckpointId | None


@dataclass(frozen=True)
class Begun:
    """A merge as it begins."""

    merge: Merge
    answers: Mapping[str, Answer]
    thrown: Mapping[str, Answer] = field(default_factory=dict)
    """Answers that were thrown away earlier: undo brings them back."""
    news: str = ""


@dataclass(frozen=True)
class SeveralBases:
    """The two histories cross: a person chooses what to merge over."""

    bases: tuple[Checkpoint, ...]


def begin(
    services: Services,
    into: BranchId,
    theirs: CheckpointId,
    base: str | None = None,
    carried: Carried | None = None,
) -> Begun | SeveralBases:
    """Plans the merge. Called in a thread.

    Raises: as `MergeService.start`.
    """
    try:
        merge = services.merging.start(into, theirs, base=base)
    except Conflict as error:
        if error.code != "several_bases":
            raise
        several = [str(each) for each in list(_listed(error.details.get("bases")))]
        chosen = _chosen_before(services, into, theirs, several)
        if chosen is None:
            get = services.checkpoints.get
            return SeveralBases(tuple(get(CheckpointId(each)) for each in several))
        merge = services.merging.start(into, theirs, base=chosen)
    if carried is not None:
        return _anew(services, merge, carried)
    found = services.merge_drafts.of(merge)
    return Begun(merge, {}) if found is None else _gone_on(services, merge, found)


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _chosen_before(
    services: Services, into: BranchId, theirs: CheckpointId, several: list[str]
) -> CheckpointId | None:
    """The base that this merge was begun over, if it still is one."""
    space = services.checkpoints.get(theirs).body.space
    for each in services.merge_drafts.of_space(space):
        if each.into.id == into and each.theirs.id == theirs and each.base in several:
            return each.base
    return None


def _anew(services: Services, merge: Merge, carried: Carried) -> Begun:
    kept = services.merging.still_fit(merge, carried.answers, carried.ours, carried.base)
    services.merge_drafts.forget(merge)
    services.merge_drafts.keep(merge, kept)
    head = f"Planned anew on {short(merge.ours.id)}."
    return Begun(merge, kept, news=f"{head} {_fit(len(kept), len(carried.answers))}")


def _gone_on(services: Services, merge: Merge, found: Unfinished) -> Begun:
    base = merge.base.id if merge.base else None
    if found.ours == merge.ours.id and found.base == base:
        kept = fitting(merge.plan, found.answers)
    else:
        kept = services.merging.still_fit(merge, found.answers, found.ours, found.base)
    if found.thrown:
        return Begun(merge, {}, thrown=kept)
    if found.ours == merge.ours.id:
        words = f"Going on with {counted(len(kept), 'answer')} of {exact(found.changed_at)}."
        return Begun(merge, kept, news=words)
    fit = _fit(len(kept), len(found.answers))
    return Begun(merge, kept, news=f"{merge.into.name} moved since this was begun. {fit}")


def _fit(kept: int, given: int) -> str:
    if not given:
        return "No answer was given yet."
    return f"{kept} of {counted(given, 'answer')} still fit{'s' if kept == 1 else ''}."
