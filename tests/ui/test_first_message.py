"""The first message opens its session: it is sent once, and nothing typed meanwhile is lost."""

from __future__ import annotations

from contextlib import closing

from textual.pilot import Pilot

from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, desk, settle, workspace


def typed(pilot: Pilot[int]) -> str:
    return workspace(pilot).query_one(Prompt).text


async def test_a_first_message_that_is_refused_comes_back_once(house: House) -> None:
    house.environ["SMRITI_CHAT_MODEL"] = "openai/none"
    async with house.app() as pilot:
        await pilot.press("escape", *"hello", "enter")
        await settle(pilot)
        assert typed(pilot) == "hello"
        await settle(pilot)
        assert typed(pilot) == "hello"


async def test_a_first_message_is_sent_once_and_leaves_the_prompt(house: House) -> None:
    async with house.app() as pilot:
        await pilot.press("escape", *"hello", "enter", "enter", *"more")
        await settle(pilot)
        assert typed(pilot) == "more"
        assert len(house.model.calls) == 1
        with closing(house.open("cli")) as opened:
            sessions = opened.services.sessions.of_space(None, 9, archived=False)
            assert [session.last_seq for session in sessions] == [2]


async def test_a_session_that_cannot_be_opened_gives_the_text_back(house: House) -> None:
    async with house.app() as pilot:
        (house.folder / "smriti.db").mkdir()
        await pilot.press("escape", *"hello", "enter", *" and")
        await settle(pilot)
        assert typed(pilot).split() == ["hello", "and"]
        assert desk(pilot).place.session is None
