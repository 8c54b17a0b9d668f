"""Long talks are drafted in pieces: every turn once, in order; what a fault or a stop leaves."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.errors import Invalid, ProviderError
from smriti_tui.domain.events import TurnAdded
from smriti_tui.domain.tokens import message_tokens
from smriti_tui.providers.base import Retrying
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services.background import Asked
from smriti_tui.services.drafting import DraftStep
from smriti_tui.services.pieces import PieceDone
from smriti_tui.store.envelope import StoredEvent
from tests.fakes.llm_server import FakeLLMServer
from tests.services import asking as setting
from tests.services.asking import WIRES, Asking, asking_in

WORD = re.compile(r"w\d+zz")
ENTRY = """
[[models]]
alias = "few"
model = "{wire}/scripted"
context_tokens = 4000
reply_tokens = 600
"""


@contextmanager
def few(
    folder: Path, process: ProviderProcess, server: FakeLLMServer, wire: str = "openai", **more: str
) -> Iterator[Asking]:
    """A background model with a window of 4,000 tokens."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(setting, "CONFIG", setting.CONFIG + ENTRY.format(wire=wire))
        with asking_in(folder, process, server, SMRITI_BACKGROUND_MODEL="few", **more) as asking:
            yield asking


def told(asking: Asking, texts: list[str]) -> None:
    """Questions and answers in turn, as a copied talk has them."""
    with asking.services.caller.write() as scope:
        for number, text in enumerate(texts, 1):
            asked = number % 2 == 1
            question = None if asked else number - 1
            role = "user" if asked else "assistant"
            turn = TurnAdded(number, 1, role, text, text, question=question)  # type: ignore[arg-type]
            scope.append(f"session/{asking.session}", turn)


def long_texts(count: int, most: int = 60) -> list[str]:
    chance = random.Random(3)
    return [f"w{n}zz " + "some words more " * chance.randrange(1, most) for n in range(count)]


def five_pieces() -> list[str]:
    return [f"w{n}zz {'long words ' * 700}" for n in range(5)]


def draft(number: int, **more: object) -> dict[str, Any]:
    return {"text": json.dumps({"summary": f"S{number}.", "decisions": [f"own {number}"], **more})}


async def drafted(asking: Asking) -> tuple[list[DraftStep], Drafted]:
    steps = [step async for step in asking.services.drafting.draft(asking.session)]
    assert isinstance(steps[-1], Drafted)
    return steps, steps[-1]


def ends(asking: Asking) -> list[tuple[object, object]]:
    """How each draft request ended, and with what answer, in the order of asking."""
    told = [*asking.services.log.read(f"session/{asking.session}")]
    bodies = [(each.type, each.body()) for each in told if isinstance(each, StoredEvent)]
    ended = {body["request"]: body for kind, body in bodies if kind == "request.ended"}
    asked = [body["request"] for kind, body in bodies if kind == "request.stored"]
    found = [ended.get(request, {}) for request in asked]
    return [(body.get("status"), body.get("text")) for body in found]


def untouched(asking: Asking, turns: int) -> None:
    """A draft that came to nothing saved nothing, and no request is left without its end."""
    assert asking.services.sessions.get(asking.session).last_seq == turns
    assert asking.services.checkpoints.of_space(asking.space) == []
    assert None not in [status for status, _ in ends(asking)]
    asking.proved()


@pytest.mark.parametrize("wire", WIRES)
async def test_four_hundred_turns_are_covered_once_in_order_and_joined_without_inventing(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    texts = long_texts(400 if wire == "openai" else 60)
    with few(tmp_path, warm_process, one_server, wire) as asking:
        told(asking, texts)
        most = sum(map(message_tokens, texts)) // 1_000
        for number in range(most):
            own = [{"text": f"own {number}", "turn": 1, "quote": f"w{number}zz some words"}]
            same = {"text": "The same.", "turn": 2, "quote": "w1zz some" if number else "invented"}
            named = {"title": f"T{number}", "objective": f"O{number}."} if number > 1 else {}
            names = ["Words" if number % 2 else "words", "Kafka", "ome"]
            found = {"decisions": [*own, same], "entities": names}
            one_server.script(draft(number, **found, **named))
        steps, made = await drafted(asking)
        count = len(made.pieces)
        assert count == sum(isinstance(step, PieceDone) for step in steps) > 3
        sent = [json.dumps(each["body"]) for each in one_server.requests()]
        assert len(sent) == count
        words = [WORD.findall(each) for each in sent]
        assert [word for each in words for word in each] == [f"w{n}zz" for n in range(len(texts))]
        spans = [(piece.first, piece.last) for piece in made.pieces]
        assert [n for a, b in spans for n in range(a, b + 1)] == [*range(1, len(texts) + 1)]
        for (first, last), each in zip(spans, sent, strict=True):
            assert f" {first} " in each
            assert f"{last} {'person' if last % 2 else 'assistant'}." in each
        _fits(asking, steps)
        # Joined: each item once, the one whose words were said; the first wordings; all summaries.
        assert [each.item.text for each in made.items] == [
            "own 0", "The same.", *(f"own {n}" for n in range(1, count))
        ]  # fmt: skip
        assert {each.checked.check for each in made.items} <= {"found", "assistant_only"}
        assert (made.title, made.objective, made.entities) == ("T2", "O2.", ("words",))
        assert made.summary == "\n\n".join(f"S{n}." for n in range(count))
        assert made.problems == ("nobody said the entity 'Kafka'", "nobody said the entity 'ome'")
        untouched(asking, len(texts))


def _fits(asking: Asking, steps: list[DraftStep]) -> None:
    for step in steps:
        if isinstance(step, Asked):
            tokens = sum(message_tokens(message.content) for message in step.messages)
            assert tokens + step.max_tokens <= 4_000


async def test_a_turn_that_is_too_large_is_told_before_anything_is_asked(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    with few(tmp_path, warm_process, one_server) as asking:
        told(asking, ["small", "small too", "large " * 3_000])
        with pytest.raises(Invalid, match=r"Turn 3 has .* tokens") as refused:
            await drafted(asking)
        assert refused.value.code == "too_long"
        assert one_server.requests() == []
        untouched(asking, 3)
        # A model that takes it drafts all.
        one_server.script(draft(0))
        steps = asking.services.drafting.draft(asking.session, model="big-openai")
        last = [step async for step in steps][-1]
        assert isinstance(last, Drafted)
        assert (last.first, last.last, len(last.pieces)) == (1, 3, 1)


async def test_faults_that_pass_are_tried_again_and_nothing_is_lost(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    with few(tmp_path, warm_process, one_server, SMRITI_RETRIES="2") as asking:
        told(asking, five_pieces())
        away = {"status": 500, "retry_after": 0}
        one_server.script(draft(0), draft(1), away, away, draft(2))
        one_server.script({"status": 429, "retry_after": 0}, draft(3), draft(4))
        steps, made = await drafted(asking)
        retries = [step.kind for step in steps if isinstance(step, Retrying)]
        assert retries == ["server", "server", "rate_limited"]
        assert [each.item.text for each in made.items] == [f"own {n}" for n in range(5)]
        assert [status for status, _ in ends(asking)] == ["complete"] * 5
        untouched(asking, 5)


async def test_a_fault_in_the_middle_names_its_piece_and_keeps_what_was_answered(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    with few(tmp_path, warm_process, one_server) as asking:
        told(asking, five_pieces())
        one_server.script(draft(0), draft(1), {"status": 500}, draft(3))
        done: list[DraftStep] = []
        steps = asking.services.drafting.draft(asking.session)
        with pytest.raises(ProviderError, match=r"Piece 3 of 5 \(turn 3\): .*scripted") as failed:
            await _into(done, steps)
        assert (failed.value.kind, failed.value.exit_code) == ("server", 5)
        asked = [step.request for step in done if isinstance(step, Asked)]
        assert failed.value.details["answered"] == asked[:2]
        assert len(one_server.requests()) == 3
        kept = ends(asking)
        assert kept == [
            ("complete", draft(0)["text"]), ("complete", draft(1)["text"]), ("failed", ""),
        ]  # fmt: skip
        untouched(asking, 5)


@pytest.mark.parametrize("how", ["cancelled", "closed"])
async def test_a_stop_in_the_middle_leaves_nothing_half_saved(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, how: str
) -> None:
    with few(tmp_path, warm_process, one_server) as asking:
        told(asking, five_pieces())
        one_server.script(draft(0), {"scenario": "stall"})
        second = asyncio.Event()
        steps = asking.services.drafting.draft(asking.session)
        if how == "closed":
            async for step in steps:
                if isinstance(step, PieceDone):
                    break
            await anext(steps)
            await steps.aclose()
        else:
            work = asyncio.create_task(_until_second(steps, second))
            await second.wait()
            await asyncio.to_thread(
                one_server.wait_for, lambda each: each["id"] > 1 and each["outcome"] == "running"
            )
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
            await asyncio.to_thread(
                one_server.wait_for, lambda each: each["outcome"] == "client-disconnected"
            )
        assert [status for status, _ in ends(asking)] == ["complete", "stopped"]
        untouched(asking, 5)


async def _into(done: list[DraftStep], steps: AsyncIterator[DraftStep]) -> None:
    async for step in steps:
        done.append(step)


async def _until_second(steps: AsyncIterator[DraftStep], second: asyncio.Event) -> None:
    asked = 0
    async for step in steps:
        asked += isinstance(step, Asked)
        if asked == 2:
            second.set()
