"""What a comparison or a merge lists: one row for each thing that a side holds, with its sign.

`!` open conflict, `*` solved, `+` one side only, `~` changed, `-` retired, `=` the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smriti_tui.domain.compare import Compared, Comparison, Entry, Pair
from smriti_tui.domain.items import KINDS, LETTERS, comparison_key, item_list
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.merging import MergePlan
from smriti_tui.domain.model import Artifact, CheckpointBody, Item, Task

HEADINGS = {
    "objective": "Texts",
    "summary": "Texts",
    "decisions": "Decisions",
    "assumptions": "Assumptions",
    "tasks": "Tasks",
    "open_questions": "Open questions",
    "entities": "Entities",
    "artifacts": "Artifacts",
}
"""By the kind of a row, in the order they are listed."""
MAIN = ("text", "content")
"""Fields whose change needs no name: the sides show it."""


@dataclass(frozen=True, slots=True)
class SlotRow:
    """A thing in the list."""

    key: str
    """Names it: in a merge the id of its slot."""
    kind: str
    sign: str
    label: str
    """D1 and so on as on the first side that holds it; else what it is called."""
    words: str
    """What became of it."""
    sides: tuple[Any, ...]
    """What stands in it: of A and B, or of base, ours and theirs; None where it is not held."""
    changes: tuple[str, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether it is hidden at first."""
        return self.sign == "="

    @property
    def conflict(self) -> bool:
        """Whether a person decides about it."""
        return self.sign in "!*"


def labels(*bodies: CheckpointBody | None) -> dict[int, str]:
    """What items are called in their own checkpoints, by their identity."""
    return {
        id(item): f"{LETTERS[kind]}{number}"
        for body in bodies
        if body is not None
        for kind in KINDS
        for number, item in enumerate(item_list(body, kind), 1)
    }


# ---- compare -----------------------------------------------------------------------------------


def compare_rows(found: Comparison) -> tuple[SlotRow, ...]:
    """All fields of both checkpoints, kind by kind, in the order of A, what only B holds last."""
    called = labels(found.a.body, found.b.body)
    rows: list[SlotRow] = []
    for name, pair in (("objective", found.objective), ("summary", found.summary)):
        if pair.a.strip() or pair.b.strip():
            rows.append(_text_row(name, pair))
    for kind in KINDS:
        order = item_list(found.a.body, kind)
        rows += _group_rows(kind, found.items[kind], order, lambda item: called[id(item)])
    rows += _group_rows("entities", found.entities, found.a.body.entities, str)
    artifacts = found.a.body.artifacts
    rows += _group_rows("artifacts", found.artifacts, artifacts, lambda each: each.label)
    return tuple(rows)


def _text_row(name: str, pair: Pair[str]) -> SlotRow:
    a, b = pair.a.strip() or None, pair.b.strip() or None
    if not pair.changes:
        return SlotRow(name, name, "=", name, "same", (a, b))
    if a is None or b is None:
        return SlotRow(name, name, "+", name, "only in B" if a is None else "only in A", (a, b))
    return SlotRow(name, name, "~", name, "changed", (a, b), pair.changes)


def _group_rows(
    kind: str, group: Compared[Any], order: Sequence[Any], called: Any
) -> Iterator[SlotRow]:
    pairs = {id(pair.a): pair for pair in (*group.shared, *group.changed)}
    alone = {id(one) for one in group.only_a}
    told: set[int] = set()
    for number, one in enumerate(order, 1):
        key, pair = f"{kind}:a{number}", pairs.get(id(one))
        if id(one) in told:  # the same entity written twice
            continue
        told.add(id(one))
        if pair is not None:
            sign, words = _changed_words(pair)
            sides = (pair.a, pair.b)
            yield SlotRow(key, kind, sign, called(one), words, sides, pair.changes)
        elif id(one) in alone:
            yield SlotRow(key, kind, "+", called(one), "only in A", (one, None))
    for number, two in enumerate(group.only_b, 1):
        yield SlotRow(f"{kind}:b{number}", kind, "+", called(two), "only in B", (None, two))


def _changed_words(pair: Pair[Any]) -> tuple[str, str]:
    if not pair.changes:
        return "=", "same"
    gone = [isinstance(side, Item | Task) and side.state == "retired" for side in (pair.a, pair.b)]
    if gone[0] != gone[1]:
        return "-", "retired in A" if gone[0] else "retired in B"
    other = [name.replace("_", " ") for name in pair.changes if name not in MAIN]
    return "~", f"changed: {', '.join(other)}" if other else "changed"


# ---- merge -------------------------------------------------------------------------------------


def merge_rows(
    plan: MergePlan,
    base: CheckpointBody | None,
    ours: CheckpointBody,
    theirs: CheckpointBody,
) -> tuple[SlotRow, ...]:
    """Everything that one of the three sides holds, kind by kind, in the order of the result."""
    called = labels(base, theirs, ours)
    rows = [slot_row(slot, called) for slot in plan.slots if slot.ours or slot.theirs or slot.base]
    at = next((at for at, row in enumerate(rows) if row.kind == "artifacts"), len(rows))
    entities = _entity_rows(base.entities if base else (), ours.entities, theirs.entities)
    return (*rows[:at], *entities, *rows[at:])


def slot_row(slot: Slot[Any], called: Mapping[int, str]) -> SlotRow:
    """A slot with what became of it."""
    sides = (slot.base, slot.ours, slot.theirs)
    one = next(side for side in (slot.ours, slot.theirs, slot.base) if side is not None)
    if isinstance(one, Artifact):
        label = one.label
    else:
        label = called.get(id(one), "") if isinstance(one, Item | Task) else slot.kind
    sign, words = _outcome_words(slot)
    return SlotRow(slot.id, slot.kind, sign, label, words, sides, slot.fields)


def _outcome_words(slot: Slot[Any]) -> tuple[str, str]:
    if slot.conflict is not None:
        if slot.answer is not None:
            return "*", f"solved: {slot.answer.choice or 'written'}"
        return "!", "both changed" if slot.conflict == "both_changed" else "changed / retired"
    if slot.outcome == "same":
        return "=", "same"
    if slot.outcome == "retired":
        gone = [name for name in ("ours", "theirs") if _gone(getattr(slot, name))]
        return "-", f"retired by {'both' if len(gone) == 2 else ''.join(gone) or 'both'}"
    if slot.outcome == "combined":
        return "~", "changed by both"
    added = slot.base is None or slot.base == ""
    return ("+", f"{slot.outcome} only") if added else ("~", f"changed by {slot.outcome}")


def _gone(side: object) -> bool:
    return not side or (isinstance(side, Item | Task) and side.state == "retired")


def _entity_rows(
    base: Iterable[str], ours: Iterable[str], theirs: Iterable[str]
) -> Iterator[SlotRow]:
    known = [{comparison_key(name) or name: name for name in side} for side in (base, ours, theirs)]
    for key in dict.fromkeys((*known[1], *known[2], *known[0])):
        sides = tuple(side.get(key) for side in known)
        was, mine, its = sides
        if mine is not None and its is not None:
            sign, words = "=", "same"
        elif was is None:
            sign, words = "+", "theirs only" if mine is None else "ours only"
        else:
            by = "both" if mine is None and its is None else "ours" if mine is None else "theirs"
            sign, words = "-", f"taken out by {by}"
        yield SlotRow(f"entities:{key}", "entities", sign, str(mine or its or was), words, sides)


@dataclass(frozen=True)
class MergeCount:
    """What a merge does, in numbers."""

    kept: int
    """Things of the first parent that stay, changed or not."""
    added: int
    retired: int
    conflicts: int
    open: int
    lost: tuple[Entry, ...]
    """Items of a side that no slot accounts for: always none."""

    @property
    def words(self) -> str:
        """The numbers that are not about conflicts."""
        return f"kept {self.kept}   added {self.added}   retired {self.retired}"

    @property
    def account(self) -> str:
        """Whether anything of either side went without a word."""
        held = "no" if self.lost else "yes"
        where = "in the result, retired by someone, or in a conflict"
        return f"every item of both sides is {where}: {held}"


def merge_count(plan: MergePlan, ours: CheckpointBody, theirs: CheckpointBody) -> MergeCount:
    """Counts items and artifacts; texts and entities only where they are conflicts."""
    slots: tuple[Slot[Any], ...] = (*plan.items, *plan.artifacts)
    there = [slot for slot in slots if any(map(_stands, slot.result))]
    known = {
        id(side)
        for slot in plan.items
        if slot.result or slot.conflict is not None or slot.outcome in ("retired", "same")
        for side in (slot.ours, slot.theirs)
    }
    held = [item for body in (ours, theirs) for kind in KINDS for item in item_list(body, kind)]
    return MergeCount(
        kept=sum(slot.ours is not None for slot in there),
        added=sum(slot.ours is None for slot in there),
        retired=sum(slot.outcome == "retired" for slot in slots),
        conflicts=len(plan.conflicts),
        open=len(plan.open),
        lost=tuple(item for item in held if id(item) not in known),
    )


def _stands(result: object) -> bool:
    return not (isinstance(result, Item | Task) and result.state == "retired")
