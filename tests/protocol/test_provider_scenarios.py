"""Every scenario of the fake server, over both protocols, through the real library."""

from __future__ import annotations

import asyncio

import pytest

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer
from tests.fakes.llm_server.scenarios import SCENARIOS
from tests.fakes.llm_server.texts import HOSTILE, MARKDOWN
from tests.protocol.calling import KEY, WIRES, Wire, call_of, outcome_of

LINE = "the same line again\n"

# Scenario to (text, finish). A text of None is not compared.
ANSWERS: dict[str, tuple[str | None, str]] = {
    "echo": ("hello there", "stop"),
    "echo-all": (None, "stop"),
    "count": ("2 messages, 25 characters, roles system,user", "stop"),
    "words:tokens=30": (None, "stop"),
    "slow:delay_ms=5,tokens=8": ("alpha beta gamma delta epsilon zeta eta theta ", "stop"),
    "slow-start:first_ms=80,tokens=2": ("alpha beta ", "stop"),
    "slow-first-token:wait_ms=80,tokens=2": ("alpha beta ", "stop"),
    "huge:chars=200000": (None, "stop"),
    "long-line:chars=5000": ("x" * 5000, "stop"),
    "big-chunk": (None, "stop"),
    "markdown": (MARKDOWN, "stop"),
    "ansi": (HOSTILE, "stop"),
    "unicode": (None, "stop"),
    "reasoning": ("The answer is 42.", "stop"),
    "refuse": ("I'm sorry, but I can't help with that.", "stop"),
    "content-filter": ("This answer was", "content_filter"),
    "length": ("This answer is too long and it ends in the mid", "length"),
    "tool-call:name=look": ("", "tool_calls"),
    "repeat-line": (LINE * 300, "stop"),
    "no-usage": ("hi", "stop"),
}

# Scenario to (kind, beginning of the text that came before).
FAULTS: dict[str, tuple[str, str]] = {
    "unauthorized": ("auth", ""),
    "forbidden": ("permission", ""),
    "not-found": ("model_not_found", ""),
    "bad-request": ("bad_request", ""),
    "context-too-long": ("context_too_long", ""),
    "rate-limited": ("rate_limited", ""),
    "quota": ("quota", ""),
    "server-error": ("server", ""),
    "overloaded": ("server", ""),
    "bad-gateway": ("server", ""),
    "status:code=402": ("quota", ""),
    "status:code=418": ("bad_request", ""),
    "status:code=422": ("bad_request", ""),
    "status:code=504": ("server", ""),
    "reset": ("connection", ""),
    "hang": ("timeout", ""),
    "empty": ("empty", ""),
    "empty-choices": ("empty", ""),
    "web-page": ("empty", ""),
    "not-json": ("empty", ""),
    "no-stream": ("empty", ""),
    "redirect": ("empty", ""),
    "drop-mid-stream": ("cut", "alpha beta gamma delta epsilon "),
    "drop-then-ok:both=1": ("cut", "Hello wor"),
    "no-finish": ("cut", "alpha beta gamma delta epsilon "),
    "bad-json": ("cut", "alpha beta gamma delta epsilon "),
    "stall": ("timeout", "alpha beta gamma delta epsilon "),
    "error-in-stream": ("server", "alpha beta gamma delta epsilon "),
    "drop-mid-stream:after=0": ("connection", ""),
    "stall:after=0": ("timeout", ""),
    "error-in-stream:after=0": ("server", ""),
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("scenario", ANSWERS)
async def test_answers_arrive_whole(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str
) -> None:
    text, finish = ANSWERS[scenario]
    outcome = await outcome_of(warm_process, call_of(server, wire, scenario))
    assert outcome.kind == "ok", outcome.told
    assert outcome.finished.finish == finish
    assert outcome.finished.attempts == 1
    # The server writes its last word down after it has sent it.
    await asyncio.to_thread(server.wait_for, lambda each: each["outcome"] != "running")
    record = server.requests()[0]
    sent = record["text_sent"]
    # The record keeps the beginning of a very long text.
    assert outcome.text[: len(sent)] == sent
    assert text is None or outcome.text == text
    assert record["outcome"] == "complete"
    assert len(server.requests()) == 1


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("scenario", FAULTS)
async def test_faults_have_their_kind(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire, scenario: str
) -> None:
    kind, text = FAULTS[scenario]
    outcome = await outcome_of(warm_process, call_of(server, wire, scenario, timeout_s=0.6))
    assert outcome.kind == kind, outcome.text
    assert kind in ProviderError.KINDS
    assert outcome.text == text
    assert len(server.requests()) == 1
    error = outcome.error
    assert error is not None
    assert wire in error.message
    assert scenario.split(":")[0] in error.message
    assert error.message.endswith(".")
    assert error.hint
    for raw in ("b'", 'b"', "{", "litellm", "Traceback", "<html", "Exception", KEY, KEY[3:12]):
        assert raw not in outcome.told.replace(str(error.details), ""), outcome.told
    assert KEY not in outcome.told


def test_no_scenario_is_left_out() -> None:
    tried = {name.split(":")[0] for name in (*ANSWERS, *FAULTS)}
    # Drafts are plain text to this layer; a finish that is missing has a test of its own.
    rest = set(SCENARIOS) - tried - {"usage-only"}
    assert {name for name in rest if not name.startswith("draft-")} == set()


@pytest.mark.parametrize("wire", WIRES)
async def test_a_usage_chunk_without_choices_is_no_fault(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    """P07: no finish reason either, but the usage that closes the answer."""
    outcome = await outcome_of(warm_process, call_of(server, wire, "usage-only"))
    assert outcome.text == "hi"
    usage = outcome.finished.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (3, 1)


async def test_usage_that_nobody_told_is_unknown_not_guessed(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    outcome = await outcome_of(warm_process, call_of(server, "openai", "no-usage"))
    assert outcome.finished.usage is None
    assert outcome.finished.cost is None


@pytest.mark.parametrize("wire", WIRES)
async def test_reasoning_is_kept_apart_from_the_text(
    warm_process: ProviderProcess, server: FakeLLMServer, wire: Wire
) -> None:
    outcome = await outcome_of(warm_process, call_of(server, wire, "reasoning"))
    assert outcome.reasoning == "Let me think about that step by step."
    assert outcome.text == "The answer is 42."


async def test_a_known_model_has_a_price_and_an_unknown_one_has_none(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    server.script({"text": "priced"})
    priced = await outcome_of(warm_process, call_of(server, "openai", "gpt-4o"))
    assert priced.finished.cost is not None
    assert priced.finished.cost.source == "litellm"
    assert float(priced.finished.cost.usd) > 0
    assert "e" not in priced.finished.cost.usd.lower()
    unknown = await outcome_of(warm_process, call_of(server, "openai", "echo"))
    assert unknown.finished.cost is None


async def test_limits_are_known_or_null(warm_process: ProviderProcess) -> None:
    known = await warm_process.limits("openai/gpt-4o")
    assert known.context_tokens == 128_000
    assert known.input_usd == "0.0000025"
    unknown = await warm_process.limits("nosuch/model-x")
    assert (unknown.context_tokens, unknown.input_usd) == (None, None)
