"""Where what is written belongs, and other names for it; keys that lead on from where one is."""

from __future__ import annotations

from contextlib import closing

from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.new_space import SpaceDialog
from smriti_tui.screens.first_run import with_tilde
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.spaces_pane import SpacesPane
from tests.support import send
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace


async def test_without_a_space_the_prompt_says_so_and_names_the_way_to_one(house: House) -> None:
    async with house.app() as pilot:
        await pilot.press("escape")
        await settle(pilot)
        assert "no Space: enter opens one in none" in screen_text(pilot)
        assert "esc 1 n new Space" in screen_text(pilot)
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "no Space: this session belongs to none" in screen_text(pilot)
        assert "belongs to no Space, so it has no checkpoints" in notes(pilot)
        await pilot.press("escape", "1", "n")
        await settle(pilot)
        assert isinstance(pilot.app.screen, SpaceDialog)
        await pilot.press(*"work", "enter")
        await settle(pilot)
        assert desk(pilot).tree.space_name == "work"
        assert workspace(pilot).query_one(Prompt).border_title == "Prompt"


def test_a_path_below_the_home_folder_is_written_with_a_tilde() -> None:
    assert with_tilde("/home/ada/.smriti/smriti.db", "/home/ada") == "~/.smriti/smriti.db"
    assert with_tilde("/home/adam/smriti.db", "/home/ada") == "/home/adam/smriti.db"
    assert with_tilde("/smriti.db", "") == "/smriti.db"


async def test_e_renames_the_session_or_space_under_the_cursor(house: House) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "1")
        pane = workspace(pilot).query_one(SpacesPane)
        pane.move_to(f"session:{session.id}")
        await pilot.press("e", "end", *" again", "enter")
        await settle(pilot)
        assert desk(pilot).services.sessions.get(session.id).title == "first talk again"
        assert "first talk again" in screen_text(pilot)
        pane.move_to(f"space:{space.id}")
        await pilot.press("e", "end", *"es", "enter")
        await settle(pilot)
        assert desk(pilot).services.spaces.get(space.id).name == "search-indexes"
        assert "search-indexes" in screen_text(pilot).split("\n")[0]
        workspace(pilot).go("chat")
        await settle(pilot)
        workspace(pilot).action_run("edit.rename")
        await settle(pilot)
        assert "Rename session" in screen_text(pilot)
        await pilot.press("escape")
        desk(pilot).going.to_session(None, None)
        await settle(pilot)
        workspace(pilot).action_run("edit.rename")
        await pilot.pause()
        assert "There is nothing to rename here." in notes(pilot)


async def test_a_session_opened_in_pane_1_has_the_focus_in_its_chat(house: House) -> None:
    _, session = house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "1")
        workspace(pilot).query_one(SpacesPane).move_to(f"session:{session.id}")
        await pilot.press("enter")
        await settle(pilot)
        assert workspace(pilot).place == "chat"
        await pilot.press("i")
        await settle(pilot)
        assert (workspace(pilot).place, workspace(pilot).query_one(Prompt).text) == ("prompt", "")


async def test_the_question_whether_to_quit_goes_with_the_answer(house: House) -> None:
    house.seed()
    house.model.hold_after = 2
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am" in screen_text(pilot))
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ConfirmDialog)
        house.model.go_on.set()
        await until(pilot, lambda: pilot.app.screen is workspace(pilot))
        await settle(pilot)
        assert "The answer has ended. ^q quits." in notes(pilot)
        assert pilot.app.return_code is None


async def test_the_page_keys_scroll_the_chat_while_one_types(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        for number in range(12):
            await send(opened.services, session.id, f"question {number}")
    async with house.app((80, 24)) as pilot:
        assert "ctx " in screen_text(pilot).split("\n")[0]
        transcript = desk(pilot).panes.transcript
        bottom = transcript.scroll_offset.y
        await pilot.press("pageup")
        await settle(pilot)
        assert transcript.scroll_offset.y < bottom
        await pilot.press("pagedown")
        await settle(pilot)
        assert transcript.scroll_offset.y == bottom
        assert workspace(pilot).place == "prompt"
