"""Jump mode, zoom, the esc ladder and the mouse on the workspace and beyond."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.dialogs.model_picker import ModelPicker
from smriti_tui.screens.jump import JumpScreen, targets_of
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, desk, on_top, place_of, screen_text, settle, until, workspace

SIZES = [(120, 36), (60, 16)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_leads_to_every_place_and_nothing_moves(
    house: House, size: tuple[int, int]
) -> None:
    house.seed()
    async with house.app(size) as pilot:
        screen = workspace(pilot)
        await pilot.press(*"typed", "ctrl+o")
        await pilot.pause()
        assert on_top(pilot, JumpScreen)
        keys = {target.key for target in targets_of(screen)}
        assert {"1", "2", "3", "p", "s", "x"} <= keys
        rows = screen_text(pilot).split("\n")
        for target in targets_of(screen):
            assert f" {target.key} " in rows[target.y][max(target.x - 1, 0) :][:5]
        await pilot.press("escape")
        await pilot.pause()
        assert screen.focused is screen.query_one(Prompt)
        assert screen.query_one(Prompt).text == "typed"
        for key, place in (("2", "checkpoints"), ("1", "spaces"), ("p", "prompt"), ("3", "chat")):
            await pilot.press("ctrl+o")
            await pilot.pause()
            await pilot.press(key)
            await pilot.pause()
            await pilot.pause()
            assert place_of(pilot) == place
        await pilot.press("ctrl+o")
        await pilot.pause()
        await pilot.press("x")
        await settle(pilot)
        assert on_top(pilot, ContextScreen)


async def test_jump_mode_works_in_full_screens_and_dialogs(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("f3")
        await settle(pilot)
        inspector = pilot.app.screen
        before = inspector.focused
        keys = {target.key: target for target in targets_of(inspector)}
        line = screen_text(pilot).split("\n")[keys["s"].y]
        assert line[keys["s"].x :].startswith(" Left out")
        await pilot.press("ctrl+o", "d")
        await pilot.pause()
        await pilot.pause()
        assert pilot.app.screen is inspector
        assert "[Request]" in screen_text(pilot)
        await pilot.press("ctrl+o", list(keys)[-1])
        await pilot.pause()
        await pilot.pause()
        assert inspector.focused is not before
        await pilot.press("escape", "ctrl+t")
        await settle(pilot)
        assert on_top(pilot, ModelPicker)
        await pilot.press("ctrl+o")
        await pilot.pause()
        assert on_top(pilot, JumpScreen)
        await pilot.press("a", *"demo")
        await pilot.pause()
        assert pilot.app.screen.query_one(Input).value == "demo"


async def test_zoom_gives_the_place_with_the_focus_more_room_and_stays(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        screen = workspace(pilot)
        pane, spaces = screen.query_one("#checkpoints"), screen.query_one("#spaces")
        usual = pane.size
        await pilot.press("escape", "2", "+")
        await pilot.pause()
        assert "TALL" in screen_text(pilot).split("\n")[0]
        assert (spaces.region.area, pane.size.width) == (0, usual.width)
        assert pane.size.height > usual.height
        await pilot.press("+", "+")
        await pilot.pause()
        assert "FULL" in screen_text(pilot).split("\n")[0]
        assert pane.region.width == 120
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.resize_terminal(120, 36)
        await pilot.pause()
        assert pane.region.width == 120
        await pilot.press("3")
        await pilot.pause()
        await pilot.pause()
        assert screen.query_one("#chat").region.width == 120
        assert screen.query_one("#prompt").region.area == 0
        await pilot.press("i", *"still typed")
        await pilot.pause()
        assert screen.query_one(Prompt).text == "still typed"
        assert screen.query_one(Prompt).region.height > 20
        await pilot.press("escape", "_", "_", "2")
        await pilot.pause()
        assert pane.size == usual
        assert "FULL" not in screen_text(pilot)


async def test_escape_takes_one_step_at_a_time_and_never_leaves_the_workspace(
    house: House,
) -> None:
    house.seed()
    house.model.hold_after = 4
    async with house.app() as pilot:
        screen = workspace(pilot)
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am not" in screen_text(pilot))
        await pilot.press(*"next", "escape", "slash")  # esc stops the answer, and stays here
        await settle(pilot)
        assert place_of(pilot) == "prompt"
        assert screen.query_one(Prompt).text == "next/"
        house.model.hold_after = None
        look = desk(pilot).place.look
        assert look is not None
        assert look.turns[-1].status == "stopped"
        screen.tell("Something is wrong.")
        await pilot.press("escape")
        assert place_of(pilot) == "prompt"
        await pilot.press("escape")
        await pilot.pause()
        assert place_of(pilot) == "chat"
        await pilot.press("escape", "escape", "escape")
        await settle(pilot)
        assert on_top(pilot, type(screen))
        assert place_of(pilot) == "chat"
        assert screen.query_one(Prompt).text == "next/"


async def test_an_answer_is_not_stopped_from_another_pane(house: House) -> None:
    house.seed()
    house.model.hold_after = 4
    async with house.app() as pilot:
        screen = workspace(pilot)
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am not" in screen_text(pilot))
        screen.go("checkpoints")
        await pilot.pause()
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert screen.answers_running
        house.model.go_on.set()
        await settle(pilot)


async def test_the_parts_of_the_top_line_and_the_footer_can_be_clicked(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        screen = workspace(pilot)
        starts = dict(screen.query_one(HeaderBar).starts())
        await pilot.click(HeaderBar, offset=(starts["space"] + 1, 0))
        await pilot.pause()
        assert place_of(pilot) == "spaces"
        foot = screen_text(pilot).split("\n")[-1]
        await pilot.click("FooterBar", offset=(foot.index("? Help"), 0))
        await pilot.pause()
        assert "Help: 1 Spaces" in screen_text(pilot)
        await pilot.press("escape")
        await pilot.click(HeaderBar, offset=(starts["model"] + 1, 0))
        await settle(pilot)
        assert on_top(pilot, ModelPicker)
        await pilot.press("escape")
        await pilot.click("#checkpoints", offset=(4, 5))
        await pilot.pause()
        assert place_of(pilot) == "checkpoints"
