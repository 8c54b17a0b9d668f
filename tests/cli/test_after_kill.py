"""After `kill -9`: what had arrived is shown at once, and what is shown is what is sent."""

from __future__ import annotations

import os
import time

import pytest

from tests.cli.calling import Cli
from tests.fakes.llm_server import FakeLLMServer

KEPT_WITHIN_S = 1.5
"""A partial answer is kept every half second."""


@pytest.fixture
def killed(cli: Cli, server: FakeLLMServer) -> tuple[str, str]:
    """A session whose only answer lost its process; and what that one had printed."""
    cli.extra |= {
        "SMRITI_CHAT_MODEL": "openai/slow:delay_ms=50,tokens=500",
        "SMRITI_API_BASE": server.openai_base,
        "SMRITI_API_KEY": "sk-1234567890",
    }
    cli.space()
    session = cli.session()
    process = cli.start("chat", "send", "--session", session, "first")
    assert process.stdout is not None
    seen = b""
    while len(seen) < 40:
        seen += os.read(process.stdout.fileno(), 100)
    time.sleep(KEPT_WITHIN_S)
    process.kill()
    process.communicate()
    return session, seen.decode()


def test_the_context_shown_is_the_one_that_is_sent(
    cli: Cli, server: FakeLLMServer, killed: tuple[str, str]
) -> None:
    session, _ = killed
    shown = cli.ok("context", "--session", session, "--message", "second")
    cli.extra["SMRITI_CHAT_MODEL"] = "openai/echo"
    assert cli.run("chat", "send", "--session", session, "second").code == 0
    assert server.requests()[-1]["messages"] == shown["messages"]


def test_the_turns_hold_what_had_arrived(cli: Cli, killed: tuple[str, str]) -> None:
    session, seen = killed
    answer = cli.ok("session", "turns", session)["turns"][1]
    assert answer["status"] == "cut"
    assert answer["text"].startswith(seen)
