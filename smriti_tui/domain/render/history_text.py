"""The history of a Space as text: lanes, and a line for each checkpoint."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.history import TreeRow
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.graph import Lanes

NOISE = "."
"""The sign of a checkpoint that is marked as noise."""


def graph_text(rows: Sequence[TreeRow], now: str) -> str:
    """Newest first; a branch is named at its head. `now` is UTC text, for the ages."""
    if not rows:
        return "No checkpoints."
    lines: list[str] = []
    knots = Lanes.empty().draw((row.id, row.parents) for row in rows)
    for row, knot in zip(rows, knots, strict=True):
        head = knot.signed(NOISE) if row.noise else knot.head
        lines += [knot.above, f"{head} {_words(row, now)}"]
        if row.milestone:
            lines.append(f"{knot.body:<{len(head)}} milestone: {clean_line(row.milestone)}")
        lines.append(knot.below)
    return "\n".join(line.rstrip() for line in lines if line)


def _words(row: TreeRow, now: str) -> str:
    words = [short(row.id), clean_line(row.title)]
    if told := [word for word in (branch_words(row) if row.tip else "", _noise(row)) if word]:
        words.append(f"({', '.join(told)})")
    return f"{' '.join(words)}  {clean_line(row.author)}, {age(row.created_at, now)}"


def _noise(row: TreeRow) -> str:
    return "noise" if row.noise else ""


def branch_words(row: TreeRow) -> str:
    """The name of its branch, and what became of that where it is closed."""
    name = clean_line(row.branch_name)
    return name if row.disposition == "active" else f"{name}, {row.disposition}"
