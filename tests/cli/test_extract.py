"""`smriti checkpoint create --extract`, and a draft piped into `create` (EXTRACT)."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import uuid
from typing import Any

import pytest

from tests.cli.calling import Cli

MARKDOWN = (
    b"\xef\xbb\xbf"
    + """\
# Notes on search\r
\r
## Decisions\r
\r
- Use FTS5 नमस्ते\r
\r
We assume the disk is local. Let's keep one writer.\r
\r
```py\r
x = 1\r
```\r
""".encode()
)


@pytest.fixture
def demo(cli: Cli) -> Cli:
    cli.extra["SMRITI_BACKGROUND_MODEL"] = "demo"
    cli.space()
    return cli


def extract(cli: Cli, *more: str) -> Any:
    return cli.ok("checkpoint", "create", "Search", "-", "--extract", *more, given=MARKDOWN)


def test_a_document_becomes_a_checkpoint_whose_items_name_their_lines(demo: Cli) -> None:
    saved = extract(demo)
    digest = hashlib.sha256(MARKDOWN.removeprefix(b"\xef\xbb\xbf")).hexdigest()
    assert saved["extracted"]["document_sha256"] == digest
    assert [each["text"] for each in saved["decisions"]] == [
        "Use FTS5 नमस्ते", "Let's keep one writer.",
    ]  # fmt: skip
    assert [each["evidence"][0]["lines"] for each in saved["decisions"]] == [[5], [7]]
    assert saved["artifacts"][0]["content"] == "x = 1\r\n"
    assert saved["source"] is None
    assert saved["author"] == "ada"
    shown = demo.call("checkpoint", "show", saved["id"]).text
    assert f'document {digest[:7]} line 5, "Use FTS5 नमस्ते" (found)' in shown
    assert demo.call("checkpoint", "verify").code == 0
    assert demo.call("context", "verify").code == 0


def test_a_dry_run_shows_it_and_saves_neither_checkpoint_nor_session(demo: Cli) -> None:
    shown = extract(demo, "--dry-run")
    assert shown["dry_run"] is True
    assert shown["decisions"]
    space = demo.ok("space", "show", "Search")
    assert (space["checkpoints"], space["sessions"]) == (0, 0)


def test_a_repeated_command_asks_nobody(demo: Cli) -> None:
    command = str(uuid.uuid4())
    saved = extract(demo, "--command-id", command)
    streams = demo.call("log", "read", "--all").lines
    again = extract(demo, "--command-id", command)
    assert again["id"] == saved["id"]
    assert demo.call("log", "read", "--all").lines == streams


def test_without_a_background_model_it_is_refused_with_what_to_set(cli: Cli) -> None:
    cli.space()
    cli.extra |= {"SMRITI_CHAT_MODEL": "", "SMRITI_BACKGROUND_MODEL": ""}
    asked = ("checkpoint", "create", "Search", "-", "--extract")
    error = cli.fails(5, *asked, given=MARKDOWN)
    assert "SMRITI_BACKGROUND_MODEL" in error["hint"]
    assert cli.ok("space", "show", "Search")["checkpoints"] == 0


def test_what_cannot_be_saved_is_refused_before_a_model_is_asked(demo: Cli) -> None:
    def fails(code: int, *more: str, given: bytes = MARKDOWN) -> Any:
        return demo.fails(code, "checkpoint", "create", "Search", "-", *more, given=given)

    before = demo.call("log", "read", "--all").lines
    assert fails(4, "--extract", "--expect-head", "f" * 64)["code"] == "stale_head"
    fails(3, "--extract", "--branch", "none")
    fails(3, "--extract", "--session", "abcd")
    fails(2, "--extract", given=b" \n")
    assert "200,000" in fails(2, "--extract", given=b"x" * 200_001)["message"]
    fails(2, "--model", "demo", given=b'{"title": "x"}')
    fails(2, "--keep-unverified", given=b'{"title": "x"}')
    fails(2, "--extract", given=b"\xff")
    assert demo.call("log", "read", "--all").lines == before


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_saves_nothing(demo: Cli, told: signal.Signals) -> None:
    process = demo.start("checkpoint", "create", "Search", "-", "--extract", stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(MARKDOWN + b"We decided it. " * 200)
    process.stdin.close()
    assert process.stderr.readline().startswith(b"asking demo/scripted")
    process.send_signal(told)
    assert process.wait(10) == 130
    assert b"Nothing was saved." in process.stderr.read()
    assert demo.ok("space", "show", "Search")["checkpoints"] == 0
    assert demo.call("log", "verify").code == 0
    ended = demo.call("log", "read", "--all").lines[-1]
    assert (ended["type"], ended["payload"]["status"]) == ("request.ended", "stopped")


def test_two_hundred_thousand_characters_pass(demo: Cli) -> None:
    saved = demo.ok(
        "checkpoint", "create", "Search", "-", "--extract",
        given=b"# Long\n" + b"words " * 33_332 + b"x",
    )  # fmt: skip
    assert len(saved["extracted"]["requests"]) > 1
    assert saved["title"]


def test_a_draft_in_json_is_piped_into_create(demo: Cli) -> None:
    session = demo.session()
    text = "Let's keep one writer. We assume the disk is local. Please measure it."
    demo.ok("chat", "send", "--session", session, text)
    draft = demo.ok("checkpoint", "draft", "--session", session)
    given = json.dumps(draft["checkpoint"]).encode()
    saved = demo.ok("checkpoint", "create", "Search", "-", "--session", session, given=given)
    for kind in ("decisions", "assumptions", "tasks"):
        assert [each["text"] for each in saved[kind]] == [each["text"] for each in draft[kind]]
        evidence = saved[kind][0]["evidence"][0]
        assert (evidence["session"], evidence["turn"], evidence["check"]) == (session, 1, "found")
    assert saved["tasks"][0]["intent_hint"] == draft["tasks"][0]["intent_hint"]
    assert saved["draft_request"] == draft["requests"][-1]
    assert saved["project_root"] == str(demo.cwd)
    assert (saved["source"]["first"], saved["source"]["last"]) == (1, 2)
