"""Snapshots as text files, one for each scene, and what a test of one scene does."""

from __future__ import annotations

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tests.ui.snapshots.drawing import still, words
from tests.ui.snapshots.scenes import Scene
from tests.ui.stage import Go


class TextFile(SingleFileSnapshotExtension):
    """One text file for each scene."""

    file_extension = "txt"
    _write_mode = WriteMode.TEXT


async def reach(pilot: Go, scene: Scene) -> None:
    """Presses the scene's keys, one after the other; what is only typed goes in one piece."""
    await still(pilot)
    typed = [key for key in scene.keys if len(key) == 1]
    if len(typed) == len(scene.keys) > 0:
        await pilot.press(*typed)
    else:
        for key in scene.keys:
            await pilot.press(key)
            await still(pilot)
    await still(pilot)
    assert scene.sign in words(pilot), words(pilot)


async def in_sizes(pilot: Go, *sizes: tuple[int, int]) -> str:
    """The screen in one size after the other."""
    parts = []
    for width, height in sizes:
        await pilot.resize_terminal(width, height)
        await still(pilot)
        parts += [f"======== {width}x{height}", words(pilot)]
    return "\n".join(parts) + "\n"
