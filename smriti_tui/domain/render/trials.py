"""The outcome of testing a model, in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.model import Cost, Usage


class Trial(Protocol):
    """What a test has found out; its texts hold no key."""

    @property
    def model(self) -> str: ...
    @property
    def first_ms(self) -> int | None: ...
    @property
    def total_ms(self) -> int: ...
    @property
    def said(self) -> str: ...
    @property
    def only_thought(self) -> bool: ...
    @property
    def usage(self) -> Usage | None: ...
    @property
    def cost(self) -> Cost | None: ...


def trial_lines(trial: Trial) -> Iterator[str]:
    """The lines of a model that answered; what nobody knows is unknown."""
    yield f"{clean_line(trial.model)} answers."
    if trial.first_ms is not None:
        yield f"first token after {trial.first_ms:,} ms"
    yield f"done in {trial.total_ms:,} ms"
    yield f"tokens {_tokens(trial.usage)}, cost {_cost(trial.cost)}"
    if trial.only_thought:
        yield "It used its few tokens up before the first word, as models that think first do."
    elif trial.said:
        yield f"It said: {clean_line(trial.said)}"


def _tokens(usage: Usage | None) -> str:
    return "unknown" if usage is None else f"{usage.input_tokens} in, {usage.output_tokens} out"


def _cost(cost: Cost | None) -> str:
    return "unknown" if cost is None else f"${clean_line(cost.usd)}"
