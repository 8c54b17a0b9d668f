"""Side by side in the app: one thing changed, both answers shown, one of them chosen or none."""

from __future__ import annotations

from contextlib import closing

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.window import chosen_answers
from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.sides.parameter import named_value
from smriti_tui.screens.sides.side_by_side import SideBySide
from smriti_tui.widgets.footer_bar import FooterBar
from tests.support import content, send
from tests.ui.house import House, desk, notes, on_top, screen_text, settle, until
from tests.ui.screens_host import HOSTILE, SIZES, is_grid


async def keys(pilot: Pilot[int], *pressed: str) -> str:
    for key in pressed:
        await pilot.press(key)
    await settle(pilot)
    return screen_text(pilot)


def sent(pilot: Pilot[int]) -> dict[int, int | None]:
    found = desk(pilot)
    assert found.place.session is not None
    return chosen_answers(found.services.sessions.turns(found.place.session))


async def asked(house: House, *texts: str) -> None:
    """A session with some questions, on two checkpoints."""
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        for text in texts:
            await send(opened.services, session.id, text)


async def test_the_new_answer_streams_beside_and_the_chosen_one_goes_on(house: House) -> None:
    await asked(house, "first", "second")
    async with house.app() as pilot:
        text = await keys(pilot, "escape", "s")
        assert on_top(pilot, ChoiceDialog)
        assert "Exactly one thing is different" in text
        house.model.hold_after = 8
        await pilot.press("1", "1")
        await until(pilot, lambda: on_top(pilot, SideBySide) and "running" in screen_text(pilot))
        await until(pilot, lambda: screen_text(pilot).count("I am not") > 1)
        text = screen_text(pilot)
        assert "one change: model" in text
        assert "same context" in text
        assert "1 done, 1 running" in text
        assert "Stop this side" in text
        await pilot.press("2")
        assert "still on its way" in notes(pilot)
        house.model.hold_after = None
        house.model.go_on.set()
        await settle(pilot)
        text = screen_text(pilot)
        assert "2 done" in text
        assert "[2] demo/contrarian" in text
        old, new = house.model.calls[-1], desk(pilot)
        session = new.place.session
        assert session is not None
        turns = new.services.sessions.turns(session)
        assert turns[-1].context_sha256 == turns[-2].context_sha256
        assert [m.role for m in old.messages] == ["system", "user", "assistant", "user"]
        assert sent(pilot) == {1: 2, 3: 4}
        text = await keys(pilot, "2")
        assert sent(pilot) == {1: 2, 3: 5}
        assert "Answer 5 is the one that is sent now. z undoes." in notes(pilot)
        assert desk(pilot).place.model == "demo/contrarian"
        await keys(pilot, "z")
        assert sent(pilot) == {1: 2, 3: 4}


async def test_the_difference_and_the_context_are_shown(house: House) -> None:
    await asked(house, "first")
    async with house.app() as pilot:
        await keys(pilot, "escape", "s", "1", "1")
        text = await keys(pilot, "=")
        assert "{+" in text
        assert "[-" in text
        await keys(pilot, "escape", "x")
        assert on_top(pilot, ContextScreen)
        await keys(pilot, "escape")
        assert on_top(pilot, SideBySide)


async def test_leaving_without_a_choice_changes_nothing_of_what_is_sent(house: House) -> None:
    await asked(house, "first")
    async with house.app() as pilot:
        await keys(pilot, "escape", "s", "1", "1")
        assert on_top(pilot, SideBySide)
        await keys(pilot, "escape")
        assert not on_top(pilot, SideBySide)
        assert sent(pilot) == {1: 2}
        assert desk(pilot).place.model == "demo/scripted"
        assert "answer 3 stays out (not chosen)" in screen_text(pilot)
        await keys(pilot, "i", *"next", "enter")
        first = desk(pilot).services.sessions.turns(desk(pilot).place.session or "")[1]  # type: ignore[arg-type]
        call = house.model.calls[-1]
        assert call.messages[-2].content == first.content
        assert call.model == "demo/scripted"


async def test_esc_stops_this_side_first_and_keeps_what_arrived(house: House) -> None:
    await asked(house, "first")
    async with house.app() as pilot:
        house.model.hold_after = 8
        await keys_until_running(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert on_top(pilot, SideBySide)
        assert "stopped" in screen_text(pilot)
        assert "2 done" in screen_text(pilot)
        assert sent(pilot) == {1: 2}
        await keys(pilot, "escape")
        assert not on_top(pilot, SideBySide)
        assert not desk(pilot).sender.any_running


async def keys_until_running(pilot: Pilot[int]) -> None:
    await keys(pilot, "escape", "s")
    await pilot.press("1", "1")
    await until(pilot, lambda: on_top(pilot, SideBySide) and "running" in screen_text(pilot))
    await until(pilot, lambda: screen_text(pilot).count("I am not") > 1)


async def test_another_scope_has_the_same_turns(house: House) -> None:
    await asked(house, "first")
    async with house.app() as pilot:
        text = await keys(pilot, "escape", "s", "2")
        assert on_top(pilot, SideBySide)
        assert "one change: scope 3" in text
        assert "same turns as" in text
        narrow, wide = house.model.calls[-1].messages, desk(pilot)
        assert "State 1" in narrow[0].content
        assert wide.place.session is not None


async def test_where_only_a_fork_could_do_it_that_is_offered(house: House) -> None:
    await asked(house, "first", "second")
    async with house.app() as pilot:
        desk(pilot).panes.transcript.reveal(1)
        text = await keys(pilot, "escape", "s")
        assert "Question 1 is not the last one of what is sent now." in text
        assert "on a fork" in text
        before = desk(pilot).services.log.last_position()
        await keys(pilot, "1")
        assert not on_top(pilot, ChoiceDialog)
        assert desk(pilot).services.log.last_position() == before
        await keys(pilot, "escape")


async def test_without_an_answer_it_says_so(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await keys(pilot, "escape", "s")
        assert "There is no answer here" in notes(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_words_keep_the_grid_and_tab_goes_to_the_other_side(
    house: House, size: tuple[int, int]
) -> None:
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create(f"S {HOSTILE}")
        services.checkpoints.create(space.id, content(HOSTILE, HOSTILE))
        session = services.sessions.new(space.id)
        await send(services, session.id, HOSTILE)
    async with house.app(size) as pilot:
        await keys(pilot, "escape", "s", "1", "1")
        text = screen_text(pilot)
        assert on_top(pilot, SideBySide)
        assert "SIDE BY SIDE" in text
        assert "[2]" in text
        assert is_grid(pilot)
        text = await keys(pilot, "tab")
        assert "[1]" in text
        assert is_grid(pilot)
        await keys(pilot, "=")
        assert is_grid(pilot)
        shown = pilot.app.screen.query_one(FooterBar).keys
        assert [key.word for key in shown.left][:3] == ["Choose", "Difference", "Side"]


def test_a_parameter_is_read_as_json_or_text() -> None:
    assert named_value("temperature = 0.2") == {"temperature": 0.2}
    assert named_value("effort=low") == {"effort": "low"}
    for wrong in ("", "temperature", "= 1", "x ="):
        with pytest.raises(Exception, match="Give a name and a value"):
            named_value(wrong)
