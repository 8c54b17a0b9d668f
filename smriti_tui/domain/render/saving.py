"""What saving a checkpoint answers: the checkpoint, and aloud what it leaves out of its parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smriti_tui.domain.extracted import Extracted
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Checkpoint, Item, Task
from smriti_tui.domain.render.brief import HEADINGS, brief
from smriti_tui.domain.render.documents import Document, checkpoint_document, omitted_document
from smriti_tui.domain.render.extracted import extracted_document
from smriti_tui.domain.state_text import counted

Omitted = Mapping[str, Sequence[Item | Task]]


def saved_document(
    checkpoint: Checkpoint, omitted: Omitted, *, dry_run: bool, extracted: Extracted | None = None
) -> Document:
    """`extracted` is what it was made of, where that was a document."""
    return {
        **checkpoint_document(checkpoint),
        "omitted": omitted_document(omitted),
        "omitted_count": _total(omitted),
        "dry_run": dry_run,
        "extracted": extracted_document(extracted) if extracted else None,
    }


def saved_text(checkpoint: Checkpoint, space_name: str, *, dry_run: bool) -> str:
    """Two lines; of a dry run the brief of what would be saved."""
    if dry_run:
        return brief(checkpoint, space_name)
    title = checkpoint.title
    head = f"Created checkpoint {short(checkpoint.id)} on {checkpoint.branch_name}: {title}"
    return f"{head}\n{checkpoint.id}"


def omitted_text(omitted: Omitted, remedy: str) -> str:
    """The warning about items that are retired by omission, "" if none is. `remedy` is how this
    surface takes them along."""
    if not _total(omitted):
        return ""
    kinds = [
        counted(len(items), HEADINGS[kind].lower().removesuffix("s"))
        for kind, items in omitted.items()
    ]
    return (
        f"left out and so retired, live items of the parent: {_total(omitted)} "
        f"({', '.join(kinds)}). {remedy}"
    )


def _total(omitted: Omitted) -> int:
    return sum(len(items) for items in omitted.values())
