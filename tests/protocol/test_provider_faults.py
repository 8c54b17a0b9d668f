"""Kinds, words, keys and waits as pure functions: what the fake server cannot be made to do."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers import wire, wording
from smriti_tui.providers.base import Cost, Finished, Usage
from smriti_tui.providers.failing import failure_of, retry_after
from smriti_tui.providers.faults import Raised, kind_of
from smriti_tui.providers.keys import Scrubber, usable_key
from smriti_tui.providers.reading import Tally, usd
from smriti_tui.providers.retry import wait_before_retry
from smriti_tui.providers.said import words_of
from smriti_tui.providers.wire import Failure
from smriti_tui.providers.wording import Asked


@pytest.mark.parametrize(
    ("status", "classes", "text", "began", "kind"),
    [
        (400, "BadRequestError", "API key not valid. Please pass a valid API key.", False, "auth"),
        (400, "BadRequestError", "prompt is too long: 210000 tokens > 200000", False,
         "context_too_long"),
        (400, "BadRequestError", "The model `x` does not exist", False, "model_not_found"),
        (413, "APIError", "request_too_large", False, "context_too_long"),
        (429, "RateLimitError", "Your credit balance is too low", False, "quota"),
        (429, "RateLimitError", "Number of request tokens has exceeded your rate limit", False,
         "rate_limited"),
        (500, "APIConnectionError", "Missing Gemini API key. Set the GEMINI_API_KEY", False,
         "not_configured"),
        (500, "InternalServerError", "Connection error.", False, "connection"),
        (500, "InternalServerError", "Connection error.", True, "cut"),
        (503, "MidStreamFallbackError", "Rate limit reached", True, "rate_limited"),
        (529, "InternalServerError", "Overloaded", False, "server"),
        (500, "MidStreamFallbackError", "The model is repeating the same chunk = ha.", True,
         "repeating"),
        (None, "TimeoutError", "", False, "timeout"),
        (None, "RateLimitError", "slow down", False, "rate_limited"),
        (None, "ClientConnectorError", "Cannot connect to host x:443", False, "connection"),
        (None, "KeyError", "'choices'", False, "unknown"),
    ],
)  # fmt: skip
def test_kinds(status: int | None, classes: str, text: str, began: bool, kind: str) -> None:
    assert kind_of(Raised(status, (classes, "Exception"), text), began=began) == kind


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("litellm.RateLimitError: RateLimitError: OpenAIException - Try again.", "Try again"),
        ("litellm.X: XException - b'{\"error\": {\"message\": \"It\\'s so.\"}}'", "It's so"),
        ("litellm.X: XException - b'<html><h1>502</h1></html>'", ""),
        ("GatewayError - <!DOCTYPE html><p>x", ""),
        ("XException - {\"detail\": \"no\"}. Handle with `litellm.X`.", "no"),
        ("Broken. Handle with `litellm.InternalServerError`.", "Broken"),
        ("One line\nTraceback (most recent call last):\n secret", "One line"),
        ("a\x1b[31mb", "a␛[31mb"),
        ("b'not closed", "b'not closed"),
        ("b'\\xff{\"message\": 3}'", ""),
    ],
)  # fmt: skip
def test_the_providers_words_come_without_wrapping(raw: str, words: str) -> None:
    assert words_of(raw) == words


def test_words_are_cut_to_a_line() -> None:
    assert len(words_of("word " * 500)) <= 240


@pytest.mark.parametrize(
    "said",
    [
        "Incorrect API key provided: sk-proj-abcDEF1234567890.",
        "Incorrect API key provided: abcd****wxyz.",
        "key=AIzaSyA1234567890abcdefghij",
        "Authorization: Bearer eyJhbGciOi.eyJzdWIi.SflK",
        "GET https://host/v1?key=plainsecret&alt=sse",
        "via http://user:plainsecret@proxy:3128",
        "token 0123456789abcdef0123456789abcdef0123",
    ],
)
def test_what_looks_like_a_key_is_removed(said: str) -> None:
    scrubbed = Scrubber().scrub(said)
    assert "[key]" in scrubbed
    for part in ("abcDEF", "abcd*", "wxyz", "AIza", "eyJ", "plainsecret", "0123456789abcdef"):
        assert part not in scrubbed


def test_ordinary_words_stay() -> None:
    scrubber = Scrubber()
    scrubber.learn("xq")
    said = "The api_version 2024-10 of xai-grok-2 has 8192 tokens (claude-sonnet-4-20250514)."
    assert scrubber.scrub(said) == said


def test_usable_keys() -> None:
    assert usable_key("  sk-a\n") == "sk-a"
    assert usable_key(" \n") is None
    assert usable_key(None) is None
    with pytest.raises(ValueError, match="space") as caught:
        usable_key("sk-a sk-b")
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "attempt", "retries", "asked", "wait"),
    [
        ("rate_limited", 1, 2, 7.0, 7.0),
        ("rate_limited", 1, 2, 0.0, 0.0),
        ("rate_limited", 1, 2, 30.5, None),
        ("server", 1, 2, None, 0.5),
        ("connection", 2, 2, None, 1.0),
        ("timeout", 3, 2, None, None),
        ("server", 9, 20, None, 30.0),
        ("server", 1, 0, None, None),
        ("quota", 1, 2, 1.0, None),
        ("auth", 1, 2, None, None),
        ("cut", 1, 2, None, None),
        ("child_died", 1, 2, None, None),
    ],
)
def test_waits(
    kind: str, attempt: int, retries: int, asked: float | None, wait: float | None
) -> None:
    assert wait_before_retry(kind, attempt, retries, asked) == wait


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Mon, 02 Mar 2026 14:05:19 GMT"}, 10.0),
        ({"retry-after": "Mon, 02 Mar 2026 14:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({}, None),
    ],
)
def test_what_a_provider_asks_to_wait(headers: dict[str, str], wait: float | None) -> None:
    now = datetime(2026, 3, 2, 14, 5, 9, tzinfo=UTC)
    assert retry_after(headers, now=now) == wait


@pytest.mark.parametrize("kind", ProviderError.KINDS)
def test_every_kind_has_a_sentence_and_a_hint(kind: str) -> None:
    asked = Asked("openai/gpt-x", "https://user:pass@host.example:8443/v1?key=k")
    for began in (False, True):
        sentence = wording.message(kind, asked, "so it said", began=began)
        assert "openai" in sentence
        assert sentence.endswith(".")
        assert "{" not in sentence
        assert "pass" not in sentence
        assert "key=k" not in sentence
    assert wording.hint(kind, asked)


@pytest.mark.parametrize(
    "base", ["nonsense", "http://[::1", "http://host:99999999", "file:///x", ""]
)
def test_a_broken_base_url_breaks_no_sentence(base: str) -> None:
    assert "openai" in wording.message("connection", Asked("openai/x", base))


def test_a_hostile_model_name_is_shown_harmless() -> None:
    sentence = wording.message("server", Asked("x{0}/\x1b[2J\nname"))
    assert "\x1b" not in sentence
    assert "\n" not in sentence
    assert "x{0}" in sentence


def test_any_exception_becomes_a_failure() -> None:
    looped = ValueError("a")
    looped.__cause__ = RuntimeError("b")
    looped.__cause__.__cause__ = looped
    failure = failure_of(looped, Asked("openai/x"), Tally(), Scrubber())
    assert failure.kind == "unknown"


def test_messages_survive_the_pipe() -> None:
    usage, cost = Usage(3, 1, 2, None), Cost("0.000001", "x")
    sent = wire.decode(wire.encode(wire.finished_message(1, "stop", usage, cost)))
    assert sent is not None
    assert wire.finished(sent) == Finished("stop", usage, cost)
    odd = wire.decode(wire.encode(wire.finished_message(1, "paused", None, None)))
    assert odd is not None
    assert wire.finished(odd) == Finished("unknown", None, None)
    failure = Failure("rate_limited", "M.", "H.", 429, 2.0)
    failed = wire.decode(wire.encode(wire.failed_message(1, failure)))
    assert failed is not None
    error = wire.error_of(failed)
    assert (error.kind, error.details["retry_after_s"]) == ("rate_limited", 2.0)
    assert wire.decode(wire.encode({"t": "lone \ud800, line\u2028"})) == {
        "t": "lone \ud800, line\u2028"
    }
    assert wire.decode(b"Give Feedback / Get Help\n") is None
    assert wire.decode(b"[1]\n") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.5e-06, "0.0000025"), (0.0, "0"), (0, "0"), (3, "3"), (1.50, "1.5"), (100.0, "100"),
     (None, None), ("1", None), (True, None), (float("nan"), None), (-1.0, None)],
)  # fmt: skip
def test_dollars_are_plain_decimals(value: object, text: str | None) -> None:
    assert usd(value) == text
