"""An answer ends exactly once, however its iterator is left."""

from __future__ import annotations

import asyncio

import pytest

from smriti_tui.domain.ids import SessionId
from smriti_tui.services import Services
from smriti_tui.services.steps import Ended, Started, TextDelta

pytestmark = pytest.mark.contract


@pytest.fixture
def session(services: Services) -> SessionId:
    return services.sessions.new(services.spaces.create("alpha").id).id


def statuses(services: Services, session: SessionId) -> list[str]:
    return [turn.status for turn in services.sessions.turns(session)]


@pytest.mark.parametrize("kind", [Started, TextDelta, Ended])
async def test_closing_at_any_step_writes_one_end(
    services: Services, session: SessionId, kind: type
) -> None:
    steps = services.chat.send(session, "why?")
    async for step in steps:
        if isinstance(step, kind):
            break
    await steps.aclose()
    expected = "complete" if kind is Ended else "stopped"
    assert statuses(services, session) == ["complete", expected]


async def test_cancelling_at_every_moment_writes_one_end(services: Services) -> None:
    space = services.spaces.create("beta").id
    for passes in range(0, 60, 3):
        session = services.sessions.new(space).id

        async def ask(one: SessionId = session) -> None:
            async for _ in services.chat.send(one, "why?"):
                pass

        task = asyncio.create_task(ask())
        for _ in range(passes):
            await asyncio.sleep(0.0005)
        task.cancel()
        await asyncio.wait([task])
        found = statuses(services, session)
        assert found in ([], ["complete", "stopped"], ["complete", "complete"])
    assert services.log.verify().difference is None
