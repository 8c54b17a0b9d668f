"""`kill -9` at any moment of a send: the person's turn is there, and so is what had streamed in up
to its last second, marked; the log verifies; the next start and the next send work."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from smriti_tui.domain.ids import SessionId
from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer
from tests.protocol.test_provider_process import gone
from tests.services.asking import Asking, asking_in, wire_environ
from tests.services.workers import Worker

MOMENTS = ("before it is stored", "before the answer", "in the stream", "its end")
PIECES, PAUSE_MS = 90, 25
"""An answer takes 2.3 seconds."""


@dataclass
class Round:
    """One victim in a folder of its own, ready to send."""

    moment: str
    folder: Path
    session: SessionId
    victim: Worker
    model: str

    @property
    def start(self) -> float:
        """Seconds after the order at which it dies, about."""
        whole = PIECES * PAUSE_MS / 1000
        first, last = {
            "before it is stored": (0.0, 0.03),
            "before the answer": (0.03, 0.4),
            "in the stream": (0.4, whole),
            "its end": (whole, whole + 0.6),
        }[self.moment]
        return random.uniform(first, last)


def prepared(
    moment: str, folder: Path, server: FakeLLMServer, process: ProviderProcess, wire: str
) -> Round:
    with asking_in(folder, process, server) as asking:
        session = asking.session
    first = "&first_ms=400" if moment == "before the answer" else ""
    scenario = f"slow:delay_ms={PAUSE_MS},tokens={PIECES}{first.replace('&', ',')}"
    victim = Worker("sender", folder, wire_environ(server))
    return Round(moment, folder, session, victim, f"{wire}/{scenario}")


async def check(given: Round, asking: Asking, killed: float) -> None:
    """What is left after the death of its victim."""
    said = given.victim.said
    services = asking.services
    asking = Asking(services, asking.server, asking.space, given.session)
    stored = any(line["what"] == "stored" for line in said)
    arrived = [line for line in said if line["what"] == "arrived"]
    kept_for_sure = max([n["size"] for n in arrived if n["at"] < killed - 1.0], default=0)
    before = asking.turns
    assert not stored or before, "an acknowledged turn is gone"
    # The next send settles what the dead process left, and works.
    asked = await asking.send("and now?", "openai/echo:id=after")
    assert asked.turn.status == "complete"
    turns = asking.turns
    if before:
        question, answer = turns[0], turns[1]
        assert question.text == "what is [/x] ü?"
        assert len(answer.text) >= kept_for_sure
        if answer.status != "complete":
            assert answer.status == ("cut" if answer.text else "failed")
            assert answer.error is not None
            assert answer.error.kind == "process_gone"
        told = [m["content"] for m in asking.received]
        assert told == [question.text, *([answer.text] if answer.text else []), "and now?"]
        assert not any(line["what"] == "ended" for line in said) or answer.status == "complete"
    assert services.caller.store.side.partial(given.session, 2) is None
    asking.proved()


def run_rounds(
    moments: list[str], tmp_path: Path, process: ProviderProcess, server: FakeLLMServer, seed: int
) -> None:
    print(f"seed {seed}")  # noqa: T201 (who reads a failure needs it)
    random.seed(seed)
    with ExitStack() as stack:
        rounds = [
            prepared(moment, tmp_path / str(n), server, process, ("openai", "anthropic")[n % 2])
            for n, moment in enumerate(moments)
        ]
        for given in rounds:
            stack.enter_context(given.victim)
        for given in rounds:
            child = given.victim.hear("ready")["child"]
            given.victim.go(session=given.session, text="what is [/x] ü?", model=given.model)
            time.sleep(given.start)
            killed = given.victim.kill()
            assert gone(child, 2.0), "a provider process is left"
            with asking_in(given.folder, process, server) as asking:
                asyncio.run(check(given, asking, killed))


def test_a_killed_send_loses_nothing(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    run_rounds(list(MOMENTS), tmp_path, warm_process, one_server, random.randrange(10**6))


@pytest.mark.faults
def test_fifty_killed_sends_lose_nothing(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    for part in range(10):
        moments = random.sample(MOMENTS, len(MOMENTS))
        seed = random.randrange(10**6)
        run_rounds(moments, tmp_path / str(part), warm_process, one_server, seed)
