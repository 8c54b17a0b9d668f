"""Every fault of a provider through the real library: what is stored, what is told, and that the
next send works. The person's turn is always there."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import Chunk, TextDelta
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.providers.wire import ModelLimits
from smriti_tui.services import Services
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import KEY, WIRES, Asking, asking_in, follow
from tests.support import opened_services, send

FIVE = "alpha beta gamma delta epsilon "


@dataclass(frozen=True)
class Case:
    scenario: str
    kind: str
    text: str = ""
    told: tuple[str, ...] = ()
    """Words of the stored message."""


CASES = [
    Case("unauthorized", "auth", told=("API_KEY",)),
    Case("not-found", "model_not_found", told=("chat.model",)),
    Case("rate-limited", "rate_limited"),
    Case("server-error", "server"),
    Case("web-page", "empty"),
    Case("empty-choices", "empty"),
    Case("empty", "empty"),
    Case("not-json", "empty"),
    Case("tool-call", "empty"),
    Case("context-too-long", "context_too_long", told=("window",)),
    Case("reset", "connection"),
    Case("drop-mid-stream", "cut", FIVE),
    Case("no-finish", "cut", FIVE),
    Case("bad-json", "cut", FIVE),
    Case("error-in-stream", "server", FIVE),
    Case("error-in-stream:after=0", "server"),
]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.scenario)
async def test_a_fault_keeps_the_turn_and_all_that_came(
    asking: Asking, case: Case, wire: str
) -> None:
    before = await asking.send("before")
    asked = await asking.send("and now?", f"{wire}/{case.scenario}")
    turn = asked.turn
    assert asked.kind == case.kind, turn.error
    assert turn.status == ("cut" if case.text else "failed")
    assert turn.text == asked.arrived == case.text
    assert turn.attempts == 1
    assert turn.error is not None
    for word in (wire, *case.told):
        assert word in turn.error.message
    for raw in ("litellm", "Exception", "Traceback", "<html", KEY, KEY[3:12]):
        assert raw not in turn.error.message
    assert [t.text for t in asking.turns] == ["before", "before", "and now?", case.text]
    # The session keeps the model of the last good answer.
    assert asking.services.sessions.get(asking.session).model == before.turn.model
    after = await asking.send("go on", f"{wire}/echo")
    assert after.turn.status == "complete"
    told = [case.text] if case.text else []
    contents = [message["content"].strip() for message in asking.received]
    if wire == "openai" or case.text:
        assert contents == ["before", "before", "and now?", *(t.strip() for t in told), "go on"]
    asking.proved()


async def test_no_key_is_refused_before_anything_is_stored(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    """SEND-12, P11: also a key of white space alone."""
    for key in ("", "  \n"):
        with asking_in(
            tmp_path / repr(key).strip("'").replace("\\", "_"),
            warm_process,
            one_server,
            OPENAI_API_KEY=key,
            OPENAI_BASE_URL="https://api.example.invalid/v1",
        ) as asking:
            before = asking.services.log.last_position()
            began = time.monotonic()
            with pytest.raises(ProviderError) as caught:
                await asking.send("hello", "openai/gpt-4o")
            assert time.monotonic() - began < 3
            assert caught.value.kind == "not_configured"
            assert "OPENAI_API_KEY" in str(caught.value)
            assert asking.services.log.last_position() == before
            assert (await asking.send("hello", "demo")).turn.status == "complete"


async def test_no_model_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    with opened_services(tmp_path, environ={"SMRITI_CHAT_MODEL": ""}) as services:
        session = services.sessions.new_fresh().id
        before = services.log.last_position()
        with pytest.raises(ProviderError) as caught:
            await send(services, session, "hello")
        assert caught.value.kind == "not_configured"
        assert services.log.last_position() == before


async def test_a_closed_port_is_told_at_once(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with asking_in(tmp_path, warm_process, one_server, OPENAI_BASE_URL=closed) as asking:
            began = time.monotonic()
            asked = await asking.send("hello")
            assert time.monotonic() - began < 5
            assert (asked.kind, asked.turn.status) == ("connection", "failed")
            assert [turn.text for turn in asking.turns] == ["hello", ""]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("scenario", "text"), [("hang", ""), ("slow-first-token:wait_ms=9000", ""), ("stall", FIVE)]
)
async def test_silence_ends_with_a_time_out_and_keeps_what_came(
    tmp_path: Path,
    warm_process: ProviderProcess,
    one_server: FakeLLMServer,
    wire: str,
    scenario: str,
    text: str,
) -> None:
    with asking_in(tmp_path, warm_process, one_server, SMRITI_TIMEOUT_S="1") as asking:
        began = time.monotonic()
        asked = await asking.send("hello", f"{wire}/{scenario}")
        assert time.monotonic() - began < 5
        assert (asked.kind, asked.turn.text) == ("timeout", text)
        assert asked.turn.status == ("cut" if text else "failed")
        assert (await asking.send("again", f"{wire}/echo")).turn.status == "complete"


@pytest.mark.parametrize("wire", WIRES)
async def test_rate_limits_are_waited_for_and_told(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    with asking_in(tmp_path, warm_process, one_server, SMRITI_RETRIES="2") as asking:
        scenario = f"{wire}/rate-limited:times=1,retry_after=0"
        asked = await asking.send("hello", scenario)
        assert asked.turn.status == "complete"
        assert asked.turn.text == "Recovered after the rate limit."
        assert (asked.turn.attempts, len(asked.retries)) == (2, 1)
        assert (asked.retries[0].kind, asked.retries[0].of) == ("rate_limited", 3)
        without_end = await asking.send("hello", f"{wire}/rate-limited:retry_after=0")
        assert (without_end.kind, without_end.turn.status) == ("rate_limited", "failed")
        assert (without_end.turn.attempts, len(without_end.retries)) == (3, 2)
        assert len(asking.server.requests()) == 5
        asking.proved()


@pytest.mark.parametrize("wire", WIRES)
async def test_what_broke_off_after_the_first_word_is_not_begun_anew(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    """P09"""
    with asking_in(tmp_path, warm_process, one_server, SMRITI_RETRIES="2") as asking:
        asked = await asking.send("hello", f"{wire}/drop-then-ok:id={wire}")
        assert (asked.turn.text, asked.turn.status, asked.retries) == ("Hello wor", "cut", [])
        again = await follow(asking.services.chat.retry(asking.session, model=f"{wire}/echo"))
        assert again.turn.text == "hello"
        assert again.turn.question == asked.turn.question == 1
        await asking.send("and?")
        assert [m["content"] for m in asking.received] == ["hello", "hello", "and?"]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("scenario", "text", "finish"),
    [
        ("content-filter", "This answer was", "content_filter"),
        ("length", "This answer is too long and it ends in the mid", "length"),
        ("repeat-line", "the same line again\n" * 300, "stop"),
        ("usage-only", "hi", None),
    ],
)
async def test_answers_that_end_oddly_are_whole_and_say_how_they_ended(
    asking: Asking, wire: str, scenario: str, text: str, finish: str | None
) -> None:
    asked = await asking.send("hello", f"{wire}/{scenario}")
    assert (asked.turn.status, asked.turn.text) == ("complete", text)
    assert finish is None or asked.turn.finish == finish
    assert asked.turn.usage is not None
    await asking.send("go on", f"{wire}/echo")
    assert asking.received[1]["content"].strip() == text.strip()
    asking.proved()


async def test_reasoning_is_kept_and_never_sent(asking: Asking) -> None:
    asked = await asking.send("hello", "openai/reasoning")
    assert asked.turn.reasoning == "Let me think about that step by step."
    assert asked.turn.text == "The answer is 42."
    await asking.send("go on")
    assert "step by step" not in str(asking.received)


async def test_reasoning_without_an_answer_is_a_fault_and_stays(asking: Asking) -> None:
    asking.server.script({"chunks": [], "reasoning": ["think ", "more"], "finish": "length"})
    asked = await asking.send("hello")
    assert (asked.turn.status, asked.kind) == ("failed", "empty")
    assert (asked.turn.reasoning, asked.turn.finish) == ("think more", "length")


async def test_stopping_keeps_what_came_and_closes_the_connection(asking: Asking) -> None:
    """P15"""
    steps = asking.services.chat.send(asking.session, "hello", model="openai/slow:delay_ms=20")
    pieces = 0
    async for step in steps:
        pieces += isinstance(step, TextDelta)
        if pieces == 10:
            break
    await steps.aclose()
    stopped = asking.turns[1]
    assert stopped.status == "stopped"
    assert len(stopped.text.split()) >= 10
    asking.server.wait_for(lambda record: record["outcome"] == "client-disconnected")
    await asking.send("go on")
    assert [m["content"] for m in asking.received] == ["hello", stopped.text, "go on"]


async def test_stopping_before_the_first_word_leaves_the_question(asking: Asking) -> None:
    """P17"""
    task = asyncio.create_task(asking.send("hello", "openai/hang"))
    await asyncio.to_thread(asking.server.wait_for, lambda record: True)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(turn.text, turn.status) for turn in asking.turns] == [
        ("hello", "complete"),
        ("", "stopped"),
    ]
    again = await follow(asking.services.chat.retry(asking.session, model="openai/echo"))
    assert again.turn.text == "hello"


class Broken:
    """A provider with a fault of its own."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def limits(self, model: str) -> ModelLimits:
        raise self.error

    async def stream(self, call: object) -> AsyncGenerator[Chunk, None]:
        yield TextDelta("some ")
        raise self.error


async def test_a_fault_of_the_program_leaves_no_answer_running(services: Services) -> None:
    session = services.sessions.new_fresh().id
    object.__setattr__(services.chat, "provider", Broken(RuntimeError("a bug")))
    with pytest.raises(RuntimeError, match="a bug"):
        await send(services, session, "hello")
    turn = services.sessions.turns(session)[1]
    assert (turn.status, turn.text) == ("cut", "some ")


async def test_a_library_that_cannot_tell_a_window_keeps_nobody_from_sending(
    tmp_path: Path, one_server: FakeLLMServer
) -> None:
    """A provider process that dies at once: the turn is stored, the answer tells of it."""
    environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": one_server.openai_base}
    with opened_services(tmp_path, environ=environ) as services:
        session = services.sessions.new_fresh().id
        error = ProviderError("It ended.", "Again.", kind="child_died")
        broken = Broken(error)
        object.__setattr__(services.chat, "provider", broken)
        object.__setattr__(services.chat.limits, "provider", broken)
        turn = await send(services, session, "hello", model="openai/echo")
        assert (turn.status, turn.error and turn.error.kind) == ("cut", "child_died")
        assert services.sessions.turns(session)[0].text == "hello"


async def test_an_answer_without_end_is_stopped_at_its_bound(services: Services) -> None:
    class Endless(Broken):
        async def stream(self, call: object) -> AsyncGenerator[Chunk, None]:
            while True:
                yield TextDelta("\x1b" * 20_000)
                await asyncio.sleep(0)

    session = services.sessions.new_fresh().id
    object.__setattr__(services.chat, "provider", Endless(RuntimeError()))
    turn = await send(services, session, "hello")
    assert (turn.status, turn.error and turn.error.kind) == ("cut", "cut")
    assert 500_000 < len(turn.text) < 1_000_000
    assert services.log.verify().difference is None
