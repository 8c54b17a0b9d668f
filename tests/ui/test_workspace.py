"""The workspace on a real database: what a person does, and what others do meanwhile."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from smriti_tui.domain.errors import ProviderError
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.spaces_pane import SpacesPane
from tests.support import content
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace


async def test_a_message_is_sent_and_its_answer_shown_with_its_facts(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        shown = screen_text(pilot)
        assert "1 you" in shown
        assert "hello" in shown
        assert "2 assistant   demo/scripted   ctx " in shown
        assert "$0.00" in shown
        assert workspace(pilot).query_one(Prompt).text == ""
        header = workspace(pilot).query_one(HeaderBar).view
        assert (header.space, header.branch, header.model) == (
            "search-index", "main", "demo/scripted",
        )  # fmt: skip
        assert header.tokens


async def test_the_persons_turn_is_shown_while_the_answer_streams(house: House) -> None:
    house.seed()
    house.model.hold_after = 3
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am not" in screen_text(pilot))
        assert "1 you" in screen_text(pilot)
        assert "esc stops" in screen_text(pilot)
        house.model.go_on.set()
        await settle(pilot)
        assert "esc stops" not in screen_text(pilot)


async def test_esc_stops_an_answer_and_keeps_what_arrived(house: House) -> None:
    house.seed()
    house.model.hold_after = 3
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am not" in screen_text(pilot))
        await pilot.press("escape")
        await settle(pilot)
        turns = desk(pilot).services.sessions.turns(desk(pilot).place.session)  # type: ignore[arg-type]
        assert [turn.status for turn in turns] == ["complete", "stopped"]
        assert "what arrived is kept" in screen_text(pilot)
        assert workspace(pilot).place == "prompt"


async def test_a_failed_answer_shows_its_error_and_r_asks_again(house: House) -> None:
    house.seed()
    house.model.faults.append(ProviderError("The key was refused.", "Check it.", kind="auth"))
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "The key was refused." in screen_text(pilot)
        assert "R asks again" in screen_text(pilot)
        await pilot.press("escape", "R")
        await settle(pilot)
        shown = screen_text(pilot)
        assert "answer 2 failed" in shown
        assert "3 assistant" in shown


async def test_without_a_model_nothing_is_stored_and_the_text_stays(house: House) -> None:
    house.environ["SMRITI_CHAT_MODEL"] = ""
    _, session = house.seed()
    async with house.app() as pilot:
        assert workspace(pilot).query_one(HeaderBar).view.model == "no model"
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert workspace(pilot).query_one(Prompt).text == "hello"
        assert "ctrl+t" in workspace(pilot).query_one(NoticeBar).words
        assert desk(pilot).services.sessions.get(session.id).last_seq == 0
        await pilot.press("escape")
        assert workspace(pilot).query_one(NoticeBar).words == ""
        assert workspace(pilot).place == "prompt"


async def test_mounting_folds_what_stays_out_and_unmounting_brings_it_back(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        await pilot.press("escape", "2", "j", "m")
        await settle(pilot)
        mounted = workspace(pilot).query_one(CheckpointsPane).cursor_key or ""
        shown = screen_text(pilot)
        assert "turns 1-2 stay out (before the boundary)" in shown
        assert f"restored to {mounted[:7]}" in shown
        assert f"RESTORED {mounted[:7]}: 2 turns stay out" in shown
        assert "RESTORED" in shown
        await pilot.press("u")
        await settle(pilot)
        assert "restored to" not in screen_text(pilot)
        assert "1 you" in screen_text(pilot)
        await pilot.press("u")
        assert "Nothing is mounted" in notes(pilot)


async def test_what_another_actor_saves_appears_with_cursor_focus_and_text_untouched(
    house: House,
) -> None:
    space, _ = house.seed()
    async with house.app() as pilot:
        await pilot.press(*"half a thought")
        pane = workspace(pilot).query_one(CheckpointsPane)
        pane.move_to(desk(pilot).services.checkpoints.of_space(space.id)[1].id)
        before = pane.cursor_key
        with closing(house.open("cli", actor="codex")) as other:
            other.services.checkpoints.create(space.id, content("From outside", "D9"))
        await until(pilot, lambda: "From outside" in screen_text(pilot), 2)
        await settle(pilot)
        assert pane.cursor_key == before
        assert workspace(pilot).place == "prompt"
        assert workspace(pilot).query_one(Prompt).text == "half a thought"
        assert "codex saved" in workspace(pilot).query_one(NoticeBar).words
        assert workspace(pilot).query_one(HeaderBar).view.moved
        assert "~" in screen_text(pilot).split("\n")[0]


async def test_a_context_that_moved_keeps_the_text_and_says_what_came(house: House) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        await pilot.press(*"hello")
        await settle(pilot)
        basis = desk(pilot).place.next
        with closing(house.open("cli", actor="codex")) as other:
            other.services.checkpoints.create(space.id, content("From outside", "D9"))
        # The person presses enter in the moment before the news arrives.
        desk(pilot).here.counted(basis)
        desk(pilot).talk.submit("hello")
        await settle(pilot)
        assert "Before this was sent" in workspace(pilot).query_one(NoticeBar).words
        assert workspace(pilot).query_one(Prompt).text == "hello"
        assert desk(pilot).services.sessions.get(session.id).last_seq == 0


async def test_a_first_message_without_a_session_opens_one(house: House) -> None:
    with closing(house.open("cli")) as other:
        other.services.spaces.create("empty")
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "2 assistant" in screen_text(pilot)
        found = desk(pilot)
        assert found.services.sessions.get(found.place.session).space == found.place.space  # type: ignore[arg-type]


async def test_enter_unfolds_a_space_and_opens_its_newest_session(house: House) -> None:
    house.seed()
    with closing(house.open("cli")) as other:
        space = other.services.spaces.create("second")
        session = other.services.sessions.new(space.id, title="the other talk")
    async with house.app(space="search-index") as pilot:
        await pilot.press("escape", "1")
        workspace(pilot).query_one(SpacesPane).move_to(f"space:{space.id}")
        await pilot.press("enter")
        await settle(pilot)
        assert desk(pilot).place.session == session.id
        assert "the other talk" in screen_text(pilot)


async def test_a_deleted_session_is_left_with_a_word(house: House) -> None:
    _, session = house.seed()
    async with house.app() as pilot:
        with closing(house.open("cli")) as other:
            other.services.sessions.delete(session.id)
        await until(pilot, lambda: desk(pilot).place.session is None, 3)
        await settle(pilot)
        bar = workspace(pilot).query_one(NoticeBar)
        assert 'ada (cli) deleted the open session "first talk".' in bar.words


async def test_x_opens_the_inspector_and_esc_leads_back(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"hello", "f3")
        await settle(pilot)
        assert "CONTEXT" in screen_text(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert workspace(pilot).query_one(Prompt).text == "hello"
        assert pilot.app.focused is workspace(pilot).query_one(Prompt)


@pytest.mark.parametrize("key", ["ctrl+q", "q"])
async def test_quitting_asks_only_while_an_answer_runs(house: House, key: str) -> None:
    house.seed()
    house.model.hold_after = 2
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await until(pilot, lambda: "I am" in screen_text(pilot))
        workspace(pilot).go("chat")
        await pilot.press(key)
        await pilot.pause()
        assert "still running" in screen_text(pilot)
        await pilot.press("escape")
        house.model.go_on.set()
        await settle(pilot)
        await pilot.press("q")
        await until(pilot, lambda: pilot.app.return_code is not None)
        assert pilot.app.return_code == 0


async def test_without_a_database_four_ways_are_offered(house: House) -> None:
    house.environ["OPENAI_API_KEY"] = "sk-canary"
    async with house.app() as pilot:
        shown = screen_text(pilot)
        assert "Look around in a demo Space" in shown
        assert "~/smriti.db   (new)" in shown
        assert "esc Close" in shown
        assert "found: model demo/scripted, OPENAI_API_KEY" in shown
        assert "sk-canary" not in shown
        await pilot.press("escape")
        await settle(pilot)
        assert not (house.folder / "smriti.db").exists()


async def test_an_older_read_never_takes_the_place_of_a_later_one(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await settle(pilot)
        work, go = desk(pilot).session._work, threading.Event()
        taken: list[str] = []

        def slow() -> str:
            go.wait(10)
            return "older"

        work.read(slow, taken.append, group="test")
        work.read(lambda: "later", taken.append, group="test")
        await until(pilot, lambda: taken == ["later"])
        go.set()
        await settle(pilot)
        assert taken == ["later"]
        work.read(lambda: "next", taken.append, group="test")
        await settle(pilot)
        assert taken == ["later", "next"]
