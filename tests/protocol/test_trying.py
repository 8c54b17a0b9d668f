"""Testing a model: real calls through the provider process to a server with scripted faults."""

from __future__ import annotations

import asyncio
import socket
from contextlib import aclosing
from dataclasses import replace

import pytest

from smriti_tui.providers.base import Loading
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services.models import ModelChoice
from smriti_tui.services.trying import Asking, FirstToken, Tried, TryService, TryStep, Waiting
from tests.fakes.llm_server import FakeLLMServer
from tests.protocol.calling import KEY, WIRES, Wire, base_of

OTHER_KEY = "corp-7Gq2mPz0xLkT42vv"


def choice_of(server: FakeLLMServer, wire: Wire, scenario: str) -> ModelChoice:
    place = base_of(server, wire)
    return ModelChoice(
        "mine", f"{wire}/{scenario}", place, KEY, timeout_s=10.0, key_variable="MY_KEY"
    )


async def steps_of(process: ProviderProcess, choice: ModelChoice) -> list[TryStep]:
    service = TryService(process, lambda _: choice, lambda: (OTHER_KEY,))
    return [step async for step in service.run("mine")]


async def tried(process: ProviderProcess, choice: ModelChoice) -> Tried:
    last = (await steps_of(process, choice))[-1]
    assert isinstance(last, Tried)
    return last


@pytest.mark.parametrize("wire", WIRES)
async def test_phases_times_tokens_and_an_unknown_cost(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    server.script({"text": "Hello there", "delay": 0.02})
    steps = await steps_of(warm_process, choice_of(server, wire, "echo"))
    kinds = [type(step) for step in steps if not isinstance(step, Loading)]
    assert list(dict.fromkeys(kinds)) == [Asking, Waiting, FirstToken, Tried]
    last = steps[-1]
    assert isinstance(last, Tried)
    assert last.fault is None
    assert (last.said.strip(), last.model) == ("Hello there", f"{wire}/echo")
    assert last.first_ms is not None
    assert 0 <= last.first_ms <= last.total_ms
    assert last.usage is not None
    assert last.cost is None  # Nobody knows the price of this model.
    asked = server.requests()[-1]
    assert asked["body"]["max_tokens"] <= 64
    assert len(server.requests()) == 1


FAULTS = {
    "unauthorized": ("auth", 401),
    "not-found": ("model_not_found", 404),
    "rate-limited": ("rate_limited", 429),
    "server-error": ("server", 500),
    "quota": ("quota", 429),
    "empty": ("empty", None),
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("scenario", FAULTS)
async def test_each_fault_has_class_words_and_hint_after_a_single_try(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str
) -> None:
    fault = (await tried(warm_process, choice_of(server, wire, scenario))).fault
    assert fault is not None
    assert (fault.kind, fault.status) == FAULTS[scenario]
    assert fault.message.endswith(".")
    assert fault.hint
    assert fault.hint.startswith("The key came from MY_KEY") == (
        scenario in ("unauthorized", "quota")
    )
    assert len(server.requests()) == 1


async def _speak_no_tls(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
    writer.close()


async def test_a_closed_port_silence_and_a_certificate_are_told_apart(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    choice = choice_of(server, "openai", "hang")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    closed = await tried(warm_process, replace(choice, api_base=f"http://127.0.0.1:{port}/v1"))
    silent = await tried(warm_process, replace(choice, timeout_s=0.5))
    async with await asyncio.start_server(_speak_no_tls, "127.0.0.1", 0) as plain:
        port = plain.sockets[0].getsockname()[1]
        tls = await tried(warm_process, replace(choice, api_base=f"https://127.0.0.1:{port}/v1"))
    kinds = [each.fault.kind for each in (closed, silent, tls) if each.fault]
    assert kinds == ["connection", "timeout", "connection"]
    assert closed.fault is not None
    assert "nothing listens there" in closed.fault.message
    assert tls.fault is not None
    assert "does not speak https" in tls.fault.message


async def test_no_key_comes_back_whatever_the_provider_says(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    words = f"Key {KEY} is bad, and so is {OTHER_KEY} of the other account"
    server.script({"status": 401, "message": words}, {"text": f"you sent {KEY} and {OTHER_KEY}"})
    choice = choice_of(server, "openai", "echo")
    told = repr(await steps_of(warm_process, choice)) + repr(await steps_of(warm_process, choice))
    assert "of the other account" in told
    for secret in (KEY, OTHER_KEY, KEY[8:], OTHER_KEY[5:]):
        assert secret not in told


async def test_leaving_it_closes_the_connection(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    service = TryService(warm_process, lambda _: choice_of(server, "openai", "hang"))

    async def ask() -> None:
        async with aclosing(service.run(None)) as steps:
            async for _ in steps:
                pass

    task = asyncio.create_task(ask())
    await asyncio.to_thread(server.wait_for, lambda record: True)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(
        server.wait_for, lambda record: record["outcome"] == "client-disconnected"
    )
