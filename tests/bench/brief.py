"""The state brief over 1,000 checkpoints on 40 branches, beside reading its head alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.domain.model import Item, Task
from smriti_tui.domain.render.state import state_brief
from smriti_tui.services import Services
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import services_at, words

CHECKPOINTS = 1000
BRANCHES = 40
CLAIMS = 30
ROUNDS = 15
BUDGET_MS = 150


def brief(plan: Plan) -> list[Figure]:
    """From an open database to the text."""
    count = plan.size(CHECKPOINTS)
    with services_at(plan.new_folder("home")) as services:
        space, first = _seeded(services, count)
        head = services.checkpoints.of_space(space, branch="main", limit=1)[0].id
        say(f"  {count} checkpoints, {BRANCHES} branches, {CLAIMS} claims")
        ways: dict[str, Callable[[], object]] = {
            "brief": lambda: state_brief(services.state.view(space)),
            "since": lambda: state_brief(services.state.view(space, since=first)),
            "head": lambda: services.checkpoints.get(head),
        }
        timed = {name: partial(_timed, way) for name, way in ways.items()}
        found = interleaved(plan.rounds(ROUNDS), timed, warm_up=True, quiet=True)
    figures = []
    for name, what in (("brief", "the state brief"), ("since", "with --since the first one")):
        figure = compared(
            "brief", f"{what}, {count} checkpoints", "ms", found[name],
            "reading the head alone", found["head"],
        )  # fmt: skip
        figures.append(replace(figure, how="itself", judged=None, budget=Budget(BUDGET_MS)))
    return figures


def _seeded(services: Services, count: int) -> tuple[SpaceId, CheckpointId]:
    space = services.spaces.create("Brief").id
    made = [services.checkpoints.create(space, _content(0)).checkpoint.id]
    for number in range(1, count - BRANCHES):
        made.append(services.checkpoints.create(space, _content(number)).checkpoint.id)
    for number in range(BRANCHES):
        start = made[number * len(made) // BRANCHES]
        content = _content(number + 7_000)
        services.checkpoints.create_on_new_branch(
            space, content, branch=f"try/{number}", start=start
        )
    for number in range(CLAIMS):
        services.claims.take(space, words(number, 6), task_id=f"task-{number}")
    return space, made[0]


def _content(number: int) -> CheckpointInput:
    return CheckpointInput(
        title=words(number, 5),
        objective=words(number, 12),
        summary=words(number, 60),
        decisions=tuple(Item("", f"{n} {words(number + n, 14)}") for n in range(8)),
        assumptions=tuple(Item("", f"{n} {words(number + n, 10)}") for n in range(5)),
        tasks=tuple(Task("", f"{n} {words(n, 9)}", id=f"task-{n}") for n in range(8)),
        open_questions=tuple(Item("", f"{n} {words(n, 9)}") for n in range(3)),
    )


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000
