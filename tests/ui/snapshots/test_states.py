"""The states of the workspace: empty, loading, failed, streaming, read only, offline."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smriti_tui.app import SmritiApp
from smriti_tui.domain.errors import ProviderError, StoreError
from smriti_tui.screens.opening import Opened
from tests.ui.snapshots.drawing import still, words
from tests.ui.snapshots.keeping import Kept
from tests.ui.snapshots.scenes import NARROW, QUESTION, WIDE
from tests.ui.stage import Go, HeldModel, demo, empty, on_stage

BOTH = (WIDE, NARROW)


async def test_snapshot_empty(tmp_path: Path, kept: Kept) -> None:
    model = HeldModel()
    async with on_stage(lambda: empty(tmp_path, model), size=WIDE) as pilot:
        await still(pilot)
        await pilot.press("escape")
        await kept.in_sizes(pilot, *BOTH)


@contextmanager
def closed_door() -> Iterator[threading.Event]:
    """What an opener waits for; it is opened at the end, whatever happens."""
    door = threading.Event()
    try:
        yield door
    finally:
        door.set()


async def test_snapshot_loading(tmp_path: Path, kept: Kept) -> None:
    with closed_door() as door:

        def opener() -> Opened:
            door.wait()
            return demo(tmp_path, HeldModel())

        async with on_stage(opener, size=WIDE, is_demo=True) as pilot:
            await still(pilot, opened=False)
            await pilot.press(*"typed before the database is there")
            await still(pilot, opened=False)
            kept.now["before"] = words(pilot)
            door.set()
            await kept.take(pilot, "then")


async def test_snapshot_database_that_cannot_be_opened(kept: Kept) -> None:
    def opener() -> Opened:
        raise StoreError("The database is damaged: page 3.", "smriti doctor tells more.")

    async with on_stage(opener, size=WIDE) as pilot:
        await still(pilot, opened=False)
        kept.now["failed"] = words(pilot)


@pytest.mark.parametrize("focus", ["prompt", "chat"])
async def test_snapshot_streaming(focus: str, tmp_path: Path, kept: Kept) -> None:
    model = HeldModel()
    model.hold = True
    async with on_stage(lambda: demo(tmp_path, model), size=WIDE, is_demo=True) as pilot:
        await still(pilot)
        await pilot.press(*QUESTION, "enter")
        await model.held.wait()
        if focus == "chat":
            await pilot.press("tab", "tab", "tab")
        await kept.in_sizes(pilot, *BOTH)
        model.hold = False
        model.let_go.set()


async def test_snapshot_stopped_and_failed(tmp_path: Path, kept: Kept) -> None:
    model = HeldModel()
    model.hold = True
    async with on_stage(lambda: demo(tmp_path, model), size=WIDE, is_demo=True) as pilot:
        await still(pilot)
        await pilot.press(*QUESTION, "enter")
        await model.held.wait()
        await pilot.press("escape")
        await kept.in_sizes(pilot, *BOTH, then=" stopped")
        model.hold = False
        model.fault = ProviderError(
            "openai refused the key: 401 Incorrect API key provided.",
            "ctrl+t chooses another model.",
        )
        await pilot.press(*QUESTION, "enter")
        await kept.in_sizes(pilot, *BOTH, then=" failed")


def database_of(pilot: Go) -> Path:
    """The file that the app works on."""
    app = pilot.app
    assert isinstance(app, SmritiApp)
    assert app.opened is not None
    return Path(app.opened.config.database_url)


async def test_snapshot_offline(tmp_path: Path, kept: Kept) -> None:
    model = HeldModel()
    async with on_stage(lambda: demo(tmp_path, model), size=WIDE, is_demo=True) as pilot:
        await still(pilot)
        database = database_of(pilot)
        away = database.with_name("away")
        database.rename(away)
        for _ in range(200):
            await still(pilot)
            if "OFFLINE" in words(pilot):
                break
        await kept.in_sizes(pilot, *BOTH)
        away.rename(database)
        for _ in range(200):
            await still(pilot)
            if "OFFLINE" not in words(pilot):
                break
        await kept.in_sizes(pilot, WIDE, then=" back")
