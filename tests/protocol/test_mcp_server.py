"""`smriti-mcp` as a host sees it: the same bytes as the command line, and nothing but protocol."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.server.mcpserver.exceptions import UnexpectedToolError

from smriti_tui.domain.tokens import text_tokens
from smriti_tui.mcp.answers import typed
from tests.cli.calling import Cli
from tests.protocol.mcp_host import Host
from tests.protocol.mcp_lines import SCRIPT, calling, hello, request, started

READERS = {
    "state", "current", "metrics", "search", "list_spaces", "branches", "list_checkpoints",
    "show_checkpoint", "restore", "compare", "claims", "worktree_list", "worktree_show", "log_read",
    "project", "install_skill",
}  # fmt: skip
WRITERS = {
    "create_space", "close_branch", "create_checkpoint", "review_checkpoint", "checkpoint_note",
    "fork", "merge", "claim", "claim_done", "claim_extend", "worktree_open", "log_append",
}  # fmt: skip
DESTROYERS = {"delete_space", "delete_checkpoint", "worktree_close"}
MOST_TOOL_TOKENS = 6000
HOSTILE = "[/x] \x1b[2J\x1b]52;c;cHduZWQ=\x07 \u202e नमस्ते \u2028 漢字 \x9b31m"
ENDS_WITHIN_S = 2.0
CONTENT = {
    "title": "Choose FTS5",
    "decisions": ["Use FTS5", {"text": "Only local search"}],
    "tasks": [{"text": "Measure it", "id": "measure", "intent_hint": "test"}],
    "open_questions": [HOSTILE],
    "artifacts": [{"label": "plan", "type": "text", "content": "1. ``` \x1b[31m"}],
}


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A home that no server has touched."""
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Cli(tmp_path, monkeypatch)


def new_id() -> str:
    return str(uuid.uuid4())


def space(host: Host, name: str) -> str:
    return str(host.ok("create_space", name=name).document["id"])


# ---- what is offered -----------------------------------------------------------------------------


def test_tools_say_what_they_take_and_what_they_do(host: Host) -> None:
    tools = host.tools()
    assert set(tools) == {f"smriti_{name}" for name in READERS | WRITERS | DESTROYERS}
    for name, tool in tools.items():
        bare_name = name.removeprefix("smriti_")
        assert tool.description
        assert tool.output_schema is None
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (bare_name in READERS)
        assert tool.annotations.destructive_hint is (bare_name in DESTROYERS)
        assert tool.input_schema["additionalProperties"] is False
        Draft202012Validator.check_schema(tool.input_schema)
        for argument in tool.input_schema["properties"].values():
            assert argument["description"]
        assert ("command_id" in tool.input_schema["properties"]) is (bare_name not in READERS)
    for name in ("state", "branches", "list_checkpoints", "create_checkpoint", "claim", "claims"):
        assert "space" in tools[f"smriti_{name}"].input_schema["required"]
    assert tools["smriti_log_read"].input_schema["properties"]["limit"]["maximum"] == 1000


def test_all_tools_cost_a_host_few_tokens(host: Host) -> None:
    listed = [
        tool.model_dump(by_alias=True, mode="json", exclude_none=True)
        for tool in host.tools().values()
    ]
    assert text_tokens(json.dumps({"tools": listed}, separators=(",", ":"))) < MOST_TOOL_TOKENS


# ---- parity --------------------------------------------------------------------------------------


def test_reading_gives_the_bytes_and_documents_of_the_command_line(host: Host, cli: Cli) -> None:
    name = f"Parity {HOSTILE}"
    key = space(host, name)
    first = host.ok("create_checkpoint", space=key, content=CONTENT).document["id"]
    host.ok("log_append", stream="tracker", type="task.done", payload={"word": HOSTILE})
    same: list[tuple[str, dict[str, object], tuple[str, ...]]] = [
        ("list_spaces", {}, ("space", "list")),
        ("list_checkpoints", {"space": key}, ("checkpoint", "list", key)),
        (
            "list_checkpoints",
            {"space": name, "branch": "main", "author": "nobody", "limit": 3},
            ("checkpoint", "list", name, "--branch=main", "--author=nobody", "--limit=3"),
        ),
        ("show_checkpoint", {"checkpoint_id": first}, ("checkpoint", "show", first)),
        ("restore", {"checkpoint_id": first[:9]}, ("restore", first[:9])),
        ("branches", {"space": key}, ("branch", "list", key)),
    ]
    for tool, arguments, command in same:
        told = host.ok(tool, **arguments)
        assert told.texts == (cli.call(*command).text,), tool
        assert told.document == cli.ok(*command), tool
        assert "\x1b" not in told.text


def test_the_log_reads_as_on_the_command_line(host: Host, cli: Cli) -> None:
    for number in range(5):
        host.ok("log_append", stream="paged", type="step", payload={"n": number})
    told = host.ok("log_read", stream="paged", after=1, limit=2)
    done = cli.call("log", "read", "paged", "--after", "1", "--limit", "2")
    assert told.text == done.text
    assert told.document == {"events": done.lines, "next_after": 3}
    assert "after 3" in told.texts[1]
    rest = host.ok("log_read", stream="paged", after=3)
    assert [event["version"] for event in rest.document["events"]] == [4, 5]
    assert rest.document["next_after"] is None
    assert len(rest.texts) == 1
    everything = host.ok("log_read", all_streams=True, limit=3)
    assert everything.text == cli.call("log", "read", "--all", "--limit", "3").text
    assert host.ok("log_read", stream="nobody").document["events"] == []


def test_a_repeated_command_gives_its_first_result_on_both_surfaces(host: Host, cli: Cli) -> None:
    """The same command id: what MCP wrote is what the command line answers with."""
    command, key = new_id(), new_id()
    made = host.ok("create_space", name="Twice", project_root="/tmp/p", command_id=key)
    assert cli.call("space", "create", "Twice", "--command-id", key).text == made.text
    assert cli.ok("space", "create", "Twice", "--command-id", key) == made.document
    asked = {"space": made.document["id"], "content": CONTENT, "command_id": command}
    saved = host.ok("create_checkpoint", **asked)
    assert host.ok("create_checkpoint", **asked) == saved
    again = ("checkpoint", "create", "Twice", "-", "--command-id", command)
    given = json.dumps(CONTENT).encode()
    assert cli.call(*again, given=given).text == saved.text
    assert cli.ok(*again, given=given) == saved.document
    event = new_id()
    placed = host.ok("log_append", stream="twice", type="a", payload={}, command_id=event)
    command_line = ("log", "append", "twice", "a", "{}", "--command-id", event)
    assert cli.call(*command_line).text == placed.text
    assert cli.ok(*command_line) == placed.document
    error = host.call("log_append", stream="twice", type="b", payload={}, command_id=key).error
    assert error["code"] == "command_id"


# ---- checkpoints ---------------------------------------------------------------------------------


def test_a_checkpoint_carries_author_and_root_only_if_given(host: Host, home: Path) -> None:
    key = space(host, "Authors")
    saved = host.ok("create_checkpoint", space=key, content={"title": "bare"}).document
    assert (saved["author"], saved["project_root"]) == ("ada", None)
    link = home / "link"
    link.symlink_to(home / "project")
    saved = host.ok(
        "create_checkpoint",
        space=key,
        content={"title": "given", "author": "input"},
        author="codex",
        project_root=str(link),
    ).document
    assert (saved["author"], saved["project_root"]) == ("codex", str(link))
    (event,) = host.ok("log_read", stream=f"space/{key}", after=3).document["events"]
    assert (event["actor"], event["door"]) == ("ada", "mcp")


def test_what_a_checkpoint_leaves_out_is_said_aloud(host: Host) -> None:
    key = space(host, "Omitting")
    host.ok("create_checkpoint", space=key, content=CONTENT)
    tried = host.ok("create_checkpoint", space=key, content={"title": "next"}, dry_run=True)
    assert tried.document["omitted_count"] == 4
    assert "4 (2 decisions, 1 task, 1 open question)" in tried.texts[1]
    assert tried.text.startswith("# next\n")
    kept = host.ok("create_checkpoint", space=key, content={"title": "next"}, carry="all")
    assert (kept.document["omitted_count"], len(kept.texts)) == (0, 1)
    assert len(host.ok("list_checkpoints", space=key).document["checkpoints"]) == 2
    more = host.ok("list_checkpoints", space=key, limit=1)
    assert "There are more than these 1" in more.texts[1]


def test_too_large_an_answer_clips_artifacts_and_says_so(host: Host, cli: Cli) -> None:
    key = space(host, "Large")
    long = [{"label": f"a{n}", "type": "text", "content": "x" * 60_000} for n in range(10)]
    content = {"title": "large", "decisions": ["d" * 200] * 20, "artifacts": long}
    made = host.ok("create_checkpoint", space=key, content=content).document["id"]
    told = host.ok("restore", checkpoint_id=made)
    assert len(told.text) < 40_000
    assert told.text.count("d" * 200) == 20
    assert told.text.count("[cut here: 2,000 of 60,000 characters]") == 10
    assert told.texts[1].startswith("Left out: 580,000 characters of 10 artifacts.")
    whole = host.ok("restore", checkpoint_id=made, full_artifacts=True)
    assert whole.texts == (cli.call("restore", made).text,)
    assert whole.document == cli.ok("restore", made)
    page = host.ok("log_read", stream=f"space/{key}", limit=10)
    assert (len(page.document["events"]), page.document["next_after"]) == (3, None)


# ---- errors --------------------------------------------------------------------------------------


def test_errors_are_those_of_the_command_line(host: Host, cli: Cli) -> None:
    """But for the hint: it names tools and arguments."""
    key = space(host, "Errors")
    head = host.ok("create_checkpoint", space=key, content={"title": "one"}).document["id"]
    given = b'{"title": "two"}'
    stale: dict[str, object] = {
        "space": key,
        "content": {"title": "two"},
        "expect_head": "f" * 64,
    }
    refused = ("checkpoint", "create", key, "-", "--expect-head", "f" * 64)
    own: dict[str, object] = {"stream": "store", "type": "x", "payload": {}}
    version: dict[str, object] = {
        "stream": "errors",
        "type": "x",
        "payload": {},
        "expect_version": 7,
    }
    same: list[tuple[str, dict[str, object], int, tuple[str, ...], bytes]] = [
        ("branches", {"space": HOSTILE}, 3, ("space", "show", HOSTILE), b""),
        ("restore", {"checkpoint_id": "abc"}, 2, ("restore", "abc"), b""),
        ("create_space", {"name": "a\nb"}, 2, ("space", "create", "a\nb"), b""),
        ("create_checkpoint", stale, 4, refused, given),
        ("log_append", own, 2, ("log", "append", "store", "x"), b""),
        ("log_append", version, 4, ("log", "append", "errors", "x", "--expect-version", "7"), b""),
    ]
    for tool, arguments, code, command, typed_in in same:
        error, expected = (
            host.call(tool, **arguments).error,
            cli.fails(code, *command, given=typed_in),
        )
        assert {**error, "hint": ""} == {**expected, "hint": ""}, tool
        assert error["hint"]
        assert "--" not in error["hint"]
        assert "`smriti " not in error["hint"]
    assert host.call("create_checkpoint", **stale).error["details"]["actual"] == head
    assert host.call("log_append", **version).error["details"]["actual"] == 0
    assert "`smriti_list_spaces`" in host.call("state", space="nobody").error["hint"]


@pytest.mark.parametrize("content", ["# A title\n\nFree *Markdown*.", "", "  \n", [], None, 5])
def test_only_structured_content_is_taken(host: Host, content: object) -> None:
    error = host.call("create_checkpoint", space=space(host, "Free"), content=content).error
    assert error["code"] == (
        "not_structured" if content == "# A title\n\nFree *Markdown*." else "invalid"
    )
    assert "object" in error["hint"] + error["message"]


def test_wrong_arguments_are_named(host: Host) -> None:
    assert host.call("branches").error["details"] == {"field": "space"}
    assert host.call("list_spaces", spaec="x").error["details"] == {"field": "spaec"}
    assert host.call("log_read", stream="a", limit=0).error["code"] == "usage"
    assert host.call("log_read", stream="a", after=2**63).error["code"] == "usage"
    assert host.call("log_read").error["code"] == "usage"
    assert host.call("log_append", stream="a", type="b", payload=[1]).error["code"] == "invalid"
    assert host.call("nothing").error["code"] == "usage"
    assert host.call("branches", space="").failed


def test_a_space_is_never_remembered(host: Host, cli: Cli) -> None:
    one, other = space(host, "One"), space(host, "Other")
    host.ok("list_checkpoints", space="One")
    cli.ok("space", "rename", "Other", "Renamed")
    assert host.call("create_checkpoint", space="Other", content={"title": "x"}).failed
    saved = host.ok("create_checkpoint", space="Renamed", content={"title": "x"}).document
    assert saved["space"] == other
    assert host.ok("list_checkpoints", space=one).document["checkpoints"] == []


def test_no_word_of_a_crash_reaches_the_host() -> None:
    crash = UnexpectedToolError("Error executing tool x")
    crash.__cause__ = KeyError("secret-key")
    error = typed("x", crash)
    assert (error.code, error.details) == ("unexpected", {"kind": "KeyError"})
    assert "secret" not in str(error)


def test_a_broken_database_is_a_tool_error(bare: Cli, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"not a database" * 400)
    lines = hello() + calling(1, "list_spaces")
    process = started(bare.environment(), "--db", str(broken))
    out, _ = process.communicate(lines, timeout=30)
    (told,) = [message for message in map(json.loads, out.splitlines()) if message["id"] == 1]
    assert told["result"]["isError"] is True
    assert told["result"]["structuredContent"]["error"]["code"].startswith("database")


# ---- the wire ------------------------------------------------------------------------------------

NOISY = """
import logging, os, sys, warnings
class Noise:
    def find_spec(self, name, path=None, target=None):
        if name in ("mcp", "sqlmodel", "anyio", "smriti_tui.mcp.tools"):
            print("noise about", name, "\\u0939")
            os.write(1, b"bare bytes\\n")
            os.system("echo a child speaks")
            warnings.warn("an old " + name, DeprecationWarning)
            logging.getLogger("noise").warning("loading %s", name)
sys.meta_path.insert(0, Noise())
"""


def test_every_line_on_standard_output_is_protocol(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOISY, encoding="utf-8")
    bare.extra = {
        "PYTHONPATH": str(tmp_path),
        "PYTHONWARNINGS": "default",
        "PYTHONIOENCODING": "cp1252",
        "LC_ALL": "C",
        "SMRITI_LOG": "debug",
    }
    lines = [
        hello(),
        request(1, "tools/list"),
        b"junk\n",
        b'"\xff"\n',
        b'[1, 2]\n\n{"jsonrpc":"2.0","id":9.5,"method":"ping"}\n',
        calling(2, "create_space", name=HOSTILE),
        request(3, "nothing/there"),
        calling(4, "log_append", stream="t", type="x", payload={"n": float("nan")}),
        b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"smriti_branches",'
        b'"arguments":{"space":"half \\ud800 and \\u0000"}}}\n',
        calling(6, "create_space", name="x" * 300_000),
    ]
    process = started(bare.environment(), "--actor", "zoë")
    late = threading.Timer(60, process.kill)
    late.start()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join(lines))
    process.stdin.flush()
    out = b"".join(process.stdout.readline() for _ in range(11))
    rest, err = process.communicate()
    late.cancel()
    assert (process.returncode, rest) == (0, b""), err
    assert out.endswith(b"\n")
    text = out.decode()
    # No reader of lines may find an end of line inside a message.
    messages: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    by_id = {message["id"]: message for message in messages if message["id"] is not None}
    assert set(by_id) == {0, 1, 2, 3, 4, 5, 6}
    refused = [message["error"]["code"] for message in messages if message["id"] is None]
    assert refused == [-32700, -32700, -32600, -32600]
    assert by_id[2]["result"]["structuredContent"]["name"] == HOSTILE
    assert by_id[2]["result"]["content"][0]["text"].count("\x1b") == 0
    for number in (4, 5, 6):
        assert by_id[number]["result"]["isError"] is True
    assert "finite" in by_id[4]["result"]["content"][0]["text"]
    told = err.decode()
    for noise in ("noise about mcp", "bare bytes", "a child speaks"):
        assert noise in told
    assert "an old mcp" in told
    assert "\x1b" not in told


def test_a_closed_input_ends_it_before_it_has_loaded(bare: Cli) -> None:
    began = time.monotonic()
    process = started(bare.environment())
    assert process.communicate(b"", timeout=30) == (b"", b"")
    assert process.returncode == 0
    assert time.monotonic() - began < ENDS_WITHIN_S


def test_a_closed_input_ends_it_even_while_a_write_waits(bare: Cli) -> None:
    bare.ok("space", "create", "There")
    lock = bare.database.with_name(f"{bare.database.name}.lock")
    with lock.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = started(bare.environment())
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(hello() + calling(1, "list_spaces"))
        process.stdin.flush()
        assert b'"id":0' in process.stdout.readline()
        assert b'"id":1' in process.stdout.readline()
        process.stdin.write(calling(2, "create_space", name="waits"))
        process.stdin.flush()
        began = time.monotonic()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert time.monotonic() - began < ENDS_WITHIN_S
        process.stdout.close()
        assert process.stderr is not None
        process.stderr.close()


def test_help_and_version_import_no_library() -> None:
    for option in ("--help", "--version"):
        script = (
            "import sys\nfrom smriti_tui.mcp.server import main\n"
            f"try: main([{option!r}])\nexcept SystemExit as left: assert left.code == 0\n"
            "heavy = {'mcp', 'anyio', 'pydantic', 'sqlmodel', 'click'} & set(sys.modules)\n"
            "sys.exit(f'loads {heavy}' if heavy else 0)\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"smriti-mcp" in done.stdout


@pytest.mark.parametrize("arguments", [["--db"], ["--db", " "], ["--nothing"], ["argument"]])
def test_a_wrong_command_line_is_one_line(arguments: list[str]) -> None:
    done = subprocess.run([str(SCRIPT), *arguments], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("error: ")
    assert line.endswith("See `smriti-mcp --help`.")
