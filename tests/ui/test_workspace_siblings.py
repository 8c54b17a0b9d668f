"""Several answers to one question: choosing the one that is sent."""

from __future__ import annotations

from contextlib import closing

from textual.pilot import Pilot

from smriti_tui.domain.window import chosen_answers
from tests.support import content, ended, send
from tests.ui.house import House, desk, notes, screen_text, settle, until


def sent(pilot: Pilot[int]) -> dict[int, int | None]:
    found = desk(pilot)
    session = found.place.session
    assert session is not None
    return chosen_answers(found.services.sessions.turns(session))


async def test_a_stub_that_took_the_place_of_an_answer_can_be_put_back(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        house.model.hold_after = 3
        await pilot.press("escape", "R")
        await until(pilot, lambda: "esc stops" in screen_text(pilot))
        await pilot.press("escape")
        await settle(pilot)
        assert sent(pilot) == {1: 3}
        assert "answer 2 stays out (not chosen)" in screen_text(pilot)
        await pilot.press("{")
        await settle(pilot)
        assert sent(pilot) == {1: 2}
        assert "2 assistant   1 of 2" in screen_text(pilot)
        assert "Answer 2 (1 of 2) is the one that is sent now." in notes(pilot)
        assert "answer 3 stays out (not chosen)" in screen_text(pilot)
        assert desk(pilot).panes.transcript.selected_number == 2
        await pilot.press("{")
        await pilot.pause()
        assert "Answer 2 is the first of 2" in notes(pilot)
        await pilot.press("}")
        await settle(pilot)
        assert sent(pilot) == {1: 3}


async def test_the_selected_question_is_meant_and_not_always_the_last(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, "one")
        await ended(opened.services.chat.retry(session.id))
        await send(opened.services, session.id, "two")
    async with house.app() as pilot:
        await pilot.press("escape", "{")
        await pilot.pause()
        assert "Answer 5 is the only one. R asks again." in notes(pilot)
        desk(pilot).panes.transcript.reveal(1)
        await pilot.press("{")
        await settle(pilot)
        assert sent(pilot) == {1: 2, 4: 5}


async def test_an_answer_below_the_floor_is_refused_with_the_reason(house: House) -> None:
    space, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, "one")
        await ended(opened.services.chat.retry(session.id))
        opened.services.checkpoints.create(space.id, content("A", "D"), session=session.id)
    async with house.app() as pilot:
        await pilot.press("escape", "{")
        await settle(pilot)
        assert sent(pilot) == {1: 3}
        assert "is not on the part of the session that is sent" in notes(pilot)


async def test_without_any_answer_it_says_so(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "}")
        await pilot.pause()
        assert "There is no answer to choose here." in notes(pilot)
