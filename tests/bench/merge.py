"""Compare and merge of two checkpoints with 500 items, beside reading both from JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Item, Task
from smriti_tui.domain.render.slot_rows import compare_rows, merge_count, merge_rows
from smriti_tui.domain.values import canonical
from smriti_tui.services import Services
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import services_at, words

ITEMS = 500
ROUNDS = 15
COMPARE_MS = 50
MERGE_MS = 150


def merge(plan: Plan) -> list[Figure]:
    """From the database to the rows of the screen, in wall time and in time of the processor."""
    items = plan.size(ITEMS)
    with services_at(plan.new_folder("home")) as services:
        ours, theirs = _apart(services, items)
        say(f"  {items} items on each side")
        read = partial(_decoded, *(canonical(to_json(each.body)) for each in (ours, theirs)))
        ways: dict[str, Callable[[], object]] = {
            "compare": partial(_compared, services, ours.id, theirs.id),
            "merge": partial(_merged, services, ours, theirs.id),
            "json": read,
        }
        timed = {name: partial(_timed, way) for name, way in ways.items()}
        found = interleaved(plan.rounds(ROUNDS), timed, warm_up=True, quiet=True)
    figures = []
    for name, budget in (("compare", COMPARE_MS), ("merge", MERGE_MS)):
        for at, clock in enumerate(("wall", "processor")):
            figure = compared(
                "merge", f"{name} of two checkpoints with {items} items, {clock} time", "ms",
                [each[at] for each in found[name]],
                "both bodies read from JSON", [each[at] for each in found["json"]],
            )  # fmt: skip
            figures.append(replace(figure, how="itself", judged=None, budget=Budget(budget)))
    return figures


def _apart(services: Services, items: int) -> tuple[Checkpoint, Checkpoint]:
    """Two lines over a base: each changed, retired and added a tenth, a tenth of it both."""
    space = services.spaces.create("Merge").id
    half = items // 2
    first = CheckpointInput(
        title="Base",
        decisions=tuple(Item("", f"decision {n}: {words(n, 18)}") for n in range(half)),
        tasks=tuple(Task("", f"task {n}: {words(n + 9, 12)}") for n in range(items - half)),
    )
    base = services.checkpoints.create(space, first).checkpoint
    fork = services.forking.from_checkpoint(base.id, branch="expl")
    theirs = services.checkpoints.create(
        space, _changed(base, "theirs", 3), session=fork.session.id
    ).checkpoint
    return services.checkpoints.create(space, _changed(base, "ours", 0)).checkpoint, theirs


def _changed(base: Checkpoint, name: str, shift: int) -> CheckpointInput:
    decisions = [
        replace(item, text=f"{item.text} as {name} has it") if n % 10 == shift % 9 else item
        for n, item in enumerate(base.body.decisions)
        if n % 10 != shift + 1
    ]
    both = [n for n in range(len(decisions)) if n % 40 == 0]
    for n in both:
        decisions[n] = replace(decisions[n], text=f"{name} {words(n, 17)}")
    more = len(decisions) // 10
    added = [Item("", f"{name} adds {n}: {words(n + shift, 16)}") for n in range(more)]
    tasks = [
        replace(task, status="done") if n % 7 == shift else task
        for n, task in enumerate(base.body.tasks)
    ]
    return CheckpointInput(title=name, decisions=(*decisions, *added), tasks=tuple(tasks))


def _compared(services: Services, a: CheckpointId, b: CheckpointId) -> object:
    return compare_rows(services.merging.compare(a, b))


def _merged(services: Services, ours: Checkpoint, theirs: CheckpointId) -> object:
    found = services.merging.start(ours.branch, theirs)
    base = found.base.body if found.base else None
    sides = found.ours.body, found.theirs.body
    return merge_rows(found.plan, base, *sides), merge_count(found.plan, *sides)


def _decoded(*texts: str) -> object:
    return [from_json(CheckpointBody, json.loads(text)) for text in texts]


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds by the wall and by the processor."""
    wall, used = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - used) * 1000
