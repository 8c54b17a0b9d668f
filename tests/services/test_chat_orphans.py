"""Answers whose process is gone, and processes that were only taken for gone (DESIGN 10.13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from smriti_tui.domain.events import AnswerEnded, Owner
from smriti_tui.domain.ids import SessionId
from smriti_tui.services import Services, answers
from smriti_tui.services.answers import Ask, Begun, begin, end, settle_orphans
from tests.services.asking import prove
from tests.support import content, send

ELSEWHERE = Owner("another-machine", 4711, "99")


@pytest.fixture
def session(services: Services) -> SessionId:
    return services.sessions.new(services.spaces.create("alpha").id).id


def begun_by(
    services: Services, session: SessionId, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> Begun:
    """A send of that process, which says no more."""
    limit = services.chat.limits.known(services.chat.resolve(None))
    prepared = services.contexts.prepare(session, limit, message="theirs")
    with monkeypatch.context() as patch:
        patch.setattr(answers, "this_process", lambda: owner)
        begun = begin(services.caller, prepared, Ask("demo/scripted", {}, "theirs", "theirs"))
    assert begun is not None
    return begun


def wait(services: Services, seconds: int) -> None:
    """The clock of these tests moves a second with each look at it."""
    for _ in range(seconds):
        services.caller.store.now()


def complete(begun: Begun, text: str) -> AnswerEnded:
    return AnswerEnded(begun.answer, "complete", text, model="demo/scripted", finish="stop")


@pytest.mark.parametrize(
    "owner",
    [
        lambda: Owner(answers.this_process().host, 2**22 + 1, "1"),
        lambda: Owner(answers.this_process().host, answers.this_process().pid, "other start"),
    ],
    ids=["no such process", "its number is another's now"],
)
async def test_an_answer_of_a_dead_process_ends_with_what_had_come(
    services: Services,
    session: SessionId,
    monkeypatch: pytest.MonkeyPatch,
    owner: Callable[[], Owner],
) -> None:
    begun = begun_by(services, session, owner(), monkeypatch)
    services.caller.store.side.save_partial(session, begun.answer, "half of", "thought")
    await send(services, session, "mine")
    turns = services.sessions.turns(session)
    assert [(turn.status, turn.text[:7]) for turn in turns[:3]] == [
        ("complete", "theirs"),
        ("cut", "half of"),
        ("complete", "mine"),
    ]
    assert turns[1].reasoning == "thought"
    assert (turns[1].error and turns[1].error.kind) == "process_gone"
    sent = services.contexts.stored(session, 4).messages
    assert [message.content for message in sent] == ["theirs", "half of", "mine"]
    prove(services)


async def test_a_living_process_keeps_its_answer(
    services: Services, session: SessionId, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun_by(services, session, answers.this_process(), monkeypatch)
    wait(services, 600)
    await send(services, session, "mine")
    prepared = services.chat.preview(session, "next")
    assert [turn.status for turn in services.sessions.turns(session)][1] == "running"
    left = [(e.first, e.reason) for e in prepared.context.left_out if e.what == "turns"]
    assert left == [(2, "running")]


async def test_another_machine_is_gone_after_a_minute_without_a_sign(
    services: Services, session: SessionId, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begun_by(services, session, ELSEWHERE, monkeypatch)
    wait(services, 40)
    services.caller.store.side.save_partial(session, begun.answer, "alive", "")
    wait(services, 40)
    assert settle_orphans(services.caller, session) == []
    wait(services, 40)
    assert [turn.sequence_number for turn in settle_orphans(services.caller, session)] == [2]
    assert settle_orphans(services.caller, session) == []
    assert services.sessions.turns(session)[1].text == "alive"


async def test_an_owner_that_wakes_up_adds_a_sibling(
    services: Services, session: SessionId, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begun_by(services, session, ELSEWHERE, monkeypatch)
    wait(services, 100)
    await send(services, session, "mine")
    late = end(services.caller, begun, complete(begun, "the whole answer"))
    assert (late.sequence_number, late.question, late.line) == (5, 1, 1)
    turns = services.sessions.turns(session)
    assert [turn.status for turn in turns] == [
        "complete", "failed", "complete", "complete", "complete",
    ]  # fmt: skip
    messages = services.chat.preview(session, "next").context.messages
    assert "the whole answer" in [message.content for message in messages]
    prove(services)


async def test_a_late_answer_behind_a_newer_boundary_stays_on_its_line(
    services: Services, session: SessionId, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begun_by(services, session, answers.this_process(), monkeypatch)
    space = services.spaces.all()[0].id
    saved = services.checkpoints.create(space, content("state")).checkpoint.id
    services.sessions.mount(session, saved)
    end(services.caller, begun, complete(begun, "late"))
    messages = services.chat.preview(session, "next").context.messages
    assert [message.content for message in messages if message.role == "user"] == ["next"]
    services.sessions.unmount(session)
    messages = services.chat.preview(session, "next").context.messages
    assert [message.content for message in messages[1:]] == ["theirs", "late", "next"]
    prove(services)
