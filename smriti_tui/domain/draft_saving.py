"""From a draft to the content of a checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from smriti_tui.domain.checkpoint_input import CheckpointInput, check_input
from smriti_tui.domain.draft import DraftState, Entry, asks
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.form import NOUNS
from smriti_tui.domain.ids import RequestId
from smriti_tui.domain.items import comparison_key, of_kind
from smriti_tui.domain.model import Item, Task


def to_input(state: DraftState) -> CheckpointInput:
    """What is saved: all that is kept, the drafted before the carried.

    A kept item that says the same as one that is carried over takes its uid and its place.

    Raises:
        Invalid: something still asks (code `draft_asks`), no title, an item without text; `field`
            names where.
    """
    if waiting := asks(state):
        raise Invalid(
            f"{waiting} of the items {'needs' if waiting == 1 else 'need'} you.",
            "Keep or drop each one marked with a question mark.",
            code="draft_asks",
        )
    if not state.title.strip():
        raise Invalid("The checkpoint has no title.", "Type one.", field="title")
    kept = [each for each in state.entries if each.keep == "kept"]
    for entry in kept:
        if not entry.text.strip():
            raise Invalid(f"A kept {NOUNS[entry.kind]} has no text.", field=entry.kind)
    own = [each for each in kept if each.origin != "head"]
    taken = _taken_over(own, [each for each in state.entries if each.origin == "head"])
    known = {taken.get(each.uid, each.uid) for each in kept}
    known |= {each.artifact.id for each in state.attachments if each.kept}
    replaced = set(taken.values())
    rows = [
        *(replace(each, uid=taken.get(each.uid, each.uid)) for each in own),
        *(each for each in kept if each.origin == "head" and each.uid not in replaced),
    ]
    items = [
        (each.kind, _item(each, [taken.get(uid, uid) for uid in each.rests_on], known))
        for each in rows
    ]
    content = CheckpointInput(
        title=" ".join(state.title.split()),
        objective=state.objective.strip(),
        summary=state.summary.strip(),
        decisions=of_kind(items, "decisions"),
        assumptions=of_kind(items, "assumptions"),
        tasks=tuple(item for _, item in items if isinstance(item, Task)),
        open_questions=of_kind(items, "open_questions"),
        entities=tuple(name.strip() for name in state.entities if name.strip()),
        artifacts=tuple(each.artifact for each in state.attachments if each.kept),
        draft_request=RequestId(state.requests[-1]) if state.requests else None,
    )
    return check_input(content)


def _taken_over(own: Sequence[Entry], carried: Iterable[Entry]) -> Mapping[str, str]:
    """The uid of each own entry that says the same as one of the head's, once each."""
    free: dict[tuple[str, str], str] = {}
    for entry in carried:
        if key := comparison_key(entry.text):
            free.setdefault((entry.kind, key), entry.uid)
    taken = {}
    for entry in own:
        found = free.pop((entry.kind, comparison_key(entry.text)), None)
        if found is not None:
            taken[entry.uid] = found
    return taken


def _item(entry: Entry, rests_on: Sequence[str], known: set[str]) -> Item | Task:
    """As it is stored. What it rests on and is not kept is no link any more."""
    links = tuple(uid for uid in rests_on if uid in known)
    if entry.kind != "tasks":
        return Item(entry.uid, entry.text.strip(), evidence=entry.evidence, rests_on=links)
    return Task(
        entry.uid,
        entry.text.strip(),
        id=entry.id,
        intent_hint=entry.intent_hint,
        blocked_by=entry.blocked_by,
        status=entry.status,
        evidence=entry.evidence,
        rests_on=links,
    )
