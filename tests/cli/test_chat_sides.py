"""`smriti chat retry --as-stored`: the same context, exactly one thing changed."""

from __future__ import annotations

import pytest

from tests.cli.calling import Cli


@pytest.fixture
def session(cli: Cli) -> str:
    cli.space()
    return cli.session()


def test_another_model_gets_the_stored_context_and_the_choice_stays(cli: Cli, session: str) -> None:
    left = cli.ok("chat", "send", "--session", session, "hello")
    right = cli.ok(
        "chat", "retry", "--session", session, "--as-stored", "2", "--model", "demo/contrarian"
    )
    assert right["context_sha256"] == left["context_sha256"]
    assert right["model"] == "demo/contrarian"
    turns = cli.ok("session", "turns", session)["turns"]
    assert turns[0]["chosen"] == 2
    cli.ok("chat", "choose", "3", "--session", session)
    assert cli.ok("session", "turns", session)["turns"][0]["chosen"] == 3


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--as-stored", "2"), 2),
        (("--as-stored", "2", "--model", "demo/contrarian", "--scope", "3"), 2),
        (("--as-stored", "2", "--param", "temperature=0"), 2),
        (("--as-stored", "2", "--param", "temperature"), 2),
        (("--param", "temperature=0"), 2),
        (("--as-stored", "1", "--model", "demo/contrarian"), 3),
        (("--as-stored", "2", "--scope", "3"), 4),
    ],
)
def test_what_is_not_one_change_is_refused(
    cli: Cli, session: str, args: tuple[str, ...], code: int
) -> None:
    cli.ok("chat", "send", "--session", session, "hello")
    cli.fails(code, "chat", "retry", "--session", session, *args)
    assert len(cli.ok("session", "turns", session)["turns"]) == 2
