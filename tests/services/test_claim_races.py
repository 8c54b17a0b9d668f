"""Agents in processes of their own race for the same tasks, and some are killed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.store.envelope import StoredEvent


def racer(folder: Path, space: str, number: int, said: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.services.claim_racer", str(folder), space]
    with said.open("ab") as file:
        return subprocess.Popen(
            [*command, f"agent-{number}", str(time.time_ns())], stdout=file, cwd=Path.cwd()
        )


def race(folder: Path, agents: int, seconds: float, kills: int) -> None:
    """Until that long has passed and that many were killed, each after it had claimed something."""
    environ = {"HOME": str(folder), "SMRITI_HOME": str(folder), "SMRITI_ACTOR": "ada"}
    config = load_config(environ=environ)
    with open_services(config, "cli") as services:
        space = services.spaces.create("Race").id
    files = [folder / f"said-{number}" for number in range(agents)]
    running = [racer(folder, space, number, files[number]) for number in range(agents)]
    heard = [0] * agents
    try:
        began = time.monotonic()
        while time.monotonic() < began + seconds or kills > 0:
            assert time.monotonic() < began + seconds + 60, "nobody claims anything"
            time.sleep(0.3)
            number = random.randrange(agents)
            if len(lines(files[number])) > heard[number] + 5:
                running[number].kill()
                running[number].wait()
                heard[number] = len(lines(files[number]))
                running[number] = racer(folder, space, number, files[number])
                kills -= 1
    finally:
        for process in running:
            process.kill()
            process.wait()
    with open_services(config, "cli") as services:
        assert services.log.verify().difference is None
        found = list(services.log.read(f"claims/{space}"))
    events = [each for each in found if isinstance(each, StoredEvent)]
    assert len(events) == len(found)
    check(events, [json.loads(line) for file in files for line in lines(file)])


def lines(file: Path) -> list[str]:
    """Whole lines: a killed process may have written half of one."""
    text = file.read_text() if file.exists() else ""
    return [line for line in text.split("\n")[:-1] if line.endswith("}")]


def check(events: list[StoredEvent], said: list[dict[str, object]]) -> None:
    taken = {str(e.body()["claim"]): e for e in events if e.type == "claim.taken"}
    ended = {str(e.body()["claim"]): e for e in events if e.type == "claim.ended"}
    next_of: dict[str, int] = {}
    by_actor: defaultdict[str, list[StoredEvent]] = defaultdict(list)
    for event in events:
        by_actor[event.actor].append(event)
    for mine in by_actor.values():
        for event, later in pairwise(mine):
            next_of[event.event_id] = later.position
    tokens: defaultdict[object, list[object]] = defaultdict(list)
    for event in taken.values():
        tokens[event.body()["task_id"]].append(event.body()["token"])
    assert all(each == list(range(1, len(each) + 1)) for each in tokens.values())
    assert len(said) > 20
    for line in said:
        assert "error" not in line, line
        event = taken[str(line["claim"])]  # what was told is there
        until = next_of.get(event.event_id, sys.maxsize)
        must = {
            other
            for other, its in taken.items()
            if its.position < event.position
            and its.body()["task_id"] == event.body()["task_id"]
            and (other not in ended or ended[other].position > until)
        }
        assert must <= set(line["told"])  # type: ignore[call-overload]


def test_no_claim_is_lost_and_every_overlap_is_told(tmp_path: Path) -> None:
    race(tmp_path, 3, 2, 3)


@pytest.mark.soak
def test_no_claim_is_lost_in_a_minute_of_six(tmp_path: Path) -> None:
    race(tmp_path, 6, 60, 20)
