"""`smriti chat models`, and `--test` through the provider process."""

from __future__ import annotations

import pytest

from tests.cli.calling import Cli
from tests.fakes.llm_server import FakeLLMServer

KEY = "sk-canary-Zq81mPv0xLkT42"


def test_testing_a_model_says_how_it_went_and_stores_nothing(cli: Cli) -> None:
    done = cli.run("chat", "models", "--test", "demo")
    assert done.code == 0
    assert "first token after" in done.text
    assert "cost $0" in done.text
    assert "asking demo/scripted" in done.error
    assert not list(cli.folder.rglob("smriti.db"))


@pytest.mark.usefixtures("warm")
def test_a_refused_key_is_told_in_the_provider_s_words_without_the_key(cli: Cli) -> None:
    with FakeLLMServer() as server:
        server.script({"status": 401, "message": f"Key {KEY} is not known here"})
        cli.extra |= {"SMRITI_API_BASE": server.openai_base, "SMRITI_API_KEY": KEY}
        done = cli.call("chat", "models", "--test", "openai/ok", "--json")
    assert done.code == 5
    assert (done.json["ok"], done.json["model"]) == (False, "openai/ok")
    assert done.json["error"]["details"] == {
        "kind": "auth", "status": 401, "model": "openai/ok",
    }  # fmt: skip
    assert "is not known here" in done.json["error"]["message"]
    assert "Set OPENAI_API_KEY" in done.json["error"]["hint"]
    assert KEY not in done.text + done.error


def test_a_name_without_test_is_a_usage_error(cli: Cli) -> None:
    assert cli.call("chat", "models", "demo").code == 2
    assert cli.call("chat", "models", "--test").code == 0
