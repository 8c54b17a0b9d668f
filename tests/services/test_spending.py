"""The cost of a session: summed once, then added to (ux 4.2)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from smriti_tui.domain.events import AnswerEnded
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Cost
from smriti_tui.services import Services
from smriti_tui.services.answers import Ask, Begun, begin, end
from tests.support import send

pytestmark = pytest.mark.contract


@pytest.fixture
def session(services: Services) -> SessionId:
    return services.sessions.new(services.spaces.create("alpha").id).id


def asked(services: Services, session: SessionId) -> Begun:
    limit = services.chat.limits.known(services.chat.resolve(None))
    prepared = services.contexts.prepare(session, limit, message="q")
    begun = begin(services.caller, prepared, Ask("demo/scripted", {}, "q", "q"))
    assert begun is not None
    return begun


def answer(services: Services, begun: Begun, usd: str | None) -> None:
    cost = Cost(usd, "library") if usd is not None else None
    end(services.caller, begun, AnswerEnded(begun.answer, "complete", "a", cost=cost))


async def test_an_answer_that_runs_is_added_when_it_has_ended(
    services: Services, session: SessionId
) -> None:
    await send(services, session, "first")
    answer(services, asked(services, session), "0.25")
    running = asked(services, session)
    before = services.sessions.spent(session)
    assert (before.through, before.answers, before.usd) == (5, 2, Decimal("0.25"))
    answer(services, running, None)
    answer(services, asked(services, session), "0.05")
    whole = services.sessions.spent(session)
    assert (whole.through, whole.answers, whole.unknown, whole.usd) == (8, 4, 1, Decimal("0.30"))
    assert services.sessions.spent(session, before) == whole
    assert services.sessions.spent(session, whole) == whole


async def test_what_a_fork_copied_was_paid_for_elsewhere(
    services: Services, session: SessionId
) -> None:
    answer(services, asked(services, session), "0.25")
    fork = services.forking.after_turn(session, 2).session.id
    assert services.sessions.spent(fork).answers == 0
    answer(services, asked(services, fork), "0.5")
    assert services.sessions.spent(fork).usd == Decimal("0.5")
