"""Random lives of stores that part, and meet again and again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from smriti_tui.services import Services
from tests.services.merging_stores import apart, merged, sound, told
from tests.store.test_past import Life
from tests.support import opened_services


async def parted(folder: Path, seed: int, *names: str) -> Life:
    with opened_services(folder) as services:
        life = Life(services, seed)
        for _ in range(25):
            await life.step()
    return life


class Apart(Life):
    """Goes on with the life that all began with, in one of the stores."""

    def __init__(self, services: Services, seed: int, begun: Life) -> None:
        super().__init__(services, seed)
        self.space, self.session, self.forks = begun.space, begun.session, list(begun.forks)


async def meeting(tmp_path: Path, seed: int, names: tuple[str, ...], rounds: int) -> None:
    begun = await parted(tmp_path / "base", seed)
    with apart(tmp_path / "base", *names) as stores:
        lives = [Apart(each, seed + n, begun) for n, each in enumerate(stores, 1)]
        chance = random.Random(seed)
        for _ in range(rounds):
            for life in lives:
                for _ in range(chance.randrange(12)):
                    await life.step()
            into, other = chance.sample(stores, 2)
            merged(into, other)
            sound(into)
        for _ in range(2):
            for into in stores:
                for other in stores:
                    if into is not other:
                        merged(into, other)
        first, *others = map(told, stores)
        assert others == [first] * len(others)
        sound(*stores)


@pytest.mark.parametrize("seed", range(4))
async def test_two_lives_that_meet_hold_the_same(tmp_path: Path, seed: int) -> None:
    await meeting(tmp_path, seed, ("one", "two"), 4)


@pytest.mark.parametrize("seed", range(2))
async def test_three_lives_that_meet_hold_the_same(tmp_path: Path, seed: int) -> None:
    await meeting(tmp_path, seed, ("one", "two", "three"), 5)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 160))
async def test_many_lives_that_meet_hold_the_same(tmp_path: Path, seed: int) -> None:
    await meeting(tmp_path, seed, ("one", "two", "three", "four")[: 2 + seed % 3], 12)
