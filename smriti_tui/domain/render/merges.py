"""What a merge would hold or holds, as text and as a document; shared by the CLI and MCP."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.ids import short
from smriti_tui.domain.merging import MergePlan
from smriti_tui.domain.model import Branch, Checkpoint
from smriti_tui.domain.render.comparison import merge_document, plan_text
from smriti_tui.domain.render.documents import Document, checkpoint_document
from smriti_tui.domain.render.slot_rows import merge_count


def planned_document(
    ours: Checkpoint,
    theirs: Checkpoint,
    bases: Sequence[Checkpoint],
    base: Checkpoint | None,
    into: Branch,
    plan: MergePlan,
) -> Document:
    """`base` is the one of `bases` that is merged over; `into` the branch that it would go on."""
    count = merge_count(plan, ours.body, theirs.body)
    return {
        "ours": checkpoint_document(ours),
        "theirs": checkpoint_document(theirs),
        "base": base.id if base else None,
        "bases": [each.id for each in bases],
        "into": into.name,
        "dry_run": True,
        "counts": {
            "kept": count.kept,
            "added": count.added,
            "retired": count.retired,
            "conflicts": count.conflicts,
            "open": count.open,
        },
        **merge_document(plan),
    }


def planned_text(
    ours: Checkpoint, theirs: Checkpoint, base: Checkpoint | None, into: Branch, plan: MergePlan
) -> str:
    over = f"over {short(base.id)}" if base else "unrelated, so over nothing"
    head = (
        f"# Merge {short(theirs.id)} ({theirs.branch_name}) into {into.name} "
        f"{short(ours.id)}, {over}"
    )
    count = merge_count(plan, ours.body, theirs.body)
    conflicts = f"conflicts {count.conflicts}, {count.open} open"
    facts = f"- {count.words}   {conflicts}\n- {count.account}"
    return f"{head}\n\n{facts}\n\n{plan_text(plan)}\n\nNothing was written."


def merged_document(made: Checkpoint) -> Document:
    return {**checkpoint_document(made), "dry_run": False}


def merged_text(made: Checkpoint) -> str:
    return f"Merged into {made.branch_name}: {short(made.id)} {made.title}\n{made.id}"
