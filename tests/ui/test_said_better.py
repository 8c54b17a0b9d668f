"""What the screen says in small places: the next step, what went well, what is too big."""

from __future__ import annotations

from dataclasses import replace

from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.widgets.notice_bar import NoticeBar
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace

WORDS_OVER = 600_000


async def test_pane_2_without_a_space_names_the_keys_that_make_one(house: House) -> None:
    house.light = replace(house.light, keys={"space.new": "N"})
    async with house.app((80, 24)) as pilot:
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("escape", "2")
        await settle(pilot)
        assert "No Space is open. 1, then N makes one." in screen_text(pilot)


async def test_what_went_well_has_no_sign_of_a_fault_and_covers_none(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        voice, bar = desk(pilot).voice, workspace(pilot).query_one(NoticeBar)
        voice.succeed("Exported to x.md.", cause="export")
        await settle(pilot)
        assert "! Exported" not in screen_text(pilot)
        assert "Exported to x.md.   esc dismisses" in screen_text(pilot)
        voice.tell("Something broke.")
        voice.succeed("Exported to y.md.", cause="export")
        await settle(pilot)
        assert "! Something broke." in screen_text(pilot)
        assert "y.md" not in bar.words
        assert "y.md" in notes(pilot)


async def test_a_prompt_too_big_is_told_with_its_size(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        prompt = desk(pilot).panes.prompt
        prompt.put("word " * WORDS_OVER)
        await until(pilot, lambda: "too big" in screen_text(pilot).splitlines()[0])
        assert "unknown" not in screen_text(pilot).splitlines()[0]
        prompt.put("short")
        await until(pilot, lambda: "too big" not in screen_text(pilot).splitlines()[0])


async def test_a_dialog_names_as_many_digits_as_there_are_ways(house: House) -> None:
    async with house.app() as pilot:
        pilot.app.push_screen(ChoiceDialog("Which", "Two.", (("a", "One"), ("b", "Other"))))
        await settle(pilot)
        assert "1-2 or enter Choose" in screen_text(pilot)
