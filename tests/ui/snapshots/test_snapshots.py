"""Every screen in six sizes, in the light theme and without colour.

`make snap` writes the files anew; look at every change before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.snapshots.drawing import emphasis, words
from tests.ui.snapshots.keeping import Kept, reach
from tests.ui.snapshots.scenes import SCENES, SIZES, WIDE, Scene
from tests.ui.stage import LIGHT, Go, HeldModel, demo, empty, on_stage

FIRST_RUN = Scene("first-run", (), "Look around in")


def plain(pilot: Go) -> str:
    """What is left without colour."""
    return f"{words(pilot)}\n\n{emphasis(pilot)}"


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_snapshot(scene: Scene, tmp_path: Path, kept: Kept) -> None:
    model = HeldModel()
    async with on_stage(lambda: demo(tmp_path, model), size=SIZES[0], is_demo=True) as pilot:
        await reach(pilot, scene)
        await kept.in_sizes(pilot, *SIZES)
        pilot.app.theme = LIGHT
        await pilot.resize_terminal(*WIDE)
        await kept.take(pilot, "light", plain)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_snapshot_without_colour(
    scene: Scene, tmp_path: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    model = HeldModel()
    async with on_stage(lambda: demo(tmp_path, model), size=WIDE, is_demo=True) as pilot:
        await reach(pilot, scene)
        await kept.take(pilot, "no colour", plain)


async def test_snapshot_of_the_first_run(tmp_path: Path, kept: Kept) -> None:
    model = HeldModel()
    async with on_stage(lambda: empty(tmp_path, model), size=SIZES[0]) as pilot:
        await reach(pilot, FIRST_RUN)
        await kept.in_sizes(pilot, *SIZES)
