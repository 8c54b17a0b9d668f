"""`kill -9` in a draft, an extraction, a review, and while their results are saved: nothing is half
there, and a request whose answer nobody received is told."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.services import Services
from tests.services.asking import prove
from tests.services.workers import Worker
from tests.support import content, opened_services, send

MOMENTS = (("asked", "draft"), ("asked", "extract"), ("asked", "review"), ("saving", "extract"))


async def killed(folder: Path, moment: tuple[str, str], chance: random.Random) -> None:
    rounds, wait = chance.randrange(2), chance.uniform(0.0, 0.04)
    with Worker("drafter", folder, {}) as worker:
        worker.hear("ready")
        for _ in range(rounds):
            worker.hear("reviewed")
        while worker.hear(moment[0])["call"] != moment[1]:
            continue
        await asyncio.sleep(wait)
        worker.kill()
    model = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}
    with opened_services(folder, environ=model) as services:
        await check(services, worker.said)


def of(said: list[dict[str, Any]], what: str) -> list[dict[str, Any]]:
    return [line for line in said if line["what"] == what]


async def check(services: Services, said: list[dict[str, Any]]) -> None:
    prove(services)
    space, session = SpaceId(said[0]["space"]), SessionId(said[0]["session"])
    unended = [verdict.request for verdict in services.contexts.verify() if verdict.unended]
    asked, answered = of(said, "asked"), of(said, "answered")
    # A request may be stored, or have ended, before that was told.
    assert set(unended) & {line["request"] for line in asked[: len(answered)]} == set()
    assert len(unended) <= 1
    stored = {each.id for each in services.checkpoints.of_space(space)}
    told = {line["checkpoint"] for line in of(said, "saved")}
    assert told <= stored
    assert len(stored) - len(told) <= 1
    counts = {line["checkpoint"]: line["findings"] for line in of(said, "reviewed")}
    for checkpoint in stored:
        reviewed = services.reviewing.latest(CheckpointId(checkpoint))
        if checkpoint in counts:
            assert reviewed is not None
        if reviewed is not None and counts:
            # Each is a review of the same words: whole or not there at all.
            assert len(reviewed.findings) == next(iter(counts.values()))
    await goes_on(services, space, session)


async def goes_on(services: Services, space: SpaceId, session: SessionId) -> None:
    """All that was killed can be done again."""
    assert (await send(services, session, "We keep the log.")).status == "complete"
    drafted = [step async for step in services.drafting.draft(session)][-1]
    assert isinstance(drafted, Drafted)
    made = services.checkpoints.create(space, content("after", "One writer"), session=session)
    reviewed = [step async for step in services.reviewing.review(made.checkpoint.id)][-1]
    assert isinstance(reviewed, Reviewed)
    prove(services)


async def rounds(folder: Path, moments: list[tuple[str, str]]) -> None:
    for number, moment in enumerate(moments):
        seed = random.randrange(10**6)
        print(f"seed {seed} at {moment}")  # noqa: T201 (who reads a failure needs it)
        await killed(folder / str(number), moment, random.Random(seed))


async def test_a_kill_in_each_call_leaves_nothing_half_there(tmp_path: Path) -> None:
    # A process each; an extraction is asked as a draft is, and is hit among the thirty.
    await rounds(tmp_path, [moment for moment in MOMENTS if moment != ("asked", "extract")])


@pytest.mark.faults
async def test_thirty_kills_leave_nothing_half_there(tmp_path: Path) -> None:
    await rounds(tmp_path, [*MOMENTS, ("saving", "draft")] * 6)
