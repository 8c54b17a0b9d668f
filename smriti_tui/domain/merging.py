"""Three-way merge of two checkpoints over their common ancestor, item by item.

Rules: DESIGN 10.16 (what a checkpoint leaves out of its parent counts as retired) and section 8. An
item changed on one side only is taken from there; changed on both sides in different ways, or
changed on one and retired on the other, it is a conflict that a person settles. Nothing here
chooses for them. Unrelated checkpoints merge over an empty base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from smriti_tui.domain.compare import Entry, artifact_pairs, entity_keys
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.merge_items import merge_list, settle_item
from smriti_tui.domain.merge_references import held
from smriti_tui.domain.merge_slots import Answer, Slot, arranged, distinct, joined, three_ways
from smriti_tui.domain.model import Artifact, CheckpointBody

TEXTS = ("objective", "summary")
T = TypeVar("T")


@dataclass(frozen=True)
class MergePlan:
    """All that a merge would hold, and what is still to be decided."""

    texts: tuple[Slot[str], ...]
    items: tuple[Slot[Entry], ...]
    """Of all kinds, in the order of the result."""
    artifacts: tuple[Slot[Artifact], ...]
    entities: tuple[str, ...]

    @property
    def slots(self) -> tuple[Slot[Any], ...]:
        return (*self.texts, *self.items, *self.artifacts)

    @property
    def conflicts(self) -> tuple[Slot[Any], ...]:
        return tuple(slot for slot in self.slots if slot.conflict is not None)

    @property
    def open(self) -> tuple[Slot[Any], ...]:
        return tuple(slot for slot in self.slots if slot.open)


def plan_merge(
    base: CheckpointBody | None, ours: CheckpointBody, theirs: CheckpointBody
) -> MergePlan:
    """What a merge of `theirs` into `ours` makes of every field. Pure: the same sides give the same
    plan."""

    def sides(read: Any) -> tuple[Any, Any, Any]:
        return (read(base) if base is not None else (), read(ours), read(theirs))

    items = [
        slot
        for kind in KINDS
        for slot in merge_list(kind, *sides(lambda body, kind=kind: item_list(body, kind)))
    ]
    return MergePlan(
        tuple(
            _text_slot(name, getattr(base, name, None), getattr(ours, name), getattr(theirs, name))
            for name in TEXTS
        ),
        tuple(items),
        tuple(_artifact_slots(*sides(lambda body: body.artifacts))),
        _entities(*sides(lambda body: body.entities)),
    )


def settle(plan: MergePlan, answers: Mapping[str, Answer]) -> MergePlan:
    """The plan with answers to its conflicts, by the ids of their slots.

    Raises:
        Invalid: an answer to what is no conflict, or one that does not fit it.
    """
    known = {slot.id for slot in plan.conflicts}
    for slot_id in answers:
        if slot_id not in known:
            raise Invalid(
                f"There is no conflict {slot_id} in this merge.",
                "merge --dry-run lists them.",
                field="resolve",
            )

    def answered(slots: Sequence[Slot[T]], how: Any) -> tuple[Slot[T], ...]:
        return tuple(
            _settled(slot, answers[slot.id], how) if slot.id in answers else slot for slot in slots
        )

    return replace(
        plan,
        texts=answered(plan.texts, _settle_text),
        items=answered(plan.items, settle_item),
        artifacts=answered(plan.artifacts, _settle_artifact),
    )


def fitting(
    plan: MergePlan, answers: Mapping[str, Answer], before: MergePlan | None = None
) -> dict[str, Answer]:
    """Those of the answers that still say what they said: to a conflict that is there, with the
    same three sides as in the plan they were given to."""
    now = {slot.id: slot for slot in plan.conflicts}
    then = {slot.id: slot for slot in before.conflicts} if before is not None else now
    found: dict[str, Answer] = {}
    for slot_id, answer in answers.items():
        if slot_id not in now or slot_id not in then:
            continue
        new, old = now[slot_id], then[slot_id]
        if (new.base, new.ours, new.theirs) == (old.base, old.ours, old.theirs) and fits(
            plan, slot_id, answer
        ):
            found[slot_id] = answer
    return found


def fits(plan: MergePlan, slot_id: str, answer: Answer) -> bool:
    """Whether an answer settles a conflict of the plan."""
    try:
        settle(plan, {slot_id: answer})
    except Invalid:
        return False
    return True


def _settled(slot: Slot[T], answer: Answer, how: Any) -> Slot[T]:
    result = how(slot, answer)
    if result is None:
        raise Invalid(
            f"The answer to {slot.id} does not fit: {_told(answer)}.",
            "One side took it out: take ours, theirs or neither, or write a text."
            if slot.conflict == "change_retire"
            else "Take ours, theirs, both or neither, or write a text.",
            field="resolve",
        )
    return slot.settled(answer, result)


def _told(answer: Answer) -> str:
    return answer.choice or "an empty text"


def merged_body(plan: MergePlan, ours: CheckpointBody) -> CheckpointBody:
    """`ours` with the fields of the merge; parents, title and author are the caller's.

    References follow what was joined (`merge_references`).

    Raises:
        ValueError: a conflict is open.
    """
    if plan.open:
        raise ValueError(f"{len(plan.open)} conflicts are open")
    lists: dict[str, list[Any]] = {kind: [] for kind in (*KINDS, "artifacts")}
    for kind, part in held((*plan.items, *plan.artifacts)):
        lists[kind].append(part)
    values: dict[str, Any] = {kind: tuple(parts) for kind, parts in lists.items()}
    values |= {slot.kind: "\n\n".join(slot.result) for slot in plan.texts}
    return replace(ours, entities=plan.entities, **values)


# ---- texts, entities, artifacts ----------------------------------------------------------------


def _text_slot(name: str, base: str | None, ours: str, theirs: str) -> Slot[str]:
    easy = three_ways(base or "", ours, theirs)
    if easy is None and ours.split() == theirs.split():
        easy = ("same", ours)
    if easy is not None:
        return Slot(name, name, base, ours, theirs, easy[0], (easy[1],) if easy[1] else ())
    return Slot(name, name, base, ours, theirs, "conflict", (), "both_changed", ("text",))


def _settle_text(slot: Slot[str], answer: Answer) -> tuple[str, ...]:
    if answer.text is not None:
        return (answer.text,)
    sides = {"ours": (slot.ours,), "theirs": (slot.theirs,), "both": (slot.ours, slot.theirs)}
    return tuple(text for text in sides.get(answer.choice or "", (slot.base,)) if text)


def _entities(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """By their keys; in the writing of the side that changed it, ours' where both did."""
    old, mine, its = entity_keys(base), entity_keys(ours), entity_keys(theirs)
    kept = joined(tuple(old), tuple(mine), tuple(its))
    changed = {key: its[key] for key in kept if key in its and mine.get(key) == old.get(key)}
    return tuple(changed.get(key) or mine.get(key) or its[key] for key in kept)


def _artifact_slots(
    base: Sequence[Artifact], ours: Sequence[Artifact], theirs: Sequence[Artifact]
) -> list[Slot[Artifact]]:
    mine, _, ours_new = artifact_pairs(base, ours)
    its, _, theirs_new = artifact_pairs(base, theirs)
    in_ours = {id(b): o for b, o in mine}
    in_theirs = {id(b): t for b, t in its}
    both, ours_alone, theirs_alone = artifact_pairs(ours_new, theirs_new)
    triples: list[tuple[Artifact | None, Artifact | None, Artifact | None]] = [
        *((b, in_ours.get(id(b)), in_theirs.get(id(b))) for b in base),
        *((None, o, t) for o, t in both),
        *((None, o, None) for o in ours_alone),
        *((None, None, t) for t in theirs_alone),
    ]
    places = {
        id(each): number
        for number, triple in enumerate(triples)
        for each in triple
        if each is not None
    }
    slots = [_artifact_slot(*triple) for triple in triples]
    order = arranged(base, ours, theirs, lambda artifact: places[id(artifact)])
    return distinct([slots[number] for number in order])


def _artifact_slot(
    base: Artifact | None, ours: Artifact | None, theirs: Artifact | None
) -> Slot[Artifact]:
    one = base or ours or theirs
    assert one is not None
    slot_id = f"artifacts:{one.id}"
    contents = [side and replace(side, id=one.id) for side in (base, ours, theirs)]
    easy = three_ways(*contents)
    if easy is not None:
        kept = ours if easy[1] == contents[1] else theirs
        return Slot(
            slot_id, "artifacts", base, ours, theirs, easy[0], (kept,) if kept and easy[1] else ()
        )
    kind, fields = ("both_changed", ("content",)) if ours and theirs else ("change_retire", ())
    return Slot(
        slot_id, "artifacts", base, ours, theirs, "conflict",
        conflict="both_changed" if kind == "both_changed" else "change_retire", fields=fields,
    )  # fmt: skip


def _settle_artifact(slot: Slot[Artifact], answer: Answer) -> tuple[Artifact, ...] | None:
    ours, theirs = slot.ours, slot.theirs
    one = ours or theirs
    if answer.text is not None:
        return (replace(one, content=answer.text),) if one is not None else None
    if answer.choice == "both":
        return (ours, _beside(theirs, ours)) if ours and theirs else None
    side = {"ours": ours, "theirs": theirs}.get(answer.choice or "")
    return (side,) if side is not None else ()


def _beside(theirs: Artifact, ours: Artifact) -> Artifact:
    """Theirs as an artifact of its own."""
    return theirs if theirs.id != ours.id else replace(theirs, id="")
