"""Which tasks of a checkpoint can be taken up. Description only: nobody is assigned anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.items import LETTERS, comparison_key
from smriti_tui.domain.model import CheckpointBody, Task


@dataclass(frozen=True)
class TaskView:
    """An open task, and what stands in its way."""

    label: str
    """T1, T2 … as they count in the checkpoint."""
    task: Task
    blocked_by: tuple[str, ...]
    """Those of its blockers that are not done: names of open tasks, or words that name none."""
    claims: tuple[Claim, ...]

    @property
    def free(self) -> bool:
        return not self.blocked_by and not self.claims


def open_tasks(body: CheckpointBody, claims: Sequence[Claim]) -> list[TaskView]:
    """The live tasks that are not done, in their order; `claims` are those that hold now."""
    done = {
        name
        for number, task in enumerate(body.tasks, 1)
        if task.status == "done"
        for name in _names(task, number)
    }
    views = []
    for number, task in enumerate(body.tasks, 1):
        if task.state != "live" or task.status == "done":
            continue
        names = _names(task, number)
        views.append(
            TaskView(
                f"{LETTERS['tasks']}{number}",
                task,
                tuple(each for each in task.blocked_by if comparison_key(each) not in done),
                tuple(
                    claim
                    for claim in claims
                    if claim.task_id and comparison_key(claim.task_id) in names
                ),
            )
        )
    return views


def pickable(views: Sequence[TaskView], claims: Sequence[Claim]) -> list[TaskView]:
    """What can be picked: open, unblocked, unclaimed; first what is of another intent than the
    work under way."""
    under_way = Counter(claim.intent for claim in claims)
    free = [view for view in views if view.free]
    return sorted(
        free, key=lambda view: under_way[view.task.intent_hint] if view.task.intent_hint else 0
    )


def _names(task: Task, number: int) -> set[str]:
    """By which a claim or another task may call it."""
    given = (task.id or "", task.text, task.uid, f"{LETTERS['tasks']}{number}")
    return {comparison_key(name) for name in given} - {""}
