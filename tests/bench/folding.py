"""Folding a stream of 100,000 events: from a snapshot and 100 events, beside the whole fold."""

from __future__ import annotations

import time
from collections.abc import Callable

from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent
from smriti_tui.services.views import EVERY
from smriti_tui.store.engine import open_writer
from tests.bench.figures import Budget, Figure, compared, told
from tests.bench.rounds import Plan, say
from tests.bench.seed import services_at

EVENTS, TAIL = 100_100, 100
ITEMS = (50, 500, 5_000)
BATCH = 1_000
ROUNDS = 5
BUDGET = Budget(300, at_least=True)


def folding(plan: Plan) -> list[Figure]:
    """The tracker's state; writing a snapshot is told beside it."""
    return [figure for items in ITEMS for figure in _folded(plan, plan.size(items))]


def _folded(plan: Plan, items: int) -> list[Figure]:
    with services_at(plan.new_folder("folding")) as services:
        _fill(services, plan.size(EVENTS - TAIL), items)
        kept = _timed(lambda: services.views.snapshot("tracker"))
        _append(services, [_update(number, items) for number in range(TAIL)])
        tails = [_timed(lambda: _project(services, TAIL)) for _ in range(plan.rounds(ROUNDS))]
        _forget(services)
        whole = [_timed(lambda: _project(services, None)) for _ in range(plan.rounds(ROUNDS))]
    say(f"  {items:,} items")
    return [
        compared(
            "folding",
            f"whole fold over snapshot and {TAIL} events, {items:,} items",
            "ms",
            whole,
            "snapshot and tail",
            tails,
            budget=BUDGET,
        ),
        told("folding", f"folding all and writing a snapshot, {items:,} items", "ms", [kept]),
    ]


def _fill(services: Services, events: int, items: int) -> None:
    for start in range(0, events, BATCH):
        numbers = range(start, min(events, start + BATCH))
        _append(services, [_update(number, items) for number in numbers])


def _update(number: int, items: int) -> NewEvent:
    payload: dict[str, object] = {"id": f"item-{number % items}", "title": f"Title {number} " * 4}
    if number < items:
        payload.update(priority="P1", status="todo", lane="proposed", tags=["a"], notes="")
    return NewEvent("item_created" if number < items else "item_updated", payload)


def _append(services: Services, events: list[NewEvent]) -> None:
    # At the log's own door: no snapshot is kept by itself.
    services.caller.store.log.append("tracker", events, actor="bench", door="cli")


def _project(services: Services, expected: int | None) -> None:
    found = services.views.project("tracker")
    if expected is not None and found.read != expected:
        raise RuntimeError(f"{found.read} events were folded, not {expected}; {EVERY=}")


def _forget(services: Services) -> None:
    connection = open_writer(services.caller.store.path, "NORMAL")
    connection.execute("DELETE FROM view_snapshot")
    connection.close()


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000
