"""Every screen in six sizes, in the light theme and without colour.

`make snap` writes the files anew; look at every change before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.ui.snapshots.drawing import emphasis, still, words
from tests.ui.snapshots.keeping import in_sizes, reach
from tests.ui.snapshots.scenes import SCENES, SIZES, WIDE, Scene
from tests.ui.stage import LIGHT, HeldModel, demo, empty, on_stage

FIRST_RUN = Scene("first-run", (), "Look around in")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_snapshot(scene: Scene, tmp_path: Path, kept: SnapshotAssertion) -> None:
    model = HeldModel()
    async with on_stage(lambda: demo(tmp_path, model), size=SIZES[0], is_demo=True) as pilot:
        await reach(pilot, scene)
        drawn = await in_sizes(pilot, *SIZES)
        pilot.app.theme = LIGHT
        await pilot.resize_terminal(*WIDE)
        await still(pilot)
        drawn += f"======== light\n{words(pilot)}\n{emphasis(pilot)}\n"
    assert drawn == kept


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_snapshot_without_colour(
    scene: Scene, tmp_path: Path, kept: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    model = HeldModel()
    async with on_stage(lambda: demo(tmp_path, model), size=WIDE, is_demo=True) as pilot:
        await reach(pilot, scene)
        assert f"{words(pilot)}\n======== emphasis\n{emphasis(pilot)}\n" == kept


async def test_snapshot_of_the_first_run(tmp_path: Path, kept: SnapshotAssertion) -> None:
    model = HeldModel()
    async with on_stage(lambda: empty(tmp_path, model), size=SIZES[0]) as pilot:
        await reach(pilot, FIRST_RUN)
        assert await in_sizes(pilot, *SIZES) == kept
