"""A likely secret is recorded, and told of through every door; its value is not."""

from __future__ import annotations

import json

from tests.cli.calling import Cli

SECRET = "sk-" + "proj-abcDEF0123456789abcDEF01"


def test_the_command_line_warns_and_refuses_nothing(cli: Cli) -> None:
    space = cli.space()
    session = cli.session()
    done = cli.call("chat", "send", "--session", session, f"use {SECRET}")
    assert done.code == 0
    assert "may hold a secret: it looks like an API key" in done.error
    assert SECRET not in done.error
    payload = json.dumps({"deep": [{"key": SECRET}]})
    done = cli.call("log", "append", "notes", "said", payload, "--json")
    assert "`deep[0].key` of event" in done.error
    assert json.loads(done.out)["version"] == 1
    given = json.dumps({"title": "t", "decisions": [f"with {SECRET}"]}).encode()
    done = cli.call("checkpoint", "create", space, "-", given=given)
    assert "`body.decisions[0].text`" in done.error
    other = cli.session(cli.ok("space", "create", "Other")["id"])
    assert "warning" not in cli.call("chat", "send", "--session", other, "hello").error
