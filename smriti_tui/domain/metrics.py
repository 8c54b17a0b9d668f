"""How a Space is worked in, counted when somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.model import MAIN, Branch, Task


class CheckpointFacts(NamedTuple):
    """What the metrics need of a checkpoint."""

    author: str
    parent_author: str | None
    """Of its first parent; None where it has none."""
    decisions: int
    """Live ones; so with the tasks."""
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Metrics:
    checkpoints: int
    agents: Mapping[str, int]
    """Checkpoints by author, the most first."""
    cross_agent_continuations: int
    """Checkpoints whose author is another than that of their first parent."""
    claims: int
    claims_done: int
    claims_abandoned: int
    claims_unresolved: int
    claims_with_task_id: int
    completion_rate: float | None
    """Done of those that were ended, two decimals; None where none was."""
    average_decisions: float
    average_tasks: float
    with_structured_tasks: int
    with_task_ids: int
    milestones: int
    noise: int
    branches: Mapping[str, int]
    """Branches beside main by disposition."""


def metrics(
    checkpoints: Iterable[CheckpointFacts],
    claims: Iterable[Claim],
    branches: Iterable[Branch],
    notes: Mapping[str, int],
) -> Metrics:
    """`notes` counts them by kind."""
    made, taken = list(checkpoints), list(claims)
    status = Counter(claim.status for claim in taken)
    ended = status["done"] + status["abandoned"]
    apart = Counter(branch.disposition for branch in branches if branch.name != MAIN)
    return Metrics(
        checkpoints=len(made),
        agents=dict(Counter(each.author for each in made).most_common()),
        cross_agent_continuations=sum(
            each.parent_author is not None and each.parent_author != each.author for each in made
        ),
        claims=len(taken),
        claims_done=status["done"],
        claims_abandoned=status["abandoned"],
        claims_unresolved=status["active"],
        claims_with_task_id=sum(claim.task_id is not None for claim in taken),
        completion_rate=round(status["done"] / ended, 2) if ended else None,
        average_decisions=_average([each.decisions for each in made]),
        average_tasks=_average([len(each.tasks) for each in made]),
        with_structured_tasks=sum(any(map(_structured, each.tasks)) for each in made),
        with_task_ids=sum(any(task.id for task in each.tasks) for each in made),
        milestones=notes.get("milestone", 0),
        noise=notes.get("noise", 0),
        branches={name: apart[name] for name in ("active", "integrated", "abandoned")},
    )


def _average(counts: list[int]) -> float:
    return round(sum(counts) / len(counts), 1) if counts else 0.0


def _structured(task: Task) -> bool:
    return bool(task.id or task.intent_hint or task.blocked_by or task.status != "open")
