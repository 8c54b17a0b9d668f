"""Several processes at once: nothing lost, no number twice, no gap, no word about a lock; and each
context is what its line allowed at that moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.ids import SessionId
from smriti_tui.services import Services
from smriti_tui.services.logs import StoredEvent
from tests.services.asking import prove
from tests.services.workers import Worker
from tests.support import opened_services

pytestmark = pytest.mark.contract


@pytest.fixture(scope="module")
def racers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Worker]]:
    """Eight processes, which take part in one race after the other."""
    folder = tmp_path_factory.mktemp("racers")
    with ExitStack() as stack:
        workers = [
            stack.enter_context(Worker("racer", folder, {"NAME": f"p{n}"})) for n in range(8)
        ]
        for worker in workers:
            worker.hear("up")
        yield workers


def race(
    racers: list[Worker], folder: Path, sessions: list[SessionId], rounds: int
) -> list[list[dict[str, Any]]]:
    """One process for each of `sessions`, all let go at once; what each of them said."""
    taking_part = racers[: len(sessions)]
    for worker, session in zip(taking_part, sessions, strict=True):
        worker.said.clear()
        worker.go(folder=str(folder), session=session, rounds=rounds)
    for worker in taking_part:
        worker.hear("ready")
    for worker in taking_part:
        worker.go()
    for worker in taking_part:
        # A process that meets an error ends without this word.
        worker.hear("done")
    return [worker.said for worker in taking_part]


def told(said: list[list[dict[str, Any]]], what: str, key: str) -> list[Any]:
    return [line[key] for each in said for line in each if line["what"] == what]


def test_eight_processes_at_once_lose_nothing(racers: list[Worker], tmp_path: Path) -> None:
    rounds = 10
    with opened_services(tmp_path) as services:
        space = services.spaces.create("alpha").id
        made = [services.sessions.new(space).id for _ in range(7)]
        said = race(racers, tmp_path, [*made, made[0]], rounds)
        versions = [event.version for event in services.log.read("tracker")]
        assert versions == list(range(1, 8 * rounds * 3 + 1))
        batches = told(said, "appended", "versions")
        assert sorted(n for batch in batches for n in batch) == versions
        assert all(batch == list(range(batch[0], batch[0] + 3)) for batch in batches)
        for n, session in enumerate(made):
            turns = services.sessions.turns(session)
            count = rounds * (2 if n else 4)
            assert [turn.sequence_number for turn in turns] == list(range(1, count + 1))
            assert all(turn.status == "complete" for turn in turns)
        texts = {turn.text for session in made for turn in services.sessions.turns(session)}
        assert {f"question {n} of p{who}" for n in range(rounds) for who in range(8)} <= texts
        positions = [event.position for event in services.log.read(None)]
        assert positions == list(range(1, len(positions) + 1))
        check_contexts(services, made[0])
        prove(services)


def test_two_senders_on_one_session_get_what_its_line_allowed_at_that_moment(
    racers: list[Worker], tmp_path: Path
) -> None:
    with opened_services(tmp_path) as services:
        session = services.sessions.new(services.spaces.create("alpha").id).id
        said = race(racers, tmp_path, [session, session], 20)
        answers = told(said, "answered", "answer")
        assert len(answers) == len(set(answers)) == 40
        assert check_contexts(services, session) == 40
        turns = services.sessions.turns(session)
        for line in (line for each in said for line in each if line["what"] == "answered"):
            question = turns[line["question"] - 1]
            assert question.text == f"question {line['n']} of {line['name']}"
            assert turns[line["answer"] - 1].question == line["question"]
        prove(services)


def test_eight_senders_on_one_session_all_get_their_turn(
    racers: list[Worker], tmp_path: Path
) -> None:
    with opened_services(tmp_path) as services:
        session = services.sessions.new_fresh().id
        race(racers, tmp_path, [session] * 8, 4)
        assert check_contexts(services, session) == 32
        prove(services)


def check_contexts(services: Services, session: SessionId) -> int:
    """Replays the session's events by themselves and compares what each request may have held: the
    questions so far and the answers that had ended. How many requests there were."""
    ended: dict[int, str] = {}
    asked: dict[int, str] = {}
    running: set[int] = set()
    question = count = 0
    for event in events(services, session):
        body = event.body()
        number = int(str(body.get("sequence_number", 0)))
        if event.type == "turn.added":
            asked[number], question = str(body["content"]), number
        elif event.type == "answer.started":
            running.add(number)
            check_one(services, session, number, {**asked, **ended}, running - {number}, question)
            count += 1
        elif event.type == "answer.ended":
            ended[number] = str(body["text"])
            running.discard(number)
    assert not running
    return count


def check_one(
    services: Services,
    session: SessionId,
    answer: int,
    known: dict[int, str],
    running: set[int],
    question: int,
) -> None:
    stored = services.contexts.stored(session, answer)
    allowed = [known[number] for number in sorted(known) if number <= question]
    assert [message.content for message in stored.messages] == allowed
    left = {
        number
        for entry in stored.request.event.left_out
        if entry.reason == "running" and entry.first and entry.last
        for number in range(entry.first, entry.last + 1)
    }
    assert left == running


def events(services: Services, session: SessionId) -> Iterator[StoredEvent]:
    for event in services.log.read(f"session/{session}"):
        assert isinstance(event, StoredEvent)
        yield event
