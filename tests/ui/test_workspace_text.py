"""Text of any origin on the screen, and typed text that must not be lost."""

from __future__ import annotations

import json
import re
import socket
from contextlib import closing

import pytest
from textual import events

from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Session
from smriti_tui.services.unsent import UnsentService
from smriti_tui.widgets.prompt import Prompt
from tests.support import content, send
from tests.ui.house import House, desk, notes, screen_text, settle, workspace

HOSTILE = (
    "see [/x]", "[bold]b[/bold] [@click=app.quit]q[/]", "tail \\", "[$x] [[a]] C:\\[dir]",
    "\x1b]0;owned\x07\x1b[2J", "\x9b31m\x90\x9c", "a\u202eb\u2066c", "日本語 हिन्दी عربي 👩‍👩‍👧",
    "[link=http://a]x", "tab\there",
)  # fmt: skip
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


async def hostile_session(house: House) -> Session:
    with closing(house.open("cli")) as opened:
        services = opened.services
        spaces = [services.spaces.create(text.replace("\t", " ")) for text in HOSTILE]
        space = spaces[-1]
        session = services.sessions.new(space.id, title=HOSTILE[0])
        for text in HOSTILE:
            await send(services, session.id, text)
        for text in HOSTILE:
            services.checkpoints.create(space.id, content(text, text))
            services.sessions.new(space.id, title=text.replace("\t", " "))
    return session


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_hostile_names_and_turns_are_shown_and_drive_nothing(
    house: House, size: tuple[int, int]
) -> None:
    session = await hostile_session(house)
    async with house.app(size) as pilot:
        desk(pilot).going.to_session(session.id, session.space)
        await settle(pilot)
        for key in ("escape", "3", "g", "ctrl+d", "ctrl+d", "1", "G", "2", "G", "3", "G"):
            await pilot.press(key)
            await pilot.pause()
            shown = screen_text(pilot)
            assert CONTROL.search(shown) is None
        await pilot.press("1", "g")
        await pilot.pause()
        assert "see [/x]" in screen_text(pilot)
        await pilot.press("2", "g", "enter")
        await settle(pilot)
        assert CONTROL.search(screen_text(pilot)) is None


async def test_rows_keep_the_grid_with_wide_characters(house: House) -> None:
    await hostile_session(house)
    async with house.app((120, 36)) as pilot:
        strips = pilot.app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {120}


async def test_unsent_text_belongs_to_its_session_and_survives_a_restart(house: House) -> None:
    space, first = house.seed()
    with closing(house.open("cli")) as opened:
        second = opened.services.sessions.new(space.id, title="second")
    async with house.app() as pilot:
        assert desk(pilot).place.session == second.id
        await pilot.press(*"for the second")
        desk(pilot).going.to_session(first.id, space.id)
        await settle(pilot)
        assert workspace(pilot).query_one(Prompt).text == ""
        await pilot.press(*"for the first")
        await settle(pilot)
    async with house.app() as pilot:
        assert desk(pilot).place.session == first.id
        assert workspace(pilot).query_one(Prompt).text == "for the first"
        desk(pilot).going.to_session(second.id, space.id)
        await settle(pilot)
        assert workspace(pilot).query_one(Prompt).text == "for the second"


async def test_a_dead_programs_text_is_adopted_and_said(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        dead = json.dumps({"host": socket.gethostname(), "pid": 1, "started": "never"})
        side = opened.services.caller.store.side
        side.save_unsent(f"prompt/{session.id}", dead, "half a thought")
    async with house.app() as pilot:
        assert workspace(pilot).query_one(Prompt).text == "half a thought"
        assert "Unsent text" in notes(pilot)


async def test_text_is_kept_while_one_types_and_forgotten_once_it_is_sent(house: House) -> None:
    _, session = house.seed()

    def kept(session: SessionId) -> str:
        return UnsentService(desk(pilot).services.caller).take(f"prompt/{session}").text

    async with house.app() as pilot:
        await pilot.press(*"hello")
        await pilot.pause(0.6)
        await settle(pilot)
        assert kept(session.id) == "hello"
        await pilot.press("enter")
        await pilot.pause(0.6)
        await settle(pilot)
        assert kept(session.id) == ""


async def test_a_paste_of_many_lines_stays_one_message(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        pilot.app.post_message(events.Paste("one\r\ntwo\x1b[2J\nthree"))
        await pilot.pause()
        prompt = workspace(pilot).query_one(Prompt)
        assert prompt.text.split("\n")[0] == "one"
        assert "\x1b" not in prompt.text
        await pilot.press("ctrl+j", *"four", "enter")
        await settle(pilot)
        found = desk(pilot)
        assert found.place.session is not None
        question = found.services.sessions.turns(found.place.session)[0]
        assert question.text.split("\n") == ["one", "two␛[2J", "three", "four"]


async def test_a_long_session_opens_with_its_newest_turns_alone(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        for number in range(130):
            await send(opened.services, session.id, f"question {number}")
    async with house.app() as pilot:
        look = desk(pilot).place.look
        assert look is not None
        assert len(look.turns) == 100
        assert "question 129" in screen_text(pilot)
        desk(pilot).panes.transcript.scroll_to(y=40, animate=False)
        await settle(pilot)
        desk(pilot).panes.transcript.scroll_to(y=10, animate=False)
        await settle(pilot)
        assert desk(pilot).place.look.low < 161  # type: ignore[union-attr]


async def test_g_leads_to_the_very_first_turn(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        for number in range(60):
            await send(opened.services, session.id, f"question {number}")
    async with house.app() as pilot:
        await pilot.press("escape", "g")
        await settle(pilot)
        assert "question 0" in screen_text(pilot)
        assert desk(pilot).panes.transcript.selected_number == 1
        await pilot.press("G")
        await settle(pilot)
        assert desk(pilot).panes.transcript.selected_number == 120
