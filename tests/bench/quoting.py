"""Citations of a large draft checked word by word, beside a bare search for the same quotes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Role, Turn
from smriti_tui.domain.quotes import Said
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import words

TURNS = 1000
QUOTES = 200
ROUNDS = 15
BUDGET_MS = 100
KINDS: Final = {"all said": 0, "every second one invented": 2, "all invented": 1}
"""Every how many quotes one was never said; 0 for none."""


def quoting(plan: Plan) -> list[Figure]:
    """The time of the processor: no other process counts."""
    count = plan.size(TURNS)
    turns = [_turn(number) for number in range(1, count + 1)]
    say(f"  {QUOTES} quotes over {count} turns")
    figures = []
    for name, every in KINDS.items():
        chance = random.Random(7)
        quotes = []
        for number in range(QUOTES):
            turn = chance.choice(turns)
            invented = every and number % every == 0
            quotes.append((f"{_part(turn)} never said" if invented else _part(turn), turn))
        ways: dict[str, Callable[[], object]] = {
            "checked": partial(_checked, turns, quotes),
            "in": partial(_found, turns, quotes),
        }
        timed = {each: partial(_timed, way) for each, way in ways.items()}
        found = interleaved(plan.rounds(ROUNDS), timed, warm_up=True, quiet=True)
        figure = compared(
            "quoting", f"{QUOTES} quotes over {count} turns, {name}", "ms",
            found["checked"], "`in` on each turn, nothing folded", found["in"],
        )  # fmt: skip
        figures.append(replace(figure, how="itself", judged=None, budget=Budget(BUDGET_MS)))
    return figures


def _turn(number: int) -> Turn:
    role: Role = "user" if number % 2 else "assistant"
    text = words(number, 30 if number % 2 else 120)
    return Turn(SessionId("s"), number, 1, role, text, text, "complete", "")


def _part(turn: Turn) -> str:
    said = turn.content.split()
    return " ".join(said[5:15])


def _checked(turns: list[Turn], quotes: list[tuple[str, Turn]]) -> object:
    said = Said(turns)
    return [said.check(quote, turn.sequence_number) for quote, turn in quotes]


def _found(turns: list[Turn], quotes: list[tuple[str, Turn]]) -> object:
    return [any(quote in turn.content for turn in turns) for quote, _ in quotes]


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
