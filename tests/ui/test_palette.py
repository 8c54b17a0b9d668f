"""Palette and help: every action, the best first, with the reason why one cannot run here."""

from __future__ import annotations

from collections import Counter

import pytest

from smriti_tui.keys import key_table
from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.dialogs.model_picker import ModelPicker
from smriti_tui.screens.help import HelpScreen
from smriti_tui.screens.help_words import page_of
from smriti_tui.screens.offers import Offer
from smriti_tui.screens.palette import PaletteScreen
from smriti_tui.screens.ranking import ranked
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.widgets.row_list import RowList
from tests.ui.house import House, on_top, place_of, screen_text, settle, workspace

TABLE = key_table({})


def best(text: str, *recent: str) -> str:
    found = [Offer(action) for action in TABLE.palette()]
    return ranked(found, text, recent)[0].action.id


@pytest.mark.parametrize(
    ("typed", "action_id"),
    [
        ("mount", "checkpoint.mount"),
        ("unm", "checkpoint.unmount"),
        ("new ch", "checkpoint.new"),
        ("ch new", "checkpoint.new"),
        ("mtc", "checkpoint.mount"),
        ("uback", "checkpoint.unmount"),
        ("go chat", "nav.pane_3"),
        ("app.mouse", "app.mouse"),
        ("Next hit of the filter", "nav.hit_next"),
    ],
)
def test_word_starts_initials_and_ids_find_an_action(typed: str, action_id: str) -> None:
    assert best(typed) == action_id


def test_what_was_used_last_comes_first_and_what_cannot_run_last() -> None:
    assert best("", "app.mouse", "app.jump") == "app.mouse"
    assert best("new", "session.new") == "session.new"
    off = [Offer(action, "no" if action.id == "space.new" else "") for action in TABLE.palette()]
    found = [offer.action.id for offer in ranked(off, "new")]
    assert found.index("space.new") > found.index("checkpoint.new")
    moves = [offer.action.palette for offer in ranked(off[::-1], "")]
    assert moves.index(False) > moves.index(True)
    assert ranked(off, "[b]$x[/b] zzz") == []


async def test_what_cannot_run_says_why_and_the_list_stays(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("ctrl+p", *"unmount")
        await pilot.pause()
        assert "nothing is mounted" in screen_text(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert on_top(pilot, PaletteScreen)
        assert "Not now: nothing is mounted" in screen_text(pilot)
        await pilot.press("f1")
        await pilot.pause()
        assert on_top(pilot, HelpScreen)
        for words in ("Unmount, back to HEAD.", "Key: u.", "checkpoint.unmount", "Not now:"):
            assert words in screen_text(pilot)
        await pilot.press("escape", *["backspace"] * 7, *"rebuild from")
        await pilot.pause()
        assert "only in Context inspector" in screen_text(pilot)


async def test_a_click_runs_and_what_ran_comes_first_the_next_time(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("ctrl+p", *"zoom this pane: n")
        await pilot.pause()
        await pilot.click("#palette-rows", offset=(5, 0))
        await pilot.pause()
        await pilot.pause()
        assert on_top(pilot, WorkspaceScreen)
        assert "TALL" in screen_text(pilot)
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert pilot.app.screen.query_one(RowList).cursor_key == "nav.zoom"


async def test_a_full_screen_offers_its_own_actions_under_its_own_name(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "2", "enter")
        await settle(pilot)
        assert on_top(pilot, CheckpointView)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Help: Checkpoint " in screen_text(pilot)
        assert "Mount this checkpoint" in screen_text(pilot)
        await pilot.press("escape", "colon", *"mount")
        await pilot.pause()
        await pilot.press("escape", "q", "x")
        await settle(pilot)
        assert on_top(pilot, ContextScreen)
        await pilot.press("ctrl+p", *"next tab", "enter")
        await settle(pilot)
        assert pilot.app.screen.query_one("#ctx-left").has_focus
        await pilot.press("f1")
        await pilot.pause()
        assert "Help: Context inspector" in screen_text(pilot)


async def test_help_lists_no_action_twice_and_runs_the_chosen_one(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        screen = workspace(pilot)
        for key in ("3", "1", "2", "i"):
            await pilot.press("escape", key)
            await pilot.pause()
            await pilot.pause()
            page = page_of(screen, screen.table)
            sections = (*page.here, *page.everywhere)
            listed = [action.id for part in sections for action in part.actions]
            assert [name for name, times in Counter(listed).items() if times > 1] == []
            assert {"nav.down", "app.help"} <= set(listed)
            assert page.words.count(". ") >= 1
        await pilot.press("f1")
        await pilot.pause()
        assert "type to search every action" in screen_text(pilot)
        await pilot.press(*"go to check", "enter")
        await pilot.pause()
        await pilot.pause()
        assert place_of(pilot) == "checkpoints"


async def test_help_of_a_dialog_has_its_name_and_sentences(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press("f1")
        await pilot.pause()
        assert "Help: Model of the next send" in screen_text(pilot)
        assert "The choice is for the next sends" in screen_text(pilot)
        await pilot.press("escape", "ctrl+p", *"new sess")
        await pilot.pause()
        assert "on the workspace" in screen_text(pilot)
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert on_top(pilot, ModelPicker)
