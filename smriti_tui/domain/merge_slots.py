"""One thing over three checkpoints, and what a merge makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar, get_args

T = TypeVar("T")

Outcome = Literal["same", "ours", "theirs", "combined", "retired", "conflict"]
"""same: equal on both sides. ours, theirs: only that side changed it, so it is taken from there.
combined: both changed it without contradiction. retired: one side or both took it out, and nobody
changed it."""
ConflictKind = Literal["both_changed", "change_retire"]
Choice = Literal["ours", "theirs", "both", "neither"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person decided about a conflict: a choice, or a text of their own."""

    choice: Choice | None = None
    text: str | None = None

    @property
    def document(self) -> str | dict[str, str]:
        """As it stands in a file of answers."""
        return {"text": self.text} if self.text is not None else str(self.choice)


def answer_of(given: object) -> Answer | None:
    """An answer as a file holds it; None for anything else."""
    if isinstance(given, str) and given in get_args(Choice):
        choice: Any = given
        return Answer(choice=choice)
    if isinstance(given, dict) and set(given) == {"text"} and isinstance(given["text"], str):
        return Answer(text=given["text"])
    return None


@dataclass(frozen=True)
class Slot(Generic[T]):
    """An item, artifact or text on the three sides; None where a side does not hold it."""

    id: str
    """Names the slot in answers: the kind, and the uid or id of what stands in it."""
    kind: str
    base: T | None
    ours: T | None
    theirs: T | None
    outcome: Outcome
    result: tuple[T, ...] = ()
    """What the merge holds of it: none while a conflict is open."""
    conflict: ConflictKind | None = None
    fields: tuple[str, ...] = ()
    """The names of the fields that contradict each other."""
    answer: Answer | None = None

    @property
    def open(self) -> bool:
        return self.conflict is not None and self.answer is None

    def settled(self, answer: Answer, result: tuple[T, ...]) -> Slot[T]:
        return replace(self, answer=answer, result=result)


def distinct(slots: Sequence[Slot[T]]) -> list[Slot[T]]:
    """The slots with an id each of its own, also where a list holds one uid twice."""
    seen: set[str] = set()
    found = []
    for slot in slots:
        name = slot.id
        while name in seen:
            name += "'"
        seen.add(name)
        found.append(slot if name == slot.id else replace(slot, id=name))
    return found


def three_ways(base: T | None, ours: T | None, theirs: T | None) -> tuple[Outcome, T | None] | None:
    """The outcome where at most one side changed something, or both did the same; else None."""
    if ours == theirs:
        return ("retired" if ours is None and base is not None else "same"), ours
    if ours == base:
        return ("retired" if theirs is None else "theirs"), theirs
    if theirs == base:
        return ("retired" if ours is None else "ours"), ours
    return None


def joined(base: Sequence[T], ours: Sequence[T], theirs: Sequence[T]) -> tuple[T, ...]:
    """A set over three sides: what both hold or one added, less what one took out."""
    kept = [each for each in ours if each in theirs or each not in base]
    added = [each for each in theirs if each not in ours and each not in base]
    return (*kept, *added)


def arranged(
    base: Sequence[T], ours: Sequence[T], theirs: Sequence[T], key: Callable[[T], int]
) -> list[int]:
    """The keys of all that a side holds, in the order of the side that changed the order.

    What only the other side holds stands behind what it follows there; what only the base holds
    comes last. So where one side changed nothing, the other side's order comes out.
    """
    orders = [list(map(key, side)) for side in (base, ours, theirs)]
    first, mine, its = orders
    moved = _shared(mine, first) != _shared(first, mine)
    main, other = (mine, its) if moved else (its, mine)
    result = list(dict.fromkeys(main))
    for order in (other, first):
        there = set(result)
        before: int | None = None
        for each in order:
            if each not in there:
                at = 0 if before is None else result.index(before) + 1
                result.insert(at if order is other else len(result), each)
                there.add(each)
            before = each
    return result


def _shared(one: Sequence[int], other: Sequence[int]) -> list[int]:
    there = set(other)
    return [each for each in one if each in there]
