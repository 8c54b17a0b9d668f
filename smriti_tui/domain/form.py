"""A checkpoint that is being written by hand: what is typed, and what it leaves out of its head.

The form holds exactly what will be saved. Carrying over fills the lists with the head's live items;
choosing not to takes those out again that nobody touched (DESIGN 10.16).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from smriti_tui.domain.checkpoint_input import CheckpointInput, check_input
from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.items import KINDS, comparison_key
from smriti_tui.domain.model import Artifact, CheckpointBody, Item, Task
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.values import canonical

NOUNS: Mapping[str, str] = {
    "decisions": "decision",
    "assumptions": "assumption",
    "tasks": "task",
    "open_questions": "open question",
    "artifacts": "artifact",
}
"""The lists of a form in the order they are shown, with the word for one entry."""


@dataclass(frozen=True)
class FormState:
    """All that is typed, and what it was typed on."""

    title: str = ""
    objective: str = ""
    summary: str = ""
    decisions: tuple[Item, ...] = ()
    assumptions: tuple[Item, ...] = ()
    tasks: tuple[Task, ...] = ()
    open_questions: tuple[Item, ...] = ()
    entities: str = ""
    """One per line, as typed."""
    artifacts: tuple[Artifact, ...] = ()
    carry: bool = True
    head: str = ""
    """Id of the checkpoint it is written on, "" for none."""
    last: int | None = None
    """The newest ended answer when the form was opened."""
    branch: str = ""
    """Name of a new branch, where one is needed."""
    pending: dict[str, object] = field(default_factory=dict)
    """List to the text that stands in its editor line and is not in the list yet."""

    def items(self, kind: str) -> tuple[Item | Task, ...]:
        """One of the four item lists."""
        lists: dict[str, tuple[Item | Task, ...]] = {
            "decisions": self.decisions,
            "assumptions": self.assumptions,
            "tasks": self.tasks,
            "open_questions": self.open_questions,
        }
        return lists[kind]


def with_items(state: FormState, kind: str, items: tuple[Item | Task, ...]) -> FormState:
    """`state` with another list of one kind; what does not belong to the kind is left out."""
    if kind == "tasks":
        return replace(state, tasks=tuple(item for item in items if isinstance(item, Task)))
    plain = tuple(item for item in items if isinstance(item, Item))
    if kind == "decisions":
        return replace(state, decisions=plain)
    if kind == "assumptions":
        return replace(state, assumptions=plain)
    return replace(state, open_questions=plain)


def opened(head: CheckpointBody | None, head_id: str, last: int | None) -> FormState:
    """A new form on a head, with everything that lives there carried over."""
    state = FormState(head=head_id, last=last)
    if head is None:
        return state
    state = replace(state, objective=head.objective, summary=head.summary)
    return with_carry(state, head, carry=True)


def with_carry(state: FormState, head: CheckpointBody | None, *, carry: bool) -> FormState:
    """Takes along what lives in the head and is missing, or takes out what came from it
    unchanged."""
    state = replace(state, carry=carry)
    if head is None:
        return state
    for kind in KINDS:
        live = live_items(head, kind)
        own = state.items(kind)
        if carry:
            held = {item.uid for item in own if item.uid}
            own = (*own, *(item for item in live if item.uid not in held))
        else:
            own = tuple(item for item in own if item not in live)
        state = with_items(state, kind, own)
    return _carry_texts(state, head, carry)


def _carry_texts(state: FormState, head: CheckpointBody, carry: bool) -> FormState:
    names = [name for name in state.entities.split("\n") if name.strip()]
    if carry:
        held = {artifact.id for artifact in state.artifacts}
        more = tuple(artifact for artifact in head.artifacts if artifact.id not in held)
        names += [name for name in head.entities if name not in names]
        return replace(state, artifacts=(*state.artifacts, *more), entities="\n".join(names))
    kept = tuple(artifact for artifact in state.artifacts if artifact not in head.artifacts)
    names = [name for name in names if name not in head.entities]
    return replace(state, artifacts=kept, entities="\n".join(names))


def live_items(body: CheckpointBody, kind: str) -> tuple[Item | Task, ...]:
    """The live items of a checkpoint's list, in order."""
    lists: dict[str, tuple[Item | Task, ...]] = {
        "decisions": body.decisions,
        "assumptions": body.assumptions,
        "tasks": body.tasks,
        "open_questions": body.open_questions,
    }
    return tuple(item for item in lists[kind] if item.state == "live")


def lists_of_form(state: FormState) -> dict[str, tuple[Item | Task, ...]]:
    """The item lists by kind, as they stand."""
    return {kind: state.items(kind) for kind in KINDS}


def live_uids(body: CheckpointBody | None, kind: str) -> frozenset[str]:
    """Of the live items of a checkpoint's list; none without a checkpoint."""
    return frozenset(item.uid for item in live_items(body, kind)) if body else frozenset()


def retired_line(state: FormState) -> str:
    """What the new checkpoint holds as retired, counted; empty for nothing."""
    found = {
        kind: sum(item.state == "retired" for item in items)
        for kind, items in lists_of_form(state).items()
    }
    parts = [counted(count, NOUNS[kind]) for kind, count in found.items() if count]
    return f"Retires with a reason: {', '.join(parts)}." if parts else ""


def left_out(state: FormState, head: CheckpointBody | None) -> dict[str, int]:
    """How many of each of the head's lists the form does not hold."""
    missing = missing_ids(state, head)
    return {kind: len(ids) for kind, ids in missing.items() if ids}


def missing_ids(state: FormState, head: CheckpointBody | None) -> dict[str, frozenset[str]]:
    """Which of each of the head's lists the form does not hold. A done task is not missed."""
    if head is None:
        return {}
    missing: dict[str, frozenset[str]] = {}
    for kind in KINDS:
        own = state.items(kind)
        held = {item.uid for item in own}
        keys = {comparison_key(item.text) for item in own if not item.uid} - {""}
        gone = [
            item
            for item in live_items(head, kind)
            if item.uid not in held and comparison_key(item.text) not in keys
        ]
        missing[kind] = frozenset(item.uid for item in gone if not _done(item))
    held = {artifact.id for artifact in state.artifacts}
    missing["artifacts"] = frozenset(each.id for each in head.artifacts if each.id not in held)
    return missing


def _done(item: Item | Task) -> bool:
    return isinstance(item, Task) and item.status == "done"


def left_out_line(missing: Mapping[str, int], head: str) -> str:
    """What saving leaves out, counted aloud."""
    if not head:
        return "There is no checkpoint here yet: nothing to carry over."
    if not missing:
        return f"Leaves nothing of {head[:7]} out."
    parts = [counted(missing[kind], noun) for kind, noun in NOUNS.items() if kind in missing]
    return f"Leaves out of {head[:7]}: {', '.join(parts)} (retired by leaving out)."


def to_input(state: FormState) -> CheckpointInput:
    """The content that is saved; what still stands in an editor line goes to the end of its list.

    Raises:
        Invalid: no title, an item without text; `field` names the field of the form.
    """
    state = settled(state)
    if not state.title.strip():
        raise Invalid("The checkpoint has no title.", "Type one.", field="title")
    for kind in KINDS:
        for number, item in enumerate(state.items(kind), 1):
            if not item.text.strip():
                raise Invalid(f"{NOUNS[kind].capitalize()} {number} has no text.", field=kind)
    content = CheckpointInput(
        title=state.title.strip(),
        objective=state.objective,
        summary=state.summary,
        decisions=state.decisions,
        assumptions=state.assumptions,
        tasks=state.tasks,
        open_questions=state.open_questions,
        entities=tuple(name.strip() for name in state.entities.split("\n") if name.strip()),
        artifacts=state.artifacts,
    )
    return check_input(content)


def settled(state: FormState) -> FormState:
    """`state` with the texts of the editor lines in their lists."""
    for kind, text in state.pending.items():
        if kind in KINDS and isinstance(text, str) and text.strip():
            state = with_items(state, kind, (*state.items(kind), new_item(kind, text)))
    return replace(state, pending={})


def new_item(kind: str, text: str) -> Item | Task:
    """An item that has no uid yet."""
    return Task("", text.strip()) if kind == "tasks" else Item("", text.strip())


def dump(state: FormState) -> str:
    """The form as text, for the side table."""
    return canonical(to_json(state))


def load(text: str) -> FormState | None:
    """The form of such a text; None when it is not one (an older program may have written it)."""
    try:
        value = json.loads(text)
        return from_json(FormState, value) if isinstance(value, dict) else None
    except (ValueError, Invalid):
        return None


def is_touched(state: FormState, start: FormState) -> bool:
    """Whether anything was typed since `start`; where it is written on does not count."""
    own = {"head", "last"}
    return any(
        getattr(state, each.name) != getattr(start, each.name)
        for each in fields(FormState)
        if each.name not in own
    )
