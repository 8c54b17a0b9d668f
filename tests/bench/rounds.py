"""Rounds: each way once per round in random order, so that a noisy machine hits all alike."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Plan:
    """How much is measured, and where its files may lie: a folder on a real disk."""

    folder: Path
    quick: bool = False

    def rounds(self, usual: int) -> int:
        """Rounds of a benchmark; two are enough to see that it works."""
        return 2 if self.quick else usual

    def size(self, usual: int) -> int:
        """Size of what is built; a tenth is enough to see that it works."""
        return max(1, usual // 10) if self.quick else usual

    def new_folder(self, name: str) -> Path:
        """An empty folder of this run."""
        number = sum(1 for _ in self.folder.glob(f"{name}-*"))
        made = self.folder / f"{name}-{number}"
        made.mkdir(parents=True)
        return made


def interleaved(
    rounds: int,
    ways: Mapping[str, Callable[[], T]],
    *,
    warm_up: bool = False,
    quiet: bool = False,
) -> dict[str, list[T]]:
    """Results by way, in order of the rounds. A warm-up is one more round that does not count."""
    found: dict[str, list[T]] = {name: [] for name in ways}
    chance = random.Random(rounds)
    for number in range(-1 if warm_up else 0, rounds):
        order = list(ways)
        chance.shuffle(order)
        for name in order:
            result = ways[name]()
            if number >= 0:
                found[name].append(result)
            if not quiet:
                say(f"  round {number + 1} of {rounds}  {name}")
    return found


def say(text: str) -> None:
    """Progress, beside the result."""
    print(text, file=sys.stderr, flush=True)
