"""Comparing two checkpoints, and merging one line into another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from smriti_tui.domain.checkpoint_input import check_title, checkpoint_id
from smriti_tui.domain.compare import Comparison, compare
from smriti_tui.domain.errors import Conflict, Invalid
from smriti_tui.domain.events import CheckpointSaved
from smriti_tui.domain.ids import BranchId, CheckpointId, new_id, short
from smriti_tui.domain.items import with_uids
from smriti_tui.domain.lineage import merge_bases
from smriti_tui.domain.merge_slots import Answer, Choice
from smriti_tui.domain.merging import MergePlan, fitting, merged_body, plan_merge, settle
from smriti_tui.domain.model import Branch, Checkpoint, CheckpointBody
from smriti_tui.domain.values import repair_text
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, find, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.lineage import looker

_NAME = 120


@dataclass(frozen=True)
class Merge:
    """Two checkpoints, what they come from, and what their merge would hold."""

    ours: Checkpoint
    theirs: Checkpoint
    bases: tuple[Checkpoint, ...]
    """Newest first. None: the two are unrelated, and merge over nothing."""
    base: Checkpoint | None
    into: Branch
    plan: MergePlan

    @property
    def default_title(self) -> str:
        """What the merge is called when nobody gives it a title."""
        theirs = self.theirs
        its, mine = (_cut(name) for name in (theirs.branch_name, self.into.name))
        return f"Merge {its} ({short(theirs.id)}) into {mine}"


@dataclass(frozen=True)
class MergeService:
    """Use cases of compare and merge."""

    caller: Caller

    def compare(self, a: str, b: str) -> Comparison:
        """Compares any two checkpoints, named by id or prefix. Raises: NotFound, Ambiguous."""
        with self.caller.read() as tx:
            one = checkpoints.checkpoint(tx, find.checkpoint_id(tx, a))
            other = checkpoints.checkpoint(tx, find.checkpoint_id(tx, b))
            return compare(one, other, merge_bases(one.id, other.id, looker(tx)))

    def plan(self, a: str, b: str, *, into: str | None = None, base: str | None = None) -> Merge:
        """What merging B into A's line would hold; writes nothing.

        `into` names the branch, by default A's; A must be its head. `base` chooses one of several
        common ancestors.

        Raises:
            NotFound, Ambiguous: no such checkpoint or branch, or several.
            Invalid: the two are of different Spaces, or `base` is none of the common ancestors.
            Conflict: A is not the head of the branch (`stale_head`), B is in A already
                (`already_merged`), or there are several common ancestors (`several_bases`).
        """
        with self.caller.read() as tx:
            return _plan(tx, a, b, into, base)

    def start(self, into: BranchId, theirs: str, *, base: str | None = None) -> Merge:
        """As `plan`, onto whatever is the head of a branch now.

        Raises: as `plan`.
            Conflict: the branch has no checkpoint yet (code `no_head`).
        """
        with self.caller.read() as tx:
            branch = spaces.branch(tx, into)
            if (tip := spaces.tip(tx, branch)) is None:
                raise Conflict(
                    f"{branch.name} has no checkpoint yet, so there is nothing to merge into.",
                    "Save one, or mount this one.",
                    code="no_head",
                )
            return _plan(tx, tip, theirs, branch.id, base)

    def came(self, into: BranchId, since: CheckpointId, most: int = 20) -> tuple[Checkpoint, ...]:
        """What was saved on a branch on top of a checkpoint, newest first, at most so many."""
        with self.caller.read() as tx:
            chain = checkpoints.first_parents(tx, spaces.branch(tx, into).tip, most)
        found: list[Checkpoint] = []
        for each in reversed(chain):
            if each.id == since:
                break
            found.append(each)
        return tuple(found)

    def still_fit(
        self,
        merge: Merge,
        answers: Mapping[str, Answer],
        ours: CheckpointId,
        base: CheckpointId | None,
    ) -> dict[str, Answer]:
        """Those of the answers that were given with `ours` as the head, and mean the same now."""
        with self.caller.read() as tx:
            before = checkpoints.find_checkpoint(tx, ours)
            over = checkpoints.find_checkpoint(tx, base)
        if before is None or (over is None and base is not None):
            return {}
        plan = plan_merge(over.body if over else None, before.body, merge.theirs.body)
        return fitting(merge.plan, answers, plan)

    def settled(
        self, plan: MergePlan, answers: Mapping[str, Answer], side: str | None = None
    ) -> MergePlan:
        """The plan with answers; `side` (ours or theirs) answers all other conflicts.

        Raises:
            Invalid: an answer to no conflict, or one that does not fit.
        """
        rest = {slot.id: Answer(_side(side)) for slot in plan.open} if side else {}
        return settle(plan, {**rest, **{key: _repaired(each) for key, each in answers.items()}})

    def write(
        self,
        a: str,
        b: str,
        answers: Mapping[str, Answer],
        *,
        side: str | None = None,
        into: str | None = None,
        base: str | None = None,
        title: str = "",
        command_id: str | None = None,
    ) -> Checkpoint:
        """Saves the merge, with A and B as its parents. The branch moves with it, or not at all.

        `side` (ours or theirs) is taken in every conflict that has no answer.

        Raises:
            Invalid: an answer to no conflict, or one that does not fit; a title that is none.
            Conflict: conflicts are open (code `conflicts`), and as `plan`.
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(CheckpointSaved):
                return checkpoints.checkpoint(tx, CheckpointId(str(earlier[-1].body()["id"])))
            merge = _plan(tx, a, b, into, base)
            plan = self.settled(merge.plan, answers, side)
            if plan.open:
                raise Conflict(
                    f"{len(plan.open)} of {len(plan.conflicts)} conflicts are open.",
                    "Answer each with --resolve FILE, or take one side with --ours or --theirs.",
                    code="conflicts",
                    details={"open": [slot.id for slot in plan.open]},
                )
            body = _body(merge, plan, title, scope.actor, scope.now())
            saved = CheckpointSaved(CheckpointId(checkpoint_id(body)), merge.into.id, body)
            stored = scope.append(f"space/{body.space}", saved)
            return Checkpoint(saved.id, merge.into.id, body, stored.position, merge.into.name)


def _plan(tx: Tx, a: str, b: str, into: str | None, base: str | None) -> Merge:
    ours = checkpoints.checkpoint(tx, find.checkpoint_id(tx, a))
    theirs = checkpoints.checkpoint(tx, find.checkpoint_id(tx, b))
    if ours.body.space != theirs.body.space:
        raise Invalid(
            f"{short(ours.id)} and {short(theirs.id)} are checkpoints of different Spaces.",
            "Compare them; merge checkpoints of one Space.",
        )
    branch = _branch(tx, ours, into)
    ids = merge_bases(ours.id, theirs.id, looker(tx))
    if theirs.id in ids:
        what = "is itself the head of" if theirs.id == ours.id else "is already in"
        raise Conflict(
            f"{short(theirs.id)} {what} {branch.name}.",
            "There is nothing to merge.",
            code="already_merged",
        )
    bases = tuple(checkpoints.checkpoint(tx, each) for each in ids)
    chosen = _base(bases, base)
    plan = plan_merge(chosen.body if chosen else None, ours.body, theirs.body)
    return Merge(ours, theirs, bases, chosen, branch, plan)


def _repaired(answer: Answer) -> Answer:
    """With a text that can be stored: a checkpoint's id is made from what is stored."""
    return answer if answer.text is None else Answer(text=repair_text(answer.text)[0])


def _cut(name: str) -> str:
    """A branch's name, so short that two of them leave room in a title."""
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def _side(name: str) -> Choice:
    return "ours" if name == "ours" else "theirs"


def _branch(tx: Tx, ours: Checkpoint, into: str | None) -> Branch:
    """The branch that the merge is saved on; its head is the merge's first parent."""
    if into is None:
        branch = spaces.branch(tx, ours.branch)
    else:
        branch = spaces.to_branch(find.branch_row(tx, ours.body.space, into))
    tip = spaces.tip(tx, branch)
    if tip != ours.id:
        raise Conflict(
            f"The head of {branch.name} is {short(tip or '') or 'none'}, not {short(ours.id)}.",
            "Merge into the head, or name another branch with --into.",
            code="stale_head",
            details={"branch": branch.name, "actual": tip, "expected": ours.id},
        )
    return branch


def _base(bases: tuple[Checkpoint, ...], wanted: str | None) -> Checkpoint | None:
    if wanted is None:
        if len(bases) > 1:
            names = ", ".join(short(each.id) for each in bases)
            raise Conflict(
                f"The two histories cross: they have {len(bases)} common ancestors ({names}).",
                "Choose the one to merge over with --base ID.",
                code="several_bases",
                details={"bases": [each.id for each in bases]},
            )
        return bases[0] if bases else None
    found = [each for each in bases if len(wanted) >= 4 and each.id.startswith(wanted)]
    if len(found) != 1:
        names = ", ".join(short(each.id) for each in bases) or "none"
        raise Invalid(
            f"{wanted} is not one of the common ancestors ({names}).",
            "Name one of them.",
            field="base",
        )
    return found[0]


def _body(merge: Merge, plan: MergePlan, title: str, actor: str, now: str) -> CheckpointBody:
    ours, theirs = merge.ours, merge.theirs
    body = merged_body(plan, ours.body)
    named = check_title(repair_text(title)[0].strip() or merge.default_title)
    return replace(
        body,
        parents=(ours.id, theirs.id),
        title=named,
        author=actor,
        created_at=now,
        source=None,
        draft_request=None,
        git=None,
        decisions=with_uids(body.decisions, ()),
        assumptions=with_uids(body.assumptions, ()),
        tasks=with_uids(body.tasks, ()),
        open_questions=with_uids(body.open_questions, ()),
        artifacts=tuple(each if each.id else replace(each, id=new_id()) for each in body.artifacts),
    )
