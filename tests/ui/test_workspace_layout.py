"""Sizes, focus and resizing."""

from __future__ import annotations

import pytest

from smriti_tui.widgets.pane_tabs import PaneTabs
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, desk, screen_text, settle, until, workspace

SIZES = [(200, 50), (160, 48), (120, 36), (100, 30), (80, 24), (60, 16)]
WALK = ["spaces", "checkpoints", "chat", "prompt"]


@pytest.mark.parametrize("size", SIZES)
async def test_tab_walks_all_places_and_digits_reach_the_panes(
    house: House, size: tuple[int, int]
) -> None:
    house.seed()
    async with house.app(size) as pilot:
        screen = workspace(pilot)
        assert screen.place == "prompt"
        walk = WALK if 100 <= size[0] < 120 else ["agents", *WALK]
        for place in walk:
            await pilot.press("tab")
            await pilot.pause()
            assert screen.place == place
            assert screen.focused is screen.stop(screen.place)
            assert screen.focused is not None
            assert screen.focused.region.area > 0
        for place in reversed(walk[:-1]):
            await pilot.press("shift+tab")
            await pilot.pause()
            assert screen.place == place
        for digit, place in ((5, "agents"), *enumerate(WALK[:3], 1)):
            await pilot.press(str(digit))
            await pilot.pause()
            assert screen.place == place
            assert screen.stop(screen.place).region.area > 0
        await pilot.press("h", "h", "l", "i")
        await pilot.pause()
        assert screen.place == "prompt"
        lines = screen_text(pilot).split("\n")
        assert len(lines) == size[1]
        assert "Commands" in lines[-1]


@pytest.mark.parametrize("size", SIZES)
async def test_panes_stand_side_by_side_or_as_tabs(house: House, size: tuple[int, int]) -> None:
    house.seed()
    async with house.app(size) as pilot:
        screen = workspace(pilot)
        wide = size[0] >= 100
        assert screen.query_one(PaneTabs).display is not wide
        assert (screen.query_one("#spaces").region.area > 0) is wide
        if wide:
            chat = screen.query_one("#chat").size.width
            assert chat >= 56
        await pilot.press("escape", "2")
        await pilot.pause()
        assert screen.query_one("#checkpoints").region.area > 0
        assert "State 2" in screen_text(pilot)


async def test_resizing_while_an_answer_streams_keeps_focus_text_and_answer(house: House) -> None:
    house.seed()
    house.model.hold_after = 4
    async with house.app((120, 36)) as pilot:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am not" in screen_text(pilot))
        await pilot.press(*"and then")
        for width, height in (*SIZES, (40, 10), (120, 36), (80, 24)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
        assert workspace(pilot).query_one(Prompt).text == "and then"
        assert workspace(pilot).focused is workspace(pilot).query_one(Prompt)
        assert "I am not" in screen_text(pilot)
        house.model.go_on.set()
        await settle(pilot)
        look = desk(pilot).place.look
        assert look is not None
        assert look.turns[-1].status == "complete"
        assert look.turns[-1].text.split()[-1] in screen_text(pilot)
        assert "esc stops" not in screen_text(pilot)
        assert desk(pilot).panes.transcript.follows


async def test_resizing_while_an_answer_streams_keeps_what_is_read(house: House) -> None:
    house.seed()
    async with house.app((120, 36)) as pilot:
        for words in ("one", "two"):
            await pilot.press(*words, "enter")
            await settle(pilot)
        house.model.hold_after = 4
        await pilot.press(*"three", "enter")
        await until(pilot, lambda: workspace(pilot).answers_running)
        workspace(pilot).go("chat")
        await pilot.pause()
        await pilot.press("g", "j", "j")
        chat = desk(pilot).panes.transcript
        assert chat.selected_number == 3
        for width, height in (*SIZES, (40, 10), (120, 36)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert chat.selected_number == 3
        assert chat.cursor_row() is not None
        assert workspace(pilot).focused is chat
        house.model.go_on.set()
        await settle(pilot)
        assert chat.selected_number == 3


@pytest.mark.parametrize("size", [(59, 24), (80, 15), (20, 4), (1, 1)])
async def test_a_terminal_that_is_too_small_asks_for_room(
    house: House, size: tuple[int, int]
) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        await pilot.press(*"kept")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        if size[0] > 20:
            assert "needs a little more room" in screen_text(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert workspace(pilot).query_one(Prompt).text == "kept"
        assert "kept" in screen_text(pilot)


async def test_a_pane_that_had_the_focus_is_the_tab_after_narrowing(house: House) -> None:
    house.seed()
    async with house.app((120, 36)) as pilot:
        await pilot.press("escape", "2")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "[2 Checkpoints]" in screen_text(pilot)
        assert workspace(pilot).place == "checkpoints"
        assert workspace(pilot).focused is workspace(pilot).query_one("#checkpoints")


async def test_help_and_palette_come_and_go_with_the_focus_kept(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        await pilot.press("escape", "2", "?")
        await pilot.pause()
        assert "Help: 2 Checkpoints" in screen_text(pilot)
        assert "Mount this checkpoint" in screen_text(pilot)
        await pilot.press("escape", ":")
        await pilot.pause()
        await pilot.press(*"unmo")
        await pilot.pause()
        assert "Unmount, back to HEAD" in screen_text(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Not now: nothing is mounted" in screen_text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert workspace(pilot).place == "checkpoints"
        assert workspace(pilot).focused is workspace(pilot).query_one("#checkpoints")
