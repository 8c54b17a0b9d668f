"""The fake provider server itself: its command line and the shapes that no client shows."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.fakes.llm_server import FakeLLMServer
from tests.fakes.llm_server.scenarios import SCENARIOS

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "tests.fakes.llm_server"]


def ask(base: str, path: str, model: str) -> str:
    body = {
        "model": model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [{"role": "user", "content": "hi"}],
    }
    request = urllib.request.Request(base + path, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=5) as reply:
        text: str = reply.read().decode()
    return text


def test_it_runs_as_a_program() -> None:
    with subprocess.Popen(
        [*PROGRAM, "--port", "0", "--exit-with-parent"], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["event"] == "listening"
        assert "data: [DONE]" in ask(told["openai_base"], "/chat/completions", "echo")
        assert "event: message_stop" in ask(told["anthropic_base"], "/v1/messages", "echo")
        process.terminate()


def test_it_lists_its_scenarios() -> None:
    out = subprocess.run([*PROGRAM, "--list"], cwd=ROOT, capture_output=True, check=True)
    assert [line.split()[0] for line in out.stdout.decode().splitlines()] == list(SCENARIOS)


def test_it_refuses_other_than_loopback_addresses() -> None:
    out = subprocess.run(
        [*PROGRAM, "--host", "0.0.0.0"], cwd=ROOT, capture_output=True, check=False
    )
    assert out.returncode != 0
    assert b"loopback" in out.stderr


def test_the_usage_only_stream_is_the_reported_one(server: FakeLLMServer) -> None:
    """P07, chunk by chunk."""
    stream = ask(server.openai_base, "/chat/completions", "usage-only")
    lines = [line[6:] for line in stream.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    chunks = [json.loads(line) for line in lines[:-1]]
    assert chunks[1]["choices"][0]["delta"] == {"content": "hi"}
    assert (chunks[2]["choices"], chunks[2]["usage"]["prompt_tokens"]) == ([], 3)
    assert [c["choices"][0]["delta"] for c in chunks[3:]] == [{}, {"content": None}]
    assert all(c["finish_reason"] is None for chunk in chunks for c in chunk["choices"])


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_a_web_page_is_a_page(server: FakeLLMServer, path: str) -> None:
    assert ask(server.anthropic_base, path, "web-page").startswith("<!doctype html>")
