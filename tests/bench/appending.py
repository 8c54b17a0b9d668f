"""Appending events: ours beside a raw loop under the same lock, and beside a connection per
event."""

from __future__ import annotations

import time
from functools import partial

from smriti_tui.store.eventlog import NewEvent
from tests.bench.append_team import Round, race
from tests.bench.append_way import STREAM, payload
from tests.bench.append_ways import LIBRARY
from tests.bench.figures import Budget, Figure, compared, told
from tests.bench.rounds import Plan, interleaved
from tests.bench.seed import services_at

RAW = "raw sqlite3 under the same lock"
PER_EVENT = "a connection per event"
AHEAD = Budget(1, at_least=True)
MANY = 16
BATCH = 100


def appending(plan: Plan) -> list[Figure]:
    """Rate with 1 and 4 writers, `synchronous=FULL`."""
    teams = {
        f"{way} {writers}": (way, writers)
        for writers in (1, 4)
        for way in ("ours", "raw", "per_event", LIBRARY)
    }
    found = race(plan, teams, rounds=7, slices=8, seconds=0.25)
    figures: list[Figure] = []
    for writers in (1, 4):
        ours, raw, apart = (found[f"{way} {writers}"] for way in ("ours", "raw", "per_event"))
        library = found[f"{LIBRARY} {writers}"]
        budget = Budget(0.6, at_least=True)
        figures += [
            _rate("append", f"append, writers: {writers}", ours, RAW, raw, budget),
            _rate("append", f"append, writers: {writers}", ours, PER_EVENT, apart),
            _rate("append", f"append, writers: {writers}", ours, LIBRARY, library, AHEAD),
            _rate("append", f"{RAW}, writers: {writers}", raw, PER_EVENT, apart),
            told(
                "append",
                f"processor time of an append, writers: {writers}",
                "us",
                [each.cpu_us for each in ours],
                note=f"raw: {min(each.cpu_us for each in raw):.0f} at best",
            ),
        ]
    return figures


def waiting(plan: Plan) -> list[Figure]:
    """The worst wait and fairness among 4 writers that never pause."""
    found = race(
        plan, {way: (way, 4) for way in ("ours", "per_event")}, rounds=5, slices=1, seconds=5
    )
    ours, apart = found["ours"], found["per_event"]
    return [
        _worst("waiting", ours, apart, 4, Budget(0.1)),
        told(
            "waiting",
            "slowest writer's share of the fastest's, writers: 4",
            "",
            [each.fairness for each in ours],
            budget=Budget(0.7, at_least=True),
            note=f"{PER_EVENT}: {min(each.fairness for each in apart):.2f} at worst",
        ),
    ]


def many(plan: Plan) -> list[Figure]:
    """Sixteen writers: nobody is told that the database is locked."""
    teams = {way: (way, MANY) for way in ("ours", "per_event")}
    found = race(plan, teams, rounds=3, slices=1, seconds=2 if plan.quick else 8)
    ours, apart = found["ours"], found["per_event"]
    return [
        told(
            "many",
            f"'locked' errors in all rounds, writers: {MANY}",
            "",
            [float(sum(each.locked for each in ours))],
            budget=Budget(0),
            note=f"{PER_EVENT}: {sum(each.locked for each in apart)}",
        ),
        _worst("many", ours, apart, MANY),
        _rate("many", f"append, writers: {MANY}", ours, PER_EVENT, apart),
    ]


def batches(plan: Plan) -> list[Figure]:
    """A hundred events at once beside a hundred appends, on one kept-open connection."""
    with services_at(plan.new_folder("batches")) as services:
        log = services.caller.store.log

        def append(size: int) -> None:
            events = [NewEvent("item_created", payload(0, number)) for number in range(size)]
            log.append(STREAM, events, actor="bench", door="cli")

        def per_s(size: int, times: int) -> float:
            began = time.perf_counter()
            for _ in range(times):
                append(size)
            return size * times / (time.perf_counter() - began)

        ways = {"batch": partial(per_s, BATCH, 10), "single": partial(per_s, 1, BATCH)}
        found = interleaved(plan.rounds(7), ways, warm_up=True)
    return [
        compared(
            "batches", f"append in batches of {BATCH}", "/s", found["batch"],
            "one at a time", found["single"], budget=Budget(5, at_least=True),
        )
    ]  # fmt: skip


def domain(plan: Plan) -> list[Figure]:
    """A command's events with their projections beside a bare append of a connection per event."""
    teams = {way: (way, 1) for way in ("send", "save", "per_event")}
    found = race(plan, teams, rounds=5, slices=8, seconds=0.25)
    names = {"send": "a send's three events", "save": "a checkpoint of 3 KB"}
    reference = f"bare append, {PER_EVENT}"
    budget = Budget(1, at_least=True)
    return [
        _rate(
            "domain",
            f"{words} with their tables",
            found[way],
            reference,
            found["per_event"],
            budget,
        )
        for way, words in names.items()
    ]


def _rate(
    bench: str,
    what: str,
    ours: list[Round],
    reference_name: str,
    reference: list[Round],
    budget: Budget | None = None,
) -> Figure:
    return compared(
        bench,
        what,
        "/s",
        [each.per_s for each in ours],
        reference_name,
        [each.per_s for each in reference],
        budget=budget,
    )


def _worst(
    bench: str, ours: list[Round], apart: list[Round], writers: int, budget: Budget | None = None
) -> Figure:
    return compared(
        bench,
        f"worst wait, writers: {writers}",
        "ms",
        [each.worst_ms for each in ours],
        PER_EVENT,
        [each.worst_ms for each in apart],
        budget=budget,
    )
