"""Lists and facts of Spaces, branches and checkpoints, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Branch, CheckpointSummary, Space
from smriti_tui.domain.render.ages import age, exact
from smriti_tui.domain.render.tables import pairs, table


def space_facts(space: Space) -> str:
    return pairs(
        [
            ("Space", space.name),
            ("Id", space.id),
            ("About", space.description or "-"),
            ("Project root", space.project_root or "none"),
            ("Checkpoints", str(space.checkpoints)),
            ("Sessions", str(space.sessions)),
            ("Changed", exact(space.changed_at)),
        ]
    )


def space_table(spaces: Sequence[Space], now: str) -> str:
    """`now` is UTC text, for the ages."""
    if not spaces:
        return "No Spaces yet. `smriti space create NAME` makes one."
    rows = [
        (
            short(space.id),
            space.name,
            str(space.checkpoints),
            str(space.sessions),
            age(space.changed_at, now),
            space.project_root or "-",
        )
        for space in spaces
    ]
    head = ("id", "name", "checkpoints", "sessions", "changed", "project root")
    return table(head, rows, right=(2, 3))


def branch_table(branches: Sequence[Branch]) -> str:
    rows = [
        (
            branch.name,
            branch.disposition,
            short(branch.head) if branch.head else "-",
            short(branch.start) if branch.start else "-",
        )
        for branch in branches
    ]
    return table(("branch", "disposition", "head", "starts at"), rows)


def checkpoint_table(summaries: Sequence[CheckpointSummary], now: str) -> str:
    """`now` is UTC text, for the ages."""
    if not summaries:
        return "No checkpoints."
    rows = [
        (
            short(row.id),
            row.title,
            row.branch_name,
            row.author,
            age(row.created_at, now),
            str(row.decisions),
            str(row.open_tasks),
            str(row.open_questions),
        )
        for row in summaries
    ]
    head = ("id", "title", "branch", "author", "saved", "decisions", "open tasks", "questions")
    return table(head, rows, right=(5, 6, 7))
