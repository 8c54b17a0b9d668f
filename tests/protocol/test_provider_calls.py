"""What goes over the wire, and the life of a call: retries, cancelling, bursts, keys."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import aclosing
from dataclasses import replace

import pytest

from smriti_tui.providers.base import Loading, Message, ModelCall, ReasoningDelta, TextDelta
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.providers.retry import FIRST_WAIT_S
from tests.fakes.llm_server import FakeLLMServer
from tests.protocol.calling import KEY, WIRES, Wire, call_of, outcome_of


async def until_disconnected(server: FakeLLMServer) -> float:
    """Seconds until the server saw the client leave."""
    began = time.monotonic()
    await asyncio.to_thread(
        server.wait_for, lambda record: record["outcome"] == "client-disconnected", 3.0
    )
    return time.monotonic() - began


@pytest.mark.parametrize("wire", WIRES)
async def test_the_server_gets_the_very_messages_and_limits(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    messages = (
        Message("system", "State: naïve café, 漢字, C# and {braces}."),
        Message("user", "one\ttab\nline"),
        Message("assistant", "two [/] <b>"),
        Message("user", "three 🙂"),
    )
    call = replace(call_of(server, wire, "echo", params={"temperature": 0.25}), messages=messages)
    outcome = await outcome_of(warm_process, call)
    assert outcome.text == "three 🙂"
    record = server.requests()[0]
    assert record["messages"] == [{"role": m.role, "content": m.content} for m in messages]
    assert record["body"]["max_tokens"] == 123
    assert record["body"]["temperature"] == 0.25
    assert record["stream"] is True
    assert record["api_key_tail"] == KEY[-4:]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("scenario", "kind"),
    [
        ("rate-limited:retry_after=0", "rate_limited"),
        ("server-error", "server"),
        ("reset", "connection"),
        ("stall:after=0", "timeout"),
    ],
)
async def test_faults_that_may_pass_are_tried_again_as_often_as_asked(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str, kind: str
) -> None:
    call = call_of(server, wire, scenario, retries=1, timeout_s=0.4)
    outcome = await outcome_of(warm_process, call)
    assert outcome.kind == kind
    assert len(server.requests()) == 2
    assert [(r.attempt, r.of, r.kind) for r in outcome.retries] == [(1, 2, kind)]
    assert outcome.error is not None
    assert outcome.error.details["attempts"] == 2


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "scenario",
    ["unauthorized", "forbidden", "not-found", "bad-request", "context-too-long", "quota",
     "empty", "web-page", "drop-mid-stream", "no-finish", "error-in-stream",
     "rate-limited:retry_after=31"],
)  # fmt: skip
async def test_what_a_second_try_cannot_help_is_tried_once(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str
) -> None:
    outcome = await outcome_of(warm_process, call_of(server, wire, scenario, retries=3))
    assert outcome.kind != "ok"
    assert outcome.retries == []
    assert len(server.requests()) == 1


@pytest.mark.parametrize("wire", WIRES)
async def test_a_retry_that_succeeds_says_how_many_tries_it_took(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    scenario = "rate-limited:times=1,retry_after=0.3"
    outcome = await outcome_of(warm_process, call_of(server, wire, scenario, retries=2))
    assert outcome.text == "Recovered after the rate limit."
    assert outcome.finished.attempts == 2
    assert [r.wait_s for r in outcome.retries] == [0.3]
    assert outcome.seconds >= 0.3
    assert FIRST_WAIT_S != 0.3


@pytest.mark.parametrize("wire", WIRES)
async def test_no_silent_retry_doubles_the_opening(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    """P09: the first request breaks off after `Hello wor`, a second one would be complete."""
    call = call_of(server, wire, "drop-then-ok", retries=3)
    first = await outcome_of(warm_process, call)
    assert (first.kind, first.text) == ("cut", "Hello wor")
    assert len(server.requests()) == 1
    second = await outcome_of(warm_process, call)
    assert (second.kind, second.text) == ("ok", "Hello world!")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("scenario", ["slow:delay_ms=20", "stall:after=2"])
async def test_leaving_the_stream_closes_the_connection(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str
) -> None:
    call = call_of(server, wire, scenario)
    async with aclosing(warm_process.stream(call)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, TextDelta):
                break
    assert await until_disconnected(server) < 1.0


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("scenario", ["hang", "slow-first-token", "slow:delay_ms=20"])
async def test_cancelling_the_task_closes_the_connection(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str
) -> None:
    task = asyncio.create_task(outcome_of(warm_process, call_of(server, wire, scenario)))
    await asyncio.to_thread(server.wait_for, lambda record: record["outcome"] == "running", 5.0)
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await until_disconnected(server) < 1.0
    after = await outcome_of(warm_process, call_of(server, wire, "echo"))
    assert after.text == "hello there"


async def test_a_burst_of_20_000_chunks_is_joined_and_arrives_whole(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    call = call_of(server, "openai", "huge:chars=80000,chunk=4", timeout_s=30)
    stalls: list[float] = []

    async def watch() -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            stalls.append(time.monotonic() - before)

    watching = asyncio.create_task(watch())
    outcome = await outcome_of(warm_process, call)
    watching.cancel()
    assert outcome.kind == "ok", outcome.told
    assert outcome.text == "All " * 20_000
    messages = [c for c in outcome.chunks if isinstance(c, TextDelta)]
    # At most one message every 25 ms, whatever the machine takes for the chunks.
    assert len(messages) < outcome.seconds * 45 + 20
    assert sorted(stalls)[len(stalls) * 99 // 100] < 0.25


async def test_calls_run_side_by_side_while_one_bursts(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    burst = asyncio.create_task(
        outcome_of(warm_process, call_of(server, "openai", "huge:chars=8000,chunk=4"))
    )
    await asyncio.sleep(0.2)
    small = await asyncio.gather(
        *(outcome_of(warm_process, call_of(server, w, "echo", f"n{i}"))
          for i in range(5) for w in WIRES)
    )  # fmt: skip
    assert sorted(o.text for o in small) == sorted(f"n{i}" for i in range(5) for _ in WIRES)
    assert (await burst).text == "All " * 2000


def test_one_process_serves_loops_that_end(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    for round_ in range(3):
        call = call_of(server, "openai", "echo", f"round {round_}")
        assert asyncio.run(outcome_of(warm_process, call)).text == f"round {round_}"
    pid = warm_process.pid

    async def left_open() -> None:
        async for chunk in warm_process.stream(call_of(server, "openai", "slow")):
            if not isinstance(chunk, Loading | ReasoningDelta):
                return

    asyncio.run(left_open())
    server.wait_for(lambda record: record["outcome"] == "client-disconnected", 3.0)
    assert warm_process.pid == pid


@pytest.mark.parametrize("wire", WIRES)
async def test_a_closed_port_fails_in_seconds(warm_process: ProviderProcess, wire: Wire) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    retries = 2 if wire == "openai" else 0
    base = f"http://127.0.0.1:{port}"
    call = ModelCall(f"{wire}/model-x", (Message("user", "hi"),), 10, base, KEY, retries=retries)
    outcome = await outcome_of(warm_process, call)
    assert outcome.kind == "connection"
    assert outcome.seconds < 6
    assert len(outcome.retries) == retries
    assert base in outcome.told
    assert "api_base" in outcome.told


@pytest.mark.parametrize("model", ["nosuch/model-x", "model-x"])
async def test_an_unknown_provider_is_named_with_the_setting(
    warm_process: ProviderProcess, model: str
) -> None:
    """P13."""
    outcome = await outcome_of(warm_process, ModelCall(model, (Message("user", "hi"),), 10))
    assert outcome.kind == "model_not_found"
    assert outcome.error is not None
    assert model in outcome.error.message
    assert "chat.model" in outcome.error.hint


@pytest.mark.parametrize("wire", WIRES)
async def test_white_space_around_a_key_is_dropped(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    outcome = await outcome_of(warm_process, call_of(server, wire, "echo", key=f"  {KEY}\n"))
    assert outcome.text == "hello there"
    assert server.requests()[0]["api_key_tail"] == KEY[-4:]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("key", [f"{KEY} {KEY}", f"{KEY}\n{KEY}", "ключ-" + KEY, KEY + "\x00"])
async def test_a_key_that_cannot_be_one_is_refused_before_anything_is_sent(
    server: FakeLLMServer, wire: Wire, key: str
) -> None:
    with ProviderProcess() as process:
        outcome = await outcome_of(process, call_of(server, wire, "echo", key=key))
        assert process.pid is None
    assert outcome.kind == "auth"
    assert KEY[3:10] not in outcome.told
    assert server.requests() == []


@pytest.mark.parametrize("key", [None, "", " \n "])
async def test_no_key_is_told_at_once_with_its_variable(key: str | None) -> None:
    """P11: nothing is loaded and nothing waits."""
    call = ModelCall("anthropic/claude-x", (Message("user", "hi"),), 10, None, key)
    with ProviderProcess() as process:
        outcome = await outcome_of(process, call)
        assert process.pid is None
    assert outcome.kind == "not_configured"
    assert "anthropic" in outcome.told
    assert "ANTHROPIC_API_KEY" in outcome.told


async def test_a_local_server_needs_no_key(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    outcome = await outcome_of(warm_process, call_of(server, "openai", "echo", key=None))
    assert outcome.text == "hello there"


@pytest.mark.parametrize("wire", WIRES)
async def test_a_key_that_the_provider_repeats_is_not_shown(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    said = f"Wrong key {KEY}, or {KEY[:9]}***{KEY[-5:]}; Bearer {KEY[4:]} at ?key={KEY}&x"
    server.script({"status": 401, "message": said})
    outcome = await outcome_of(warm_process, call_of(server, wire, "echo"))
    assert outcome.kind == "auth"
    # On one path the library has removed some of it already, with a word of its own.
    assert "Wrong key " in outcome.told
    assert not any(KEY[i : i + 6] in outcome.told for i in range(len(KEY) - 5)), outcome.told


@pytest.mark.parametrize("name", ["mock_response", "api_key", "max_tokens", "n"])
async def test_parameters_that_are_not_an_entrys_to_set_are_refused(
    server: FakeLLMServer, name: str
) -> None:
    with ProviderProcess() as process:
        call = call_of(server, "openai", "echo", params={name: "x"})
        outcome = await outcome_of(process, call)
        assert process.pid is None
    assert outcome.kind == "bad_request"
    assert name in outcome.told
    assert server.requests() == []
