"""Stopping and leaving while an answer is on its way: no word is lost, none stands twice."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.domain.model import Turn
from smriti_tui.providers.base import Chunk, ModelCall
from smriti_tui.screens.desk.unsent import thing
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, PacedModel, desk, notes, settle, until, workspace


class SilentModel(PacedModel):
    """Says nothing until it is told to go on."""

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As the demo model, later."""
        self.calls.append(call)
        await self.go_on.wait()
        async with aclosing(super().stream(call)) as chunks:
            async for chunk in chunks:
                yield chunk


def prompt(pilot: Pilot[int]) -> Prompt:
    return workspace(pilot).query_one(Prompt)


def turns(pilot: Pilot[int]) -> list[Turn]:
    session = desk(pilot).place.session
    assert session is not None
    return desk(pilot).services.sessions.turns(session)


async def write(pilot: Pilot[int]) -> None:
    await pilot.press(*"one", "ctrl+j", "ctrl+j", *"two")


async def test_stopped_while_it_waits_the_text_is_one_key_away_and_stored_once(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, SilentModel())
    house.seed()
    async with house.app() as pilot:
        await write(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: bool(house.model.calls))
        await pilot.press("escape")
        await settle(pilot)
        assert [(turn.text, turn.status) for turn in turns(pilot)] == [
            ("one\n\ntwo", "complete"),
            ("", "stopped"),
        ]
        assert "up brings your text back" in notes(pilot)
        assert prompt(pilot).text == ""
        await pilot.press("up")
        await settle(pilot)
        assert prompt(pilot).text == "one\n\ntwo"


async def test_left_while_it_waits_the_text_is_in_the_session_when_one_comes_back(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, SilentModel())
    house.seed()
    async with house.app() as pilot:
        await write(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: bool(house.model.calls))
        await pilot.press(*"next")
    async with house.app() as pilot:
        assert [turn.text for turn in turns(pilot)] == ["one\n\ntwo", ""]
        assert prompt(pilot).text == "next"


async def test_stopped_in_the_middle_what_arrived_is_kept_and_sent_with_the_next(
    house: House,
) -> None:
    house.seed()
    house.model.hold_after = 3
    async with house.app() as pilot:
        await write(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len("".join(running(pilot))) > 0)
        await pilot.press("escape")
        await settle(pilot)
        stopped = turns(pilot)[1]
        assert stopped.status == "stopped"
        assert stopped.text
        house.model.hold_after = None
        await pilot.press(*"go", "enter")
        await settle(pilot)
        sent = [message.content for message in house.model.calls[-1].messages]
        assert sent[-3:] == ["one\n\ntwo", stopped.text, "go"]


def running(pilot: Pilot[int]) -> list[str]:
    return [part for each in desk(pilot).sender._running.values() for part in each.parts]


async def test_what_was_sent_and_not_stored_is_kept_with_what_was_typed_after_it(
    house: House,
) -> None:
    _, session = house.seed()
    async with house.app() as pilot:
        draft = desk(pilot).draft
        draft.sent(session.id, "on its way", ())
        await pilot.press(*"more")
        desk(pilot).going.to_session(None, desk(pilot).place.space)
        await settle(pilot)
        side = desk(pilot).services.caller.store.side
        assert {row.text for row in side.unsent(thing(session.id))} == {"on its way\nmore"}
        draft.stored(session.id)
        await settle(pilot)
        desk(pilot).going.to_session(session.id, session.space)
        await settle(pilot)
        assert prompt(pilot).text == "more"
