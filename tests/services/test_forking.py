"""Forks: a fork begins with exactly what a model had at that place, on a branch of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.services import Services
from smriti_tui.services.forking import Forked
from tests.support import content, ended, opened_services, send

pytestmark = pytest.mark.contract

Message = dict[str, str]


def sent(services: Services, session: SessionId, answer: int) -> list[Message]:
    """What the model got for an answer, as it was stored."""
    stored = services.contexts.stored(session, answer)
    return [{"role": each.role, "content": each.content} for each in stored.messages]


async def told(services: Services) -> tuple[SessionId, CheckpointId, CheckpointId]:
    """Turns 1 to 4, a checkpoint, 5 to 6 asked twice, a mount of the first, 8 to 9."""
    space = services.spaces.create("alpha").id
    first = services.checkpoints.create(space, content("First", "D1")).checkpoint.id
    session = services.sessions.new(space, title="talk").id
    await send(services, session, "question 1")
    await send(services, session, "question 3")
    second = services.checkpoints.create(space, content("Second", "D2"), session=session)
    await send(services, session, "question 5")
    await ended(services.chat.retry(session))
    services.sessions.mount(session, first)
    await send(services, session, "question 8")
    return session, first, second.checkpoint.id


@pytest.mark.parametrize("number", [2, 4, 6, 7, 9])
async def test_a_fork_after_an_answer_sends_what_was_sent_there_and_goes_on(
    services: Services, number: int
) -> None:
    session, first, second = await told(services)
    answer = services.sessions.turns(session, number, number)[0]
    question = services.sessions.turns(session, answer.question or 0, answer.question)[0]
    made = services.forking.after_turn(session, number)
    await send(services, made.session.id, "and then?")
    last = services.sessions.get(made.session.id).last_seq
    assert sent(services, made.session.id, last) == [
        *sent(services, session, number),
        {"role": "assistant", "content": answer.content},
        {"role": "user", "content": "and then?"},
    ]
    assert question.text in [each["content"] for each in sent(services, made.session.id, last)]
    assert made.checkpoint == (second if number in (6, 7) else first)
    assert [verdict.reason for verdict in services.contexts.verify() if verdict.reason] == []


async def test_an_edited_question_is_asked_where_the_old_one_was(services: Services) -> None:
    session, _, _ = await told(services)
    made = services.forking.before_question(session, 3)
    await send(services, made.session.id, "question 3, better")
    now = sent(services, made.session.id, services.sessions.get(made.session.id).last_seq)
    then = sent(services, session, 4)
    assert now[:-1] == then[:-1]
    assert now[-1]["content"] == "question 3, better"
    with pytest.raises(Invalid, match="no question"):
        services.forking.before_question(session, 4)


async def test_a_fork_of_a_checkpoint_has_no_turns_and_leaves_the_rest_alone(
    services: Services,
) -> None:
    session, first, second = await told(services)
    before = services.sessions.get(session)
    one = services.forking.from_checkpoint(first)
    two = services.forking.from_checkpoint(first)
    assert one.copied == two.copied == 0
    assert one.branch != two.branch
    assert first[:7] in one.session.title
    await send(services, one.session.id, "only here")
    assert services.sessions.get(two.session.id).last_seq == 0
    assert services.sessions.get(session) == before
    place = services.contexts.view(one.session.id)
    assert (place.mode, place.anchor and place.anchor.id) == ("FORKED", first)
    saved = services.checkpoints.create(
        one.session.space or place.line.session,  # type: ignore[arg-type]
        content("On the fork", "D3"),
        session=one.session.id,
    ).checkpoint
    assert (saved.branch_name, saved.body.parents) == (one.branch, (first,))
    assert second not in saved.body.parents


async def test_names_are_free_and_a_taken_one_or_an_unknown_place_makes_nothing(
    services: Services,
) -> None:
    session, first, _ = await told(services)
    space = services.sessions.get(session).space
    assert space is not None
    named = services.forking.after_turn(session, 2, branch="feat/a/b")
    assert named.branch == "feat/a/b"
    count = len(services.sessions.of_space(space))
    with pytest.raises(Conflict, match="feat/a/b"):
        services.forking.from_checkpoint(first, branch="feat/a/b")
    with pytest.raises(NotFound):
        services.forking.after_turn(session, 99)
    with pytest.raises(NotFound):
        services.forking.from_checkpoint(CheckpointId("0" * 64))
    assert len(services.sessions.of_space(space)) == count


async def test_a_session_in_no_space_forks_into_none(services: Services) -> None:
    session = services.sessions.new_fresh().id
    await send(services, session, "question 1")
    made = services.forking.after_turn(session, 2)
    assert (made.branch, made.checkpoint, made.copied) == (None, None, 2)
    assert made.session.space is None


def test_the_same_command_forks_once(services: Services) -> None:
    space = services.spaces.create("alpha").id
    first = services.checkpoints.create(space, content("First", "D1")).checkpoint.id
    command = "7b2b0a52-6a5f-4a60-9a0b-2d1f6b1d8a11"

    def fork() -> Forked:
        return services.forking.from_checkpoint(first, command_id=command)

    assert fork() == fork()


async def test_forks_are_folded_again_as_they_were(tmp_path: Path) -> None:
    with opened_services(tmp_path / "again") as services:
        session, first, _ = await told(services)
        services.forking.after_turn(session, 7)
        services.forking.from_checkpoint(first)
        assert services.log.verify().difference is None
