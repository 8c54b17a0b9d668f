"""A long session in the terminal: opening it, and typing while an answer streams in."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from tests.bench.figures import Budget, Figure, compared, percentile, told
from tests.bench.programs import PYTHON, ROOT, Failed, home_environment, script
from tests.bench.rounds import Plan, interleaved
from tests.bench.seed import LAST_WORDS, SeededHome, add_sends, seeded_home, services_at
from tests.bench.terminal import CLOCK, Terminal

OPEN_BUDGET = Budget(1.5)
KEY_BUDGET = Budget(50)
CHUNKS_PER_S = 100
MODEL = f"openai/slow:delay_ms={1000 // CHUNKS_PER_S},tokens=20000"
KEYS = 60
BARE = "a bare Textual app, a text growing in it"
BARE_BUDGET = Budget(1.0)
STREAMED_S = 3.0
"""How long an answer has come before the typing is measured."""
ESC, ENTER = "\x1b", "\r"
ROWS: Mapping[str, int] = {"long": 1, "short": 2, "first": 3}
"""Where the sessions of a seeded home stand below its Space: the last written comes first."""


def opening(plan: Plan) -> list[Figure]:
    """From the key that opens a session to its newest turn on the screen."""
    home = _copy(plan, seeded_home(plan))
    with Terminal([script("smriti-tui")], home_environment(home.path)) as terminal:
        terminal.wait(LAST_WORDS["long"])
        ways = {name: partial(_open_ms, terminal, name) for name in ("long", "short")}
        found = interleaved(plan.rounds(15), ways, warm_up=True)
    return [
        compared(
            "opening",
            "opening a session of 10,000 turns",
            "ms",
            found["long"],
            "one of 100 turns",
            found["short"],
            budget=OPEN_BUDGET,
        )
    ]


def _open_ms(terminal: Terminal, name: str) -> float:
    """Both are opened from the same third session."""
    for each in ("first", name):
        for keys in (ESC, "1", "g", "j" * ROWS[each]):
            terminal.send(keys)
            terminal.rest(0.2)
        began = CLOCK()
        terminal.send(ENTER)
        shown = terminal.wait(LAST_WORDS[each])
        terminal.rest(0.2)
    return (shown - began) * 1e3


def typing(plan: Plan) -> list[Figure]:
    """From a key to its sign in the prompt: in a long session at rest, and while an answer comes
    at 100 chunks a second; beside the same in a short one."""
    home = _copy(plan, seeded_home(plan))
    with services_at(home.path) as services:
        # A session goes on with the model of its newest answer.
        for name, session in (("short", home.short), ("long", home.long)):
            add_sends(services, session, 1, model=MODEL, last=LAST_WORDS[name])
    with _provider() as base:
        settings = {"SMRITI_CHAT_MODEL": MODEL, "SMRITI_API_BASE": base, "SMRITI_API_KEY": "none"}
        keys = partial(_keys_ms, plan, home, settings)
        found = interleaved(
            plan.rounds(5),
            {
                "streaming": partial(keys, "long", True),
                "streaming, 100 turns": partial(keys, "short", True),
                "at rest": partial(keys, "long", False),
                BARE: partial(_bare_ms, home_environment(home.path)),
            },
        )
    return [
        _beside_bare(found["streaming"], found[BARE]),
        *_latency("while an answer streams", found["streaming"], KEY_BUDGET),
        *_latency("while an answer streams, 100 turns", found["streaming, 100 turns"]),
        *_latency("at rest", found["at rest"]),
    ]


def _beside_bare(ours: list[list[float]], bare: list[list[float]]) -> Figure:
    return compared(
        "typing",
        "key to paint, p95, while an answer streams, 10,000 turns",
        "ms",
        [percentile(each, 0.95) for each in ours],
        BARE,
        [percentile(each, 0.95) for each in bare],
        budget=BARE_BUDGET,
    )


def _bare_ms(env: Mapping[str, str]) -> list[float]:
    """The same keys beside the same words in an app that is nothing else."""
    command = [PYTHON, "-m", "tests.bench.bare_stream"]
    with Terminal(command, {**env, "PYTHONPATH": str(ROOT)}) as terminal:
        terminal.wait("gamma delta epsilon")
        _pause(terminal, STREAMED_S)
        found = _typed_ms(terminal, random.Random(BARE))
        _still_streaming(terminal)
    return found


def _latency(
    when: str, rounds: list[list[float]], budget: Budget | None = None
) -> Iterator[Figure]:
    turns = "" if "turns" in when else ", 10,000 turns"
    yield told(
        "typing",
        f"key to paint, p95, {when}{turns}",
        "ms",
        [percentile(each, 0.95) for each in rounds],
        budget=budget,
        note=f"median {percentile([ms for each in rounds for ms in each], 0.5):.0f}, "
        f"worst {max(max(each) for each in rounds):.0f}",
    )


def _keys_ms(
    plan: Plan, seeded: SeededHome, settings: Mapping[str, str], session: str, streaming: bool
) -> list[float]:
    """Each time in a home as it was: what is typed here stays in it."""
    home = _copy(plan, seeded).path
    try:
        with Terminal([script("smriti-tui")], home_environment(home, settings)) as terminal:
            terminal.wait(LAST_WORDS["long"])
            terminal.rest(1.0)
            if session != "long":
                _open_ms(terminal, session)
            for keys in (ESC, "i"):
                terminal.send(keys)
                terminal.rest(0.2)
            if streaming:
                terminal.send("go on" + ENTER)
                terminal.wait("gamma delta epsilon", 60)
                _pause(terminal, STREAMED_S)
            found = _typed_ms(terminal, random.Random(session))
            if streaming:
                _still_streaming(terminal)
    finally:
        shutil.rmtree(home.parent)
    return found


def _typed_ms(terminal: Terminal, chance: random.Random) -> list[float]:
    # A beginning that stands nowhere else on the screen.
    typed = "zqx"
    terminal.send(typed)
    terminal.wait(typed)
    found: list[float] = []
    for _ in range(KEYS):
        key = chance.choice("bcdfghjklmnpqrstvwxz")
        typed += key
        # As a fast typist, and off the beat of the frames.
        _pause(terminal, chance.uniform(0.06, 0.16))
        began = CLOCK()
        terminal.send(key)
        found.append((terminal.wait(typed) - began) * 1e3)
    return found


def _pause(terminal: Terminal, seconds: float) -> None:
    end = CLOCK() + seconds
    while (left := end - CLOCK()) > 0:
        terminal.pump(left)


def _still_streaming(terminal: Terminal) -> None:
    before = terminal.text()
    _pause(terminal, 0.5)
    if terminal.text() == before:
        raise Failed("the answer ended before the typing did")


@contextmanager
def _provider() -> Iterator[str]:
    """A provider that speaks as many words as it is asked for; its base address."""
    command = [sys.executable, "-m", "tests.fakes.llm_server", "--exit-with-parent"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["openai_base"]
    finally:
        server.terminate()
        server.wait()


def _copy(plan: Plan, home: SeededHome) -> SeededHome:
    path = plan.new_folder("home") / "seeded"
    shutil.copytree(home.path, path)
    return SeededHome(path, home.space, home.checkpoint, home.short, home.long)
