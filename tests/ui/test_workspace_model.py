"""Which model a session's next send asks."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from textual.pilot import Pilot

from smriti_tui.screens.desk.loads import answered_by
from tests.ui.house import House, desk, settle


def shown_model(pilot: Pilot[int]) -> str:
    return desk(pilot).panes.header.view.model


async def test_a_session_keeps_the_model_of_its_newest_answer_over_a_restart(house: House) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        desk(pilot).here.choose("demo/contrarian")
        await pilot.press(*"hello", "enter")
        await settle(pilot)
    async with house.app() as pilot:
        assert desk(pilot).place.session == session.id
        assert shown_model(pilot) == "demo/contrarian"
        await pilot.press(*"more", "enter")
        await settle(pilot)
        turns = desk(pilot).services.sessions.turns(session.id)
        assert [turn.model for turn in turns if turn.role == "assistant"] == ["demo/contrarian"] * 2
        other = desk(pilot).services.sessions.new(space.id)
        desk(pilot).going.to_session(other.id, space.id)
        await settle(pilot)
        assert shown_model(pilot) == "demo/scripted"


async def test_a_choice_belongs_to_its_session(house: House) -> None:
    space, session = house.seed()
    async with house.app() as pilot:
        desk(pilot).here.choose("demo/contrarian")
        other = desk(pilot).services.sessions.new(space.id)
        desk(pilot).going.to_session(other.id, space.id)
        await settle(pilot)
        assert shown_model(pilot) == "demo/scripted"
        desk(pilot).going.to_session(session.id, space.id)
        await settle(pilot)
        assert shown_model(pilot) == "demo/contrarian"


def test_a_model_that_cannot_be_asked_here_gives_way_to_the_settings_one(house: House) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        for model, usable in (("demo", "demo/scripted"), ("openai/gpt-4o", None), ("x", None)):
            answered = replace(session, model=model)
            assert answered_by(opened.services, answered.model) == usable
