"""Mentions, commands and earlier prompts: what is typed at the prompt, and what it offers."""

from __future__ import annotations

from contextlib import closing

from textual.pilot import Pilot

from smriti_tui.domain.ids import SessionId
from smriti_tui.widgets.offer_list import OfferList
from smriti_tui.widgets.prompt import Prompt
from tests.support import content, send
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace


def prompt(pilot: Pilot[int]) -> Prompt:
    return workspace(pilot).query_one(Prompt)


def offers(pilot: Pilot[int]) -> OfferList:
    return workspace(pilot).query_one(OfferList)


def project(house: House) -> SessionId:
    root = house.folder / "proj"
    (root / "two words").mkdir(parents=True)
    (root / "two words" / "app.py").write_text("x = 1\n")
    (root / "blob").write_bytes(b"\0\1")
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create("s", project_root=str(root))
        services.checkpoints.create(space.id, content("Use FTS5", "One file", "No server"))
        return services.sessions.new(space.id).id


async def type_text(pilot: Pilot[int], text: str) -> None:
    await pilot.press(*("space" if sign == " " else sign for sign in text))


async def test_a_mention_is_filtered_taken_shown_and_sent(house: House) -> None:
    session = project(house)
    async with house.app() as pilot:
        await type_text(pilot, "see @app")
        await until(pilot, lambda: offers(pilot).is_open)
        assert offers(pilot).cursor_key == "two words/app.py"
        await pilot.press("enter")
        assert prompt(pilot).text == 'see @"two words/app.py" '
        await type_text(pilot, "and @d2")
        await until(pilot, lambda: offers(pilot).is_open)
        await pilot.press("tab")
        assert prompt(pilot).text == 'see @"two words/app.py" and @D2 '
        await until(pilot, lambda: "sends two words/app.py 6 bytes, D2" in screen_text(pilot))
        counted = desk(pilot).place.next
        assert counted is not None
        await pilot.press("enter")
        await settle(pilot)
        content_sent = house.model.calls[-1].messages[-1].content
        assert "x = 1" in content_sent
        assert "No server" in content_sent
        asked = desk(pilot).services.sessions.turns(session)[0]
        assert asked.content == content_sent
        stored = desk(pilot).services.contexts.stored(session, 2)
        assert stored.request.event.estimate.tokens == counted.tokens


async def test_what_cannot_be_sent_is_told_and_the_text_stays(house: House) -> None:
    session = project(house)
    async with house.app() as pilot:
        await type_text(pilot, "see @blob now")
        await until(pilot, lambda: "it is binary" in screen_text(pilot))
        await pilot.press("enter")
        await settle(pilot)
        assert prompt(pilot).text == "see @blob now"
        assert desk(pilot).services.sessions.turns(session) == []


async def test_escape_closes_the_list_first_and_the_word_stays_a_word(house: House) -> None:
    project(house)
    async with house.app() as pilot:
        await type_text(pilot, "@D")
        await until(pilot, lambda: offers(pilot).is_open)
        await pilot.press("escape")
        assert not offers(pilot).is_open
        await type_text(pilot, "1")
        assert not offers(pilot).is_open
        assert workspace(pilot).place == "prompt"
        await pilot.press("escape")
        assert workspace(pilot).place == "chat"
        assert prompt(pilot).text == "@D1"
        await pilot.press("i")
        await type_text(pilot, " ada@example.org ")
        assert not offers(pilot).is_open


async def test_a_slash_at_the_start_runs_a_command_and_other_text_is_sent(house: House) -> None:
    session = project(house)
    async with house.app() as pilot:
        await type_text(pilot, "/choose mod")
        assert offers(pilot).is_open
        assert offers(pilot).cursor_key == "chat.model"
        await pilot.press("enter")
        await settle(pilot)
        assert type(pilot.app.screen).__name__ == "ModelPicker"
        await pilot.press("escape")
        assert prompt(pilot).text == ""
        await type_text(pilot, "/etc/hosts is wrong")
        assert not offers(pilot).is_open
        await pilot.press("enter")
        await settle(pilot)
        await type_text(pilot, " /quit")
        assert not offers(pilot).is_open
        await pilot.press("enter")
        await settle(pilot)
        asked = [turn.text for turn in desk(pilot).services.sessions.turns(session)][::2]
        assert asked == ["/etc/hosts is wrong", " /quit"]


async def walked_house(house: House) -> SessionId:
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create("s")
        other = services.sessions.new(space.id)
        await send(services, other.id, "of the Space")
        session = services.sessions.new(space.id)
        for text in ("first", "again", "two\nlines", "again"):
            await send(services, session.id, text)
    return session.id


async def test_up_walks_this_session_then_the_space_and_down_leads_back(house: House) -> None:
    session = await walked_house(house)
    async with house.app() as pilot:
        desk(pilot).going.to_session(session, desk(pilot).place.space)
        await settle(pilot)
        await type_text(pilot, "half a thought")
        walked = []
        for _ in range(5):
            await pilot.press("up")
            await settle(pilot)
            walked.append(prompt(pilot).text)
        assert walked == ["again", "two\nlines", "first", "of the Space", "of the Space"]
        assert "no earlier prompt" in notes(pilot)
        await pilot.press("down", "down")
        assert prompt(pilot).text == "two\nlines"
        await type_text(pilot, "X")  # A change of the copy, on its way down to the writing.
        await pilot.press("down", "down", "down", "down")
        assert prompt(pilot).text == "half a thought"
        assert [turn.text for turn in desk(pilot).services.sessions.turns(session)][
            4
        ] == "two\nlines"


async def test_what_was_being_written_survives_a_walk_and_the_end_of_the_program(
    house: House,
) -> None:
    session = await walked_house(house)
    async with house.app() as pilot:
        desk(pilot).going.to_session(session, desk(pilot).place.space)
        await settle(pilot)
        await type_text(pilot, "half")
        await pilot.press("up")
        await settle(pilot)
    async with house.app() as pilot:
        assert prompt(pilot).text == "half"
        await pilot.press("up")
        await settle(pilot)
        await type_text(pilot, "X")
        await settle(pilot)
    async with house.app() as pilot:
        assert prompt(pilot).text == "Xagain"
        await pilot.press("down")
        assert prompt(pilot).text == "half"
        await pilot.press("up")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert house.model.calls[-1].messages[-1].content == "again"
        assert prompt(pilot).text == "half"
