"""What the screen for compare and merge shows of the two: rows, sides, result and counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from smriti_tui.domain.compare import Comparison
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.merge_slots import Answer, Slot
from smriti_tui.domain.merging import MergePlan
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.slot_rows import (
    MergeCount,
    SlotRow,
    compare_rows,
    labels,
    merge_count,
    merge_rows,
)
from smriti_tui.domain.render.slot_sides import (
    Told,
    brought,
    compare_sides,
    merge_sides,
    plain,
    result_sides,
)

if TYPE_CHECKING:
    from smriti_tui.services.merging import Merge

NO_BASE = "The two have no common ancestor: they are merged over nothing."


@dataclass(frozen=True)
class Side:
    """One side of what is under the cursor."""

    title: str
    by: str
    told: tuple[Told, ...]


@dataclass(frozen=True)
class CompareView:
    """Two checkpoints side by side."""

    found: Comparison
    now: str

    @cached_property
    def rows(self) -> tuple[SlotRow, ...]:
        return compare_rows(self.found)

    @property
    def title(self) -> tuple[str, ...]:
        a, b = self.found.a, self.found.b
        return (f"COMPARE {short(a.id)} with {short(b.id)}", self._ancestor)

    right = brief_right = ""

    @property
    def brief(self) -> tuple[str, ...]:
        """The summary for a narrow screen."""
        return self.summary

    @property
    def _ancestor(self) -> str:
        found = self.found.ancestors
        if not found:
            return "unrelated"
        if len(found) > 1:
            return f"{len(found)} ancestors, their histories cross"
        return f"ancestor {short(found[0])}"

    @cached_property
    def _called(self) -> Mapping[int, str]:
        return labels(self.found.a.body, self.found.b.body)

    def sides(self, row: SlotRow | None) -> tuple[Side, ...]:
        """A and B; of no row only who they are."""
        told = compare_sides(row, self._called) if row is not None else ((), ())
        return tuple(
            Side(f"{name} {short(each.id)} {each.branch_name}", _by(each, self.now), one)
            for name, each, one in zip("AB", (self.found.a, self.found.b), told, strict=True)
        )

    @property
    def summary(self) -> tuple[str, ...]:
        """How much is different, and what the two have in common."""
        signs = [row.sign for row in self.rows]
        only = {name: sum(row.words == f"only in {name}" for row in self.rows) for name in "AB"}
        changed = sum(sign in "~-" for sign in signs)
        counts = (
            f"{signs.count('=')} same   {changed} changed   {only['A']} only in A   "
            f"{only['B']} only in B"
        )
        names = ", ".join(map(short, self.found.ancestors))
        if not names:
            origin = "They are unrelated: nothing of one comes from the other."
        elif {self.found.a.id, self.found.b.id} & set(self.found.ancestors):
            origin = f"One comes from the other: {names} lies behind both."
        else:
            origin = f"Both come from {names}."
        same = "" if len(signs) - signs.count("=") else " They say the same."
        return (counts, f"{origin}{same}")


@dataclass(frozen=True)
class MergeView:
    """A merge with the answers given so far."""

    merge: Merge
    plan: MergePlan
    """With the answers."""
    answers: Mapping[str, Answer]
    now: str
    keys: Mapping[str, str]
    """The keys of ours, theirs, both, neither, edit and write."""
    moved: bool = False
    """Whether the branch has another head by now."""

    @cached_property
    def rows(self) -> tuple[SlotRow, ...]:
        base = self.merge.base
        ours, theirs = self.merge.ours.body, self.merge.theirs.body
        return merge_rows(self.plan, base.body if base else None, ours, theirs)

    @property
    def title(self) -> tuple[str, ...]:
        merge = self.merge
        theirs = f"{merge.theirs.branch_name} {short(merge.theirs.id)}"
        base = f"base {short(merge.base.id)}" if merge.base else "unrelated, no base"
        return (f"MERGE {theirs} into {merge.into.name} {short(merge.ours.id)}", base)

    @property
    def right(self) -> str:
        all_of, still = len(self.plan.conflicts), len(self.plan.open)
        count = f"{still} of {all_of} conflicts open" if all_of else "no conflicts"
        return f"{count}   {'the head moved' if self.moved else 'not written'}"

    @property
    def brief_right(self) -> str:
        """As `right`, for a narrow screen."""
        count = f"{len(self.plan.open)} of {len(self.plan.conflicts)} open"
        return f"{count}  {'head moved' if self.moved else 'not written'}"

    def slot(self, key: str | None) -> Slot[Any] | None:
        """The slot under the cursor; an entity has none."""
        return next((slot for slot in self.plan.slots if slot.id == key), None)

    @cached_property
    def _called(self) -> Mapping[int, str]:
        base = self.merge.base
        bodies = base.body if base else None, self.merge.theirs.body, self.merge.ours.body
        return labels(*bodies)

    def sides(self, row: SlotRow | None) -> tuple[Side, ...]:
        """Base, ours and theirs; of no row only who they are."""
        merge = self.merge
        told = merge_sides(row, self._called) if row is not None else ((), (), ())
        base = (
            Side(f"Base {short(merge.base.id)}", _by(merge.base, self.now), told[0])
            if merge.base is not None
            else Side("No base", "", (plain(NO_BASE),))
        )
        ours = f"[{self.keys['ours']}] Ours {merge.into.name}"
        theirs = f"[{self.keys['theirs']}] Theirs {merge.theirs.branch_name}"
        return (
            base,
            Side(ours, _by(merge.ours, self.now), told[1]),
            Side(theirs, _by(merge.theirs, self.now), told[2]),
        )

    def result(self, row: SlotRow | None) -> Side:
        """What the merge will hold of what is under the cursor."""
        if row is None:
            return Side("Result", "", (plain("Nothing here differs."),))
        slot = self.slot(row.key)
        if slot is None:
            stays = row.sign != "-"
            entity = plain(row.label if stays else "(not in the result)")
            return Side(f"Result for {row.label}", row.words, (entity,))
        told = result_sides(slot, self._called, self.keys)
        ours, theirs = (
            [item for kind in KINDS for item in item_list(side.body, kind)]
            for side in (self.merge.ours, self.merge.theirs)
        )
        more = brought(slot, ours, theirs)
        told = (*told, *((plain(more),) if more else ()))
        return Side(f"Result for {row.label}", self._how(slot, row), told)

    def _how(self, slot: Slot[Any], row: SlotRow) -> str:
        if slot.open:
            names = ["ours", "theirs", "both", "neither"]
            if slot.conflict == "change_retire":
                names.remove("both")
            keys = [self.keys[name] for name in names]
            return f"open: choose {' '.join(keys)} or {self.keys['edit']}"
        if slot.answer is not None:
            return f"your answer: {slot.answer.choice or 'your own words'}"
        return row.words

    @property
    def brief(self) -> tuple[str, ...]:
        """The summary for a narrow screen, the conflicts first."""
        merge, count = self.merge, self._count
        held = "no" if count.lost else "yes"
        return (
            f"conflicts {count.conflicts}, {count.open} open   {count.words}",
            f"parents {short(merge.ours.id)}, {short(merge.theirs.id)}   every item accounted for: "
            f"{held}",
        )

    @cached_property
    def _count(self) -> MergeCount:
        return merge_count(self.plan, self.merge.ours.body, self.merge.theirs.body)

    @property
    def summary(self) -> tuple[str, ...]:
        """Parents and counts, the account of both sides, and what writing needs."""
        merge, count = self.merge, self._count
        solved = count.conflicts - count.open
        conflicts = f"conflicts {count.conflicts}"
        if count.conflicts:
            conflicts += f": {solved} solved, {count.open} open"
        parents = f"parents {short(merge.ours.id)}, {short(merge.theirs.id)}"
        write = self.keys["write"]
        return (
            f"{parents}   {count.words}   {conflicts}",
            count.account,
            f"{write} works when no conflict is open. Leaving keeps this merge as unfinished; "
            f"{merge.into.name} does not move until you write."
            if count.open
            else f"{write} writes it. {merge.into.name} does not move until then.",
        )


View = CompareView | MergeView


def _by(checkpoint: Checkpoint, now: str) -> str:
    return f"by {checkpoint.body.author}, {age(checkpoint.body.created_at, now)}"


def weight(row: SlotRow | None) -> int:
    """Characters of the sides: what their differences cost to find."""
    if row is None:
        return 0
    return sum(
        len(getattr(side, "content", getattr(side, "text", side)) or "") for side in row.sides
    )
