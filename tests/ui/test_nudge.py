"""The quiet sign in the chat: it names why, moves nothing, and goes with a checkpoint."""

from __future__ import annotations

from contextlib import closing

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.ids import SessionId
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.hint_line import NudgeLine
from tests.support import content, send
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace


def sign(pilot: Pilot[int]) -> str:
    return workspace(pilot).query_one(NudgeLine).words


async def say(pilot: Pilot[int], text: str) -> None:
    """Types and sends, and waits for the answer."""
    workspace(pilot).go("prompt")
    await pilot.press(*text, "enter")
    await settle(pilot)
    await until(pilot, lambda: not workspace(pilot).answers_running)
    await settle(pilot)


async def talked(house: House, *texts: str) -> SessionId:
    """A session with a checkpoint beneath it."""
    _, session = house.seed(checkpoints=1)
    with closing(house.open("cli")) as opened:
        for text in texts:
            await send(opened.services, session.id, text)
    return session.id


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_it_stands_on_the_border_of_the_chat_and_moves_nothing(
    house: House, size: tuple[int, int]
) -> None:
    await talked(house, "one", "two", "three")
    async with house.app(size) as pilot:
        screen = workspace(pilot)
        assert sign(pilot) == ""
        regions = {each: each.region for each in screen.query("#left *, #talk *").results()}
        focus = screen.focused
        with closing(house.open("cli")) as opened:
            (session,) = opened.services.sessions.of_space(desk(pilot).place.space, 5)
            await send(opened.services, session.id, "four")
        await until(pilot, lambda: bool(sign(pilot)))
        await settle(pilot)
        chat = screen.query_one(ChatPane)
        assert screen.focused is focus
        assert chat.region == regions[chat]
        line = screen_text(pilot).splitlines()[chat.region.bottom - 1]
        assert sign(pilot) in line
        assert sign(pilot).startswith("8 turns")
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert sign(pilot)
        if size[0] < 100:
            await pilot.press("2")
            await settle(pilot)
            assert sign(pilot) not in screen_text(pilot) or not sign(pilot)


async def test_a_decision_is_named_and_a_checkpoint_takes_it_away(house: House) -> None:
    session = await talked(house, "hello")
    async with house.app((200, 50)) as pilot:
        assert sign(pilot) == ""
        await say(pilot, "let's go with it")
        assert sign(pilot) == (
            '4 turns since the last checkpoint; you said "let\'s go with".  f2 drafts one.'
        )
        with closing(house.open("cli")) as opened:
            services = opened.services
            space = services.sessions.get(session).space
            assert space is not None
            services.checkpoints.create(space, content("Two"), session=session)
        await until(pilot, lambda: sign(pilot) == "")


async def test_it_is_hidden_by_name_until_the_next_checkpoint(house: House) -> None:
    session = await talked(house, "we decided")
    async with house.app() as pilot:
        assert 'ou said "we decided"' in sign(pilot)
        desk(pilot).actions["nudge.hide"]()
        await settle(pilot)
        assert sign(pilot) == ""
        assert "Hidden until the next checkpoint." in notes(pilot)
        await say(pilot, "we decided again")
        assert sign(pilot) == ""
        desk(pilot).actions["nudge.hide"]()
        await settle(pilot)
        assert "There is no hint" in notes(pilot)
        with closing(house.open("cli")) as opened:
            services = opened.services
            space = services.sessions.get(session).space
            assert space is not None
            services.checkpoints.create(space, content("Two"), session=session)
        await settle(pilot)
        await say(pilot, "we decided more")
        assert 'ou said "we decided"' in sign(pilot)


async def test_another_model_is_named_as_soon_as_it_is_chosen(house: House) -> None:
    await talked(house, "hello")
    async with house.app() as pilot:
        assert sign(pilot) == ""
        desk(pilot).here.choose("demo/contrarian")
        desk(pilot).models._count_ahead()
        await until(pilot, lambda: "he model changed to demo/contrarian" in sign(pilot))
        desk(pilot).here.choose("demo/scripted")
        desk(pilot).models._count_ahead()
        await until(pilot, lambda: sign(pilot) == "")


async def test_in_no_space_there_is_none(house: House) -> None:
    with closing(house.open("cli")) as opened:
        session = opened.services.sessions.new_fresh(title="loose")
        await send(opened.services, session.id, "we decided")
    await talked(house, "we decided")
    async with house.app() as pilot:
        own = desk(pilot).place
        assert sign(pilot)
        desk(pilot).going.to_session(session.id, None)
        assert sign(pilot) == ""
        await settle(pilot)
        assert desk(pilot).place.look is not None
        assert sign(pilot) == ""
        desk(pilot).going.to_session(own.session, own.space)
        await until(pilot, lambda: bool(sign(pilot)))
        desk(pilot).going.to_session(None, own.space)
        assert sign(pilot) == ""
