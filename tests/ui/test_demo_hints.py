"""The demo's three hints: one at a time, gone with their keys, ended by esc; nothing else moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from smriti_tui.app import SmritiApp, Start
from smriti_tui.config.light import LightConfig
from smriti_tui.widgets.hint_line import HintLine
from tests.ui.house import House, screen_text, settle, workspace
from tests.ui.stage import HeldModel, demo

OWN_KEYS = {"nav.pane_2": "8", "checkpoint.mount": "P", "nav.back": "ctrl+r", "context.show": ""}


@asynccontextmanager
async def in_demo(
    folder: Path, size: tuple[int, int], keys: dict[str, str] | None = None
) -> AsyncIterator[Pilot[int]]:
    app = SmritiApp(
        Start(demo=True),
        light=LightConfig(motion=False, keys=keys or {}),
        opener=lambda: demo(folder, HeldModel()),
    )
    try:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            yield pilot
            await workspace(pilot).put_away()
    finally:
        if app.opened is not None:
            app.opened.close()


def hint(pilot: Pilot[int]) -> str:
    return workspace(pilot).query_one(HintLine).words


async def press(pilot: Pilot[int], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


@pytest.mark.parametrize(
    ("size", "first", "second", "third"),
    [
        (
            (120, 36), "esc, then 2: the checkpoints", "m mounts this one.",
            "x: what an answer was made of",
        ),
        (
            (80, 24), "esc leaves the prompt, 2 goes to the checkpoints.",
            "m mounts the one under the cursor: the model gets it alone.",
            "x shows exactly what an answer was made of.",
        ),
        (
            (60, 16), "esc, then 2: the checkpoints", "m mounts this: the model gets it alone.",
            "x: what an answer was made of",
        ),
    ],
)  # fmt: skip
async def test_each_is_seen_whole_and_goes_with_its_key(
    tmp_path: Path, size: tuple[int, int], first: str, second: str, third: str
) -> None:
    async with in_demo(tmp_path, size) as pilot:
        assert hint(pilot) == first
        assert first in screen_text(pilot).splitlines()[-2]
        await press(pilot, "escape")
        assert "esc leaves" not in hint(pilot)
        assert "2" in hint(pilot)
        await press(pilot, "2")
        assert hint(pilot) == second
        assert second in screen_text(pilot).splitlines()[-2]
        assert "all branches" in screen_text(pilot) or size[0] < 100
        await press(pilot, "m")
        assert hint(pilot) == third
        assert third in screen_text(pilot).splitlines()[-2]
        await press(pilot, "i")
        assert hint(pilot).startswith("f3")
        await press(pilot, "f3")
        await press(pilot, "escape")
        assert hint(pilot) == ""


async def test_esc_ends_them_while_browsing_and_nothing_moves(tmp_path: Path) -> None:
    async with in_demo(tmp_path, (120, 36)) as pilot:
        await press(pilot, "escape")
        screen = workspace(pilot)
        assert screen.place == "chat"
        assert hint(pilot)
        panes = screen.query("#columns, #left *, #talk *").results()
        before = {widget: widget.region for widget in panes}
        await press(pilot, "escape")
        assert hint(pilot) == ""
        assert not screen.query_one(HintLine).display
        assert before == {widget: widget.region for widget in before}
        await press(pilot, "2", "i")
        assert hint(pilot) == ""


async def test_a_key_pressed_before_its_turn_is_known(tmp_path: Path) -> None:
    async with in_demo(tmp_path, (120, 36)) as pilot:
        await press(pilot, "f3")
        await press(pilot, "escape")
        assert "2: the checkpoints" in hint(pilot)
        await press(pilot, "escape", "2", "m")
        assert hint(pilot) == ""


async def test_they_name_own_keys_and_none_that_was_taken_away(tmp_path: Path) -> None:
    async with in_demo(tmp_path, (120, 36), OWN_KEYS) as pilot:
        assert hint(pilot) == "^r, then 8: the checkpoints"
        await press(pilot, "ctrl+r", "8", "i")
        assert hint(pilot).startswith("^r, then P mounts")
        await press(pilot, "ctrl+r", "2", "P")
        assert hint(pilot) == ""


async def test_they_stay_above_the_bar_and_are_only_in_the_demo(
    house: House, tmp_path: Path
) -> None:
    async with in_demo(tmp_path, (80, 24)) as pilot:
        workspace(pilot).tell("Something went wrong.")
        await settle(pilot)
        lines = screen_text(pilot).splitlines()
        assert "Something went wrong." in lines[-2]
        assert hint(pilot) in lines[-3]
    house.seed()
    async with house.app() as pilot:
        await press(pilot, "escape", "2", "m")
        assert not workspace(pilot).query(HintLine)
