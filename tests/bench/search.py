"""The search over 100,000 turns, beside a scan of the same texts with LIKE."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from smriti_tui.domain.events import TurnAdded
from smriti_tui.domain.search_hit import Filters
from smriti_tui.services import Services
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import services_at, words

TURNS = 100_000
SESSIONS = 100
ROUNDS = 7
BUDGET_MS = 100
LIKE = (
    "SELECT session, sequence_number FROM turn WHERE text LIKE ? ORDER BY recorded_at DESC LIMIT 50"
)
"""The newest fifty: what a program without an index would show."""


def search(plan: Plan) -> list[Figure]:
    """What somebody waits for after the last key: the hits with their snippets."""
    with services_at(plan.new_folder("home")) as services:
        turns = _fill(plan, services)
        queries = {
            "a word in one turn": "canary77777",
            "a word in every turn": "always ",
            "two frequent words": "latency segment ",
            "a phrase": '"latency segment"',
            "a word's first letter": "a",
            "C++, once": "C++",
            "two Han signs": "漢字",
        }
        figures = [_figure(plan, services, turns, *query) for query in queries.items()]
        nobody = Filters(author="nobody")
        figures.append(
            _figure(plan, services, turns, "a word in every turn, of nobody", "always ", nobody)
        )
    return figures


def _fill(plan: Plan, services: Services) -> int:
    each = plan.size(TURNS) // SESSIONS
    say(f"  {each * SESSIONS:,} turns")
    space = services.spaces.create("Search").id
    for number in range(SESSIONS):
        session = services.sessions.new(space, title=f"Talk {number}").id
        with services.caller.write() as scope:
            for at in range(1, each + 1):
                text = _text(number * each + at)
                scope.append(f"session/{session}", TurnAdded(at, 1, "user", text, text))
    return each * SESSIONS


def _text(number: int) -> str:
    rare = {50_005: "rewritten in C++ and Rust", 123: "das Zeichen 漢字 steht hier"}
    extra = rare.get(number, "a GitHub issue")
    return f"It is always canary{number} that asks: {words(number, 50)}; {extra}."


def _figure(
    plan: Plan,
    services: Services,
    turns: int,
    what: str,
    typed: str,
    filters: Filters | None = None,
) -> Figure:
    pattern = f"%{typed.strip().strip(chr(34))}%"

    def scan() -> None:
        with services.caller.read() as tx:
            tx.connection().exec_driver_sql(LIKE, (pattern,)).fetchall()

    ways: dict[str, Callable[[], float]] = {
        "ours": partial(_ms, lambda: services.searching.search(typed, filters)),
        "like": partial(_ms, scan),
    }
    found = interleaved(plan.rounds(ROUNDS), ways, warm_up=True, quiet=True)
    figure = compared(
        "search",
        f"search, {what}, {turns:,} turns",
        "ms",
        found["ours"],
        "a scan with LIKE",
        found["like"],
    )
    return replace(figure, how="itself", judged=None, budget=Budget(BUDGET_MS))


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000
