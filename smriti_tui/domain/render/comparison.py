"""What `compare` and `merge` answer, as Markdown and as documents; shared by CLI and MCP."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.compare import Compared, Comparison, Pair
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.merging import MergePlan
from smriti_tui.domain.model import Artifact, Checkpoint, Item, Task
from smriti_tui.domain.render.brief import HEADINGS
from smriti_tui.domain.render.documents import Document, checkpoint_document
from smriti_tui.domain.render.markdown import bullet, fence, indented
from smriti_tui.domain.render.retired import retired_words
from smriti_tui.domain.words import line_changes, word_changes

T = TypeVar("T")


# ---- compare -----------------------------------------------------------------------------------


def comparison_document(found: Comparison) -> Document:
    """As `cli.md` gives it; `changed` beside `shared` holds both wordings of what was followed by
    its uid."""
    return {
        "a": checkpoint_document(found.a),
        "b": checkpoint_document(found.b),
        "common_ancestor": found.ancestors[0] if found.ancestors else None,
        "common_ancestors": list(found.ancestors),
        "objective": _text_document(found.objective),
        "summary": _text_document(found.summary),
        "fields": {
            **{kind: _group_document(found.items[kind]) for kind in KINDS},
            "entities": _group_document(found.entities),
            "artifacts": _group_document(found.artifacts),
        },
    }


def _text_document(pair: Pair[str]) -> Document:
    return {"a": pair.a, "b": pair.b, "identical": not pair.changes}


def _group_document(group: Compared[Any]) -> Document:
    return {
        "only_a": [to_json(each) for each in group.only_a],
        "only_b": [to_json(each) for each in group.only_b],
        "changed": [
            {"a": to_json(pair.a), "b": to_json(pair.b), "changes": list(pair.changes)}
            for pair in group.changed
        ],
        "shared": [to_json(pair.a) for pair in group.shared],
    }


def comparison_text(found: Comparison) -> str:
    """Headings first, empty groups left out, items in A's wording. Ends without a line feed."""
    a, b = found.a, found.b
    lines = [f"# Compare {short(a.id)} with {short(b.id)}", "", *_sides(a, b), *_ancestor(found)]
    for name, pair in (("Objective", found.objective), ("Summary", found.summary)):
        lines += _texts(name, pair)
    for kind in KINDS:
        lines += _group(HEADINGS[kind], found.items[kind], _said, _changed_item)
    lines += _group("Entities", found.entities, str, lambda pair: [str(pair.a)])
    lines += _group("Artifacts", found.artifacts, _artifact, _changed_artifact)
    return clean("\n".join(lines).rstrip("\n"))


def _sides(a: Checkpoint, b: Checkpoint) -> list[str]:
    return [
        bullet(f"{name}: {short(side.id)} on {clean_line(side.branch_name)}: {side.title}")
        for name, side in (("A", a), ("B", b))
    ]


def _ancestor(found: Comparison) -> list[str]:
    names = ", ".join(map(short, found.ancestors))
    if not found.ancestors:
        return [bullet("Common ancestor: none, the two are unrelated")]
    if len(found.ancestors) > 1:
        return [bullet(f"Common ancestors, the histories cross: {names}")]
    return [bullet(f"Common ancestor: {names}")]


def _texts(name: str, pair: Pair[str]) -> Iterator[str]:
    if not (pair.a.strip() or pair.b.strip()):
        return
    yield from ("", f"## {name}", "")
    if not pair.changes:
        yield f"(identical) {pair.a.strip()}"
        return
    for side, text in (("A", pair.a), ("B", pair.b)):
        yield f"({side}) {text.strip() or 'nothing'}"
        yield ""


def _group(
    name: str,
    group: Compared[T],
    said: Callable[[T], str],
    changed: Callable[[Pair[T]], Iterable[str]],
) -> Iterator[str]:
    blocks: list[tuple[str, list[str]]] = [
        ("Shared", [bullet(said(pair.a)) for pair in group.shared]),
        ("Changed", [line for pair in group.changed for line in changed(pair)]),
        ("Only in A", [bullet(said(each)) for each in group.only_a]),
        ("Only in B", [bullet(said(each)) for each in group.only_b]),
    ]
    if any(lines for _, lines in blocks):
        yield from ("", f"## {name}")
    for heading, lines in blocks:
        if lines:
            yield from ("", f"### {heading}", "", *lines)


def _said(item: Item | Task) -> str:
    return f"{indented(item.text)}{_state(item)}"


def _state(item: Item | Task) -> str:
    words = [retired_words(item)] if item.state == "retired" else []
    if isinstance(item, Task):
        words += [f"[{item.intent_hint}]"] if item.intent_hint else []
        words += ["done"] if item.status == "done" else []
        words += [f"blocked by {', '.join(item.blocked_by)}"] if item.blocked_by else []
    return f" ({', '.join(words)})" if words else ""


def _changed_item(pair: Pair[Item | Task]) -> Iterator[str]:
    if "text" in pair.changes:
        yield bullet(_word_diff(pair.a.text, pair.b.text))
    else:
        yield bullet(indented(pair.a.text))
    for name in pair.changes:
        if name != "text":
            yield f"  - {name}: {_value(pair.a, name)} in A, {_value(pair.b, name)} in B"


def _value(item: Item | Task, name: str) -> str:
    if name == "state":
        return retired_words(item) or item.state
    value = getattr(item, name)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) if value else "none"


def _word_diff(a: str, b: str) -> str:
    """Both wordings in one line: what only A has in `[-…-]`, what only B has in `{+…+}`."""
    around = {"=": ("", ""), "-": ("[-", "-]"), "+": ("{+", "+}")}
    parts = [
        f"{around[each.sign][0]}{each.text}{around[each.sign][1]}" for each in word_changes(a, b)
    ]
    return indented("".join(parts))


def _artifact(artifact: Artifact) -> str:
    size = f"{len(artifact.content):,} characters"
    return f"{indented(artifact.label)} ({clean_line(artifact.type)}, {size})"


def _changed_artifact(pair: Pair[Artifact]) -> Iterator[str]:
    yield bullet(_artifact(pair.a))
    for name in pair.changes:
        if name != "content":
            yield f"  - {name}: {getattr(pair.a, name)} in A, {getattr(pair.b, name)} in B"
    if "content" in pair.changes:
        signs = {"=": " ", "-": "-", "+": "+"}
        lines = [
            f"{signs[each.sign]}{each.text}" if each.text else "...\n"
            for each in line_changes(pair.a.content, pair.b.content)
        ]
        text = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
        yield from ("", fence(text, "diff"), "")


# ---- merge -------------------------------------------------------------------------------------


def merge_document(plan: MergePlan) -> Document:
    """Every slot with its three sides, what becomes of it, and the open conflicts by id."""
    return {
        "slots": [_slot_document(slot) for slot in plan.slots],
        "entities": list(plan.entities),
        "conflicts": [slot.id for slot in plan.conflicts],
        "open": [slot.id for slot in plan.open],
    }


def _slot_document(slot: Slot[Any]) -> Document:
    return {
        "id": slot.id,
        "kind": slot.kind,
        "outcome": slot.outcome,
        "conflict": slot.conflict,
        "fields": list(slot.fields),
        "base": to_json(slot.base),
        "ours": to_json(slot.ours),
        "theirs": to_json(slot.theirs),
        "result": [to_json(each) for each in slot.result],
        "open": slot.open,
    }


WORDS = {
    "same": "Same on both sides",
    "ours": "From ours",
    "theirs": "From theirs",
    "combined": "Changed on both sides, no contradiction",
    "retired": "Retired",
}


def plan_text(plan: MergePlan) -> str:
    """Open conflicts first, with their ids and both sides, then the rest by what becomes of it."""
    lines: list[str] = []
    if plan.open:
        lines += ["", f"## Conflicts ({len(plan.open)} open)", ""]
        lines += [line for slot in plan.open for line in _conflict(slot)]
    settled = [slot for slot in plan.conflicts if not slot.open]
    lines += _slots("Conflicts that are settled", settled)
    rest = [slot for slot in plan.slots if slot.conflict is None]
    for outcome, heading in WORDS.items():
        lines += _slots(heading, [slot for slot in rest if slot.outcome == outcome])
    return clean("\n".join(lines).strip("\n"))


def _conflict(slot: Slot[Any]) -> Iterator[str]:
    why = "changed on both sides" if slot.conflict == "both_changed" else "changed and retired"
    yield bullet(f"`{slot.id}` {why}")
    for name, side in (("base", slot.base), ("ours", slot.ours), ("theirs", slot.theirs)):
        yield f"  - {name}: {_side(side)}"


def _side(side: object) -> str:
    if side is None:
        return "(not there)"
    if isinstance(side, Artifact):
        return _artifact(side)
    if isinstance(side, Item | Task):
        return _said(side)
    return indented(str(side))


def _slots(heading: str, slots: Sequence[Slot[Any]]) -> Iterator[str]:
    told = [slot for slot in slots if slot.ours or slot.theirs or slot.base]
    if not told:
        return
    yield from ("", f"## {heading}", "")
    for slot in told:
        stand = slot.result or tuple(
            side for side in (slot.ours, slot.theirs, slot.base) if side is not None
        )
        yield from (bullet(_side(each)) for each in stand[: len(slot.result) or 1])
