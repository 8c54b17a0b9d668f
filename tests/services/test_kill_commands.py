"""`kill -9` in the middle of any writing command: what returned is there, nothing is half there."""

from __future__ import annotations

import asyncio
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.services import Services
from tests.services.asking import prove
from tests.services.workers import Worker
from tests.support import content, opened_services, send


def returned(said: list[dict[str, Any]], command: str) -> list[Any]:
    return [line["result"] for line in said if line.get("command") == command]


async def check(services: Services, said: list[dict[str, Any]]) -> None:
    prove(services)
    ready = said[0]
    space, session = SpaceId(ready["space"]), SessionId(ready["session"])
    versions = [event.version for event in services.log.read("tracker")]
    assert versions == list(range(1, len(versions) + 1))
    assert len(versions) % 3 == 0, "a batch is half there"
    told = [n for batch in returned(said, "append") for n in batch]
    assert versions[: len(told)] == told
    for made in returned(said, "space_made"):
        assert services.spaces.branches(SpaceId(made))[0].name == "main"
    for found in services.spaces.all():
        assert services.spaces.branches(found.id)
    for made in [*returned(said, "session_made"), *returned(said, "attached")]:
        assert services.sessions.get(SessionId(made)).space == space
    for saved in [*returned(said, "saved_one"), *returned(said, "saved_beside")]:
        assert services.checkpoints.get(CheckpointId(saved)).id == saved
    for branch in services.spaces.branches(space):
        assert branch.name == "main" or branch.head is not None, "a branch without its checkpoint"
    turns = services.sessions.turns(session)
    assert [turn.sequence_number for turn in turns] == list(range(1, len(turns) + 1))
    for number in returned(said, "asked"):
        assert turns[number - 1].status == "complete"
    for pair in returned(said, "deleted"):
        with pytest.raises(NotFound):
            services.sessions.get(SessionId(pair[0]))
    if texts := returned(said, "unsent"):
        assert services.caller.store.side.unsent("prompt/x")[0].text >= texts[-1][:5]
    assert (await send(services, session, "go on")).status == "complete"
    assert not [turn for turn in services.sessions.turns(session) if turn.status == "running"]
    services.checkpoints.create(space, content("after"))
    prove(services)


async def run_rounds(folder: Path, rounds: int) -> list[int]:
    """How many commands had returned in each of `rounds`."""
    done = []
    with ExitStack() as stack:
        folders = [folder / str(n) for n in range(rounds)]
        workers = [stack.enter_context(Worker("commander", each, {})) for each in folders]
        for worker, each in zip(workers, folders, strict=True):
            seed = random.randrange(10**6)
            print(f"seed {seed}")  # noqa: T201 (who reads a failure needs it)
            worker.hear("ready")
            worker.go()
            moment = random.Random(seed)
            for _ in range(moment.randrange(1, 45)):
                worker.hear("done")
            await asyncio.sleep(moment.uniform(0.0, 0.03))
            worker.kill()
            with opened_services(each) as services:
                await check(services, worker.said)
            done.append(len(worker.said))
    return done


async def test_killed_commands_leave_nothing_half_done(tmp_path: Path) -> None:
    assert len(await run_rounds(tmp_path, 3)) == 3


@pytest.mark.faults
async def test_fifty_killed_commands_leave_nothing_half_done(tmp_path: Path) -> None:
    for part in range(10):
        await run_rounds(tmp_path / str(part), 5)
