"""The controlled comparison: the same context, byte for byte, and exactly one thing changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.model import Turn
from smriti_tui.domain.window import chosen_answers
from smriti_tui.services import Services
from smriti_tui.services.sides import OneChange
from tests.services.asking import WIRES, Asked, Asking, follow, prove
from tests.support import content, ended, send

pytestmark = pytest.mark.contract

HOSTILE = "see [/x] \u202e ü漢 \x01"


def body(asking: Asking, at: int = -1) -> dict[str, Any]:
    """The body of a call as the server got it."""
    found = asking.server.requests()[at]["body"]
    assert isinstance(found, dict)
    return found


async def asked(asking: Asking, model: str = "openai/echo") -> Turn:
    """Two questions on a checkpoint of two; the answer to the second."""
    for number in (1, 2):
        asking.services.checkpoints.create(asking.space, content(f"S{number}", f"D {HOSTILE}"))
    await asking.send("first", model)
    return (await asking.send(f"second {HOSTILE}", model)).turn


async def beside(asking: Asking, answer: int, change: OneChange, **more: str) -> Asked:
    steps = asking.services.chat.beside(asking.session, answer, change, **more)
    return await follow(steps)


def sent(asking: Asking) -> dict[int, int | None]:
    return chosen_answers(asking.turns)


@pytest.mark.parametrize("wire", WIRES)
async def test_another_model_gets_the_same_bytes(asking: Asking, wire: str) -> None:
    left = await asked(asking, f"{wire}/echo")
    asking.services.checkpoints.create(asking.space, content("moved by another", "D"))
    right = await beside(asking, left.sequence_number, OneChange(model=f"{wire}/count"))
    before, after = body(asking, -2), body(asking)
    assert after.pop("model") != before.pop("model")
    assert json.dumps(after, sort_keys=True) == json.dumps(before, sort_keys=True)
    assert right.turn.context_sha256 == left.context_sha256
    assert right.turn.question == left.question
    assert "moved by another" not in json.dumps(after)
    asking.proved()


async def test_the_other_protocol_gets_the_same_messages(asking: Asking) -> None:
    left = await asked(asking)
    before = asking.received
    right = await beside(asking, left.sequence_number, OneChange(model="anthropic/echo"))
    assert asking.received == before
    assert right.turn.context_sha256 == left.context_sha256


@pytest.mark.parametrize("wire", WIRES)
async def test_a_parameter_is_the_only_difference(asking: Asking, wire: str) -> None:
    left = await asked(asking, f"{wire}/echo")
    change = OneChange(params={"temperature": 0.25})
    right = await beside(asking, left.sequence_number, change)
    before, after = body(asking, -2), body(asking)
    assert after.pop("temperature") == 0.25
    assert after == before
    again = OneChange(params={"top_p": 0.5})
    await beside(asking, right.turn.sequence_number, again)
    assert (body(asking)["temperature"], body(asking)["top_p"]) == (0.25, 0.5)
    asking.proved()


async def test_another_scope_changes_the_state_alone(asking: Asking) -> None:
    left = await asked(asking)
    narrow = asking.received
    right = await beside(asking, left.sequence_number, OneChange(scope=3))
    wide = asking.received
    assert wide[1:] == narrow[1:]
    assert "Checkpoint" in wide[0]["content"]
    assert (wide[0]["content"].count(": S1"), narrow[0]["content"].count(": S1")) == (1, 0)
    back = await beside(asking, right.turn.sequence_number, OneChange(scope=1))
    assert asking.received == narrow
    assert back.turn.context_sha256 == left.context_sha256
    asking.proved()


async def test_leaving_keeps_what_is_sent(asking: Asking) -> None:
    left = await asked(asking)
    question = left.question or 0
    right = await beside(asking, left.sequence_number, OneChange(model="anthropic/echo"))
    assert sent(asking)[question] == left.sequence_number
    third = await beside(asking, right.turn.sequence_number, OneChange(model="openai/count"))
    assert sent(asking)[question] == left.sequence_number
    asking.services.chat.choose(asking.session, third.turn.sequence_number)
    assert sent(asking)[question] == third.turn.sequence_number
    await asking.send("next")
    assert third.turn.text in [message["content"] for message in asking.received]
    assert right.turn.text == left.text  # both echo
    assert len(asking.received) == 6
    asking.proved()


async def test_the_choice_holds_when_the_new_answer_was_stopped_or_asked_again(
    asking: Asking,
) -> None:
    left = await asked(asking)
    question = left.question or 0
    steps = asking.services.chat.beside(
        asking.session, left.sequence_number, OneChange(model="openai/slow:delay_ms=40,tokens=90")
    )
    count = 0
    async for _ in steps:
        count += 1
        if count > 4:
            break
    await steps.aclose()
    stopped = asking.turns[-1]
    assert (stopped.status, sent(asking)[question]) == ("stopped", left.sequence_number)
    again = await ended(asking.services.chat.retry(asking.session, model="openai/echo"))
    assert sent(asking)[question] == again.sequence_number
    left_out = asking.services.contexts.stored(asking.session, again.sequence_number)
    assert left_out.verified


async def test_it_is_refused_where_only_a_fork_could_do_it(services: Services) -> None:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    first = await send(services, session, "one")
    await send(services, session, "two")
    change = OneChange(model="demo/contrarian")

    async def refused(answer: int, code: str) -> None:
        with pytest.raises(Conflict) as caught:
            await ended(services.chat.beside(session, answer, change))
        assert caught.value.code == code
        assert services.log.last_position() == newest

    newest = services.log.last_position()
    await refused(first.sequence_number, "no_sibling")
    services.checkpoints.create(space, content("S", "D"), session=session)
    newest = services.log.last_position()
    await refused(4, "no_sibling")
    last = await send(services, session, "three")
    services.sessions.mount(session, services.checkpoints.of_space(space)[0].id)
    newest = services.log.last_position()
    await refused(last.sequence_number, "no_sibling")


@pytest.mark.parametrize(
    "change",
    [
        OneChange(),
        OneChange(model="demo/contrarian", scope=3),
        OneChange(params={"messages": []}),
        OneChange(params={"temperature": float("nan")}),
        OneChange(params={"temperature": 1}),
        OneChange(model="demo/scripted"),
        OneChange(scope=2),
    ],
)
async def test_what_is_not_one_change_is_refused_before_anything_is_stored(
    services: Services, change: OneChange
) -> None:
    session = services.sessions.new(services.spaces.create("alpha").id).id
    answer = await send(services, session, "one")
    newest = services.log.last_position()
    with pytest.raises((Invalid, Conflict)):
        await ended(services.chat.beside(session, answer.sequence_number, change))
    assert services.log.last_position() == newest
    with pytest.raises(NotFound):
        await ended(services.chat.beside(session, 1, OneChange(model="demo/contrarian")))
    with pytest.raises(Conflict, match="would be the same"):
        await ended(services.chat.beside(session, answer.sequence_number, OneChange(scope=3)))


async def test_a_smaller_window_is_refused_and_nothing_is_left_out(asking: Asking) -> None:
    await asking.send("x" * 3000, "big-openai")
    left = (await asking.send("y", "big-openai")).turn
    newest = asking.services.log.last_position()
    with pytest.raises(Invalid) as caught:
        await beside(asking, left.sequence_number, OneChange(model="small"))
    assert caught.value.code == "too_long"
    assert asking.services.log.last_position() == newest


async def test_the_manifest_names_the_answers_that_came_between(services: Services) -> None:
    session = services.sessions.new(services.spaces.create("alpha").id).id
    answer = await send(services, session, "one")
    await ended(services.chat.retry(session))
    change = OneChange(model="demo/contrarian")
    right = await ended(services.chat.beside(session, answer.sequence_number, change))
    stored = services.contexts.stored(session, right.sequence_number).request.event
    ranges = [(left.first, left.last, left.reason) for left in stored.left_out]
    assert ranges == [(2, 3, "not chosen")]
    prove(services)
