"""How items are told apart and carried from checkpoint to checkpoint (DESIGN 10.16)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import new_id, short
from smriti_tui.domain.model import CheckpointBody, Item, Task

ItemLike = TypeVar("ItemLike", Item, Task)

_DROPPED_AT_ENDS = frozenset(
    " \t\n.,;:!?\"'`()[]{}<>«»„“”‚‘’‹›…।॥。、，．！？；：「」『』（）【】《》〈〉؟،؛*_-–—·"  # noqa: RUF001 (the point is these very signs)
)
"""Sentence marks, quotes and brackets of the scripts we know; `#` and `+` carry meaning (C#,
C++)."""

KINDS = ("decisions", "assumptions", "tasks", "open_questions")
"""Names of the item lists of a checkpoint, in the order they are shown."""

LETTERS: Mapping[str, str] = {
    "decisions": "D",
    "assumptions": "A",
    "tasks": "T",
    "open_questions": "Q",
}


def comparison_key(text: str) -> str:
    """What two wordings of one item have in common; empty when nothing is left.

    NFKC, case folded, white space joined; sentence marks, quotes and brackets dropped at both ends.
    Letters and symbols of every script stay, so `C`, `C++` and `C#` differ.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    joined = " ".join(folded.split())
    return joined.strip("".join(_DROPPED_AT_ENDS))


def with_uids(items: Iterable[ItemLike], earlier: Sequence[ItemLike]) -> tuple[ItemLike, ...]:
    """`items` with a uid each: their own, else that of the live item of `earlier` with the same
    comparison key, else a new one. No uid is given twice."""
    known: dict[str, str] = {}
    for old in earlier:
        key = comparison_key(old.text)
        if key and old.state == "live":
            known.setdefault(key, old.uid)
    given = list(items)
    taken = {item.uid for item in given if item.uid}
    result: list[ItemLike] = []
    for item in given:
        if item.uid:
            result.append(item)
            continue
        uid = known.get(comparison_key(item.text), "")
        if not uid or uid in taken:
            uid = new_id()
        taken.add(uid)
        result.append(replace(item, uid=uid))
    return tuple(result)


def item_list(body: CheckpointBody, kind: str) -> tuple[Item | Task, ...]:
    """The items of one of `KINDS`."""
    lists: dict[str, tuple[Item | Task, ...]] = {
        "decisions": body.decisions,
        "assumptions": body.assumptions,
        "tasks": body.tasks,
        "open_questions": body.open_questions,
    }
    return lists[kind]


def of_kind(rows: Iterable[tuple[str, Item | Task]], kind: str) -> tuple[Item, ...]:
    """The plain items among `rows`, each with the kind of its list."""
    return tuple(item for each, item in rows if each == kind and isinstance(item, Item))


def omitted(parent: CheckpointBody, child: CheckpointBody) -> dict[str, tuple[Item | Task, ...]]:
    """Live items of `parent` that `child` does not hold: retired by omission (DESIGN 10.16).

    A task that is done in the parent is not missed.
    """
    gone: dict[str, tuple[Item | Task, ...]] = {}
    for kind in KINDS:
        kept = {item.uid for item in item_list(child, kind)}
        missing = tuple(
            item
            for item in item_list(parent, kind)
            if item.uid not in kept and item.state == "live" and not _done(item)
        )
        if missing:
            gone[kind] = missing
    return gone


def _done(item: Item | Task) -> bool:
    return isinstance(item, Task) and item.status == "done"


def find_uid(checkpoint: str, body: CheckpointBody, wanted: str) -> str:
    """The uid of an item by its label (D1), its uid or the beginning of one. Raises: NotFound."""
    for kind in KINDS:
        for number, item in enumerate(item_list(body, kind), 1):
            label = f"{LETTERS[kind]}{number}"
            if wanted.upper() == label or (len(wanted) >= 4 and item.uid.startswith(wanted)):
                return item.uid
    raise NotFound(
        f"Checkpoint {short(checkpoint)} has no item {wanted!r}.",
        "Its items are named D1, A1, T1, Q1 and so on.",
    )
