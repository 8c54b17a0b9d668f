"""Branches and where they differ from main, as tables, text and documents."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.codec import to_json
from smriti_tui.domain.divergence import Divergence
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import MAIN, Branch, Checkpoint
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.documents import Document, branch_document
from smriti_tui.domain.render.markdown import bullet, indented
from smriti_tui.domain.render.tables import table

Line = tuple[Branch, Checkpoint | None, int, int]
"""A branch, its head, and how many checkpoints and sessions it has."""
MOST_BRANCHES = 3
MOST_DECISIONS = 3
"""What is printed of divergences; the document holds all."""


def branch_lines(lines: Sequence[Line], now: str) -> str:
    """`now` is UTC text, for the ages."""
    rows = [
        (
            branch.name,
            branch.disposition,
            short(head.id) if head else "-",
            head.title if head else "-",
            head.body.author if head else "-",
            age(head.body.created_at, now) if head else "-",
            str(made),
            str(sessions),
        )
        for branch, head, made, sessions in lines
    ]
    names = ("branch", "state", "head", "title", "author", "saved", "checkpoints", "sessions")
    return table(names, rows, right=(6, 7))


def branch_line_document(line: Line) -> Document:
    branch, head, made, sessions = line
    return {
        **branch_document(branch),
        "title": head.title if head else None,
        "author": head.body.author if head else None,
        "saved_at": head.body.created_at if head else None,
        "checkpoints": made,
        "sessions": sessions,
    }


def divergence_document(found: Divergence) -> Document:
    return {
        "branch": found.branch.name,
        "head": found.head.id,
        "only_main": [to_json(each) for each in found.only_main],
        "only_branch": [to_json(each) for each in found.only_branch],
        "changed": [{"main": to_json(a), "branch": to_json(b)} for a, b in found.changed],
    }


def divergence_text(found: Sequence[Divergence]) -> str:
    """A few branches and decisions of each; what is not printed is counted."""
    lines: list[str] = []
    for each in found[:MOST_BRANCHES]:
        lines.append(f"{each.branch.name} ({short(each.head.id)}) differs from {MAIN}:")
        for name, items in ((MAIN, each.only_main), (each.branch.name, each.only_branch)):
            shown = items[:MOST_DECISIONS]
            lines += [bullet(f"only {name}: {indented(item.text)}") for item in shown]
            if len(items) > len(shown):
                lines.append(bullet(f"only {name}: {len(items) - len(shown)} more"))
        for a, b in each.changed[:MOST_DECISIONS]:
            lines.append(bullet(f"{MAIN}: {indented(a.text)}; here: {indented(b.text)}"))
    if len(found) > MOST_BRANCHES:
        lines.append(f"{len(found) - MOST_BRANCHES} more differ; --json lists all.")
    return "\n".join(lines)
