"""Messages that are none, or that the protocol's library would drop: each gets an answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import Cli
from tests.protocol.mcp_lines import hello, request, started

DEEP = '{"a":' * 300 + "1" + "}" * 300
PING = '"jsonrpc":"2.0","method":"ping"'
PATIENCE_S = 30.0
"""It is 2 seconds; a machine that runs other things takes longer."""
NO_JSON, NO_REQUEST, NO_METHOD, NO_PARAMETERS = -32700, -32600, -32601, -32602
CASES: tuple[tuple[str, str, object, int | None], ...] = (
    ("deep", f'{{{PING},"id":1,"params":{{"x":{DEEP}}}}}', 1, NO_REQUEST),
    ("deep call", '{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":'
     f'"smriti_state","arguments":{DEEP}}}}}', "c", NO_REQUEST),
    ("list", f'{{{PING},"id":2,"params":[]}}', 2, NO_REQUEST),
    ("null", f'{{{PING},"id":3,"params":null}}', 3, NO_REQUEST),
    ("no version", '{"method":"ping","id":4}', 4, NO_REQUEST),
    ("half an id", f'{{{PING},"id":5.5}}', None, NO_REQUEST),
    ("truth", f'{{{PING},"id":true}}', None, NO_REQUEST),
    ("no object", "[1]", None, NO_REQUEST),
    ("no json", f'{{{PING},"id":6', None, NO_JSON),
    ("long number", f'{{{PING},"id":7,"params":{{"x":{"9" * 9000}}}}}', None, NO_JSON),
    ("no method", '{"jsonrpc":"2.0","id":8,"method":"nothing/there"}', 8, NO_METHOD),
    ("no tool", '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}', 9, NO_PARAMETERS),
    ("half a pair", f'{{{PING},"id":"\\ud800","params":{{"_meta":{{"x":"\\udfff"}}}}}}', "\ufffd",
     None),
    ("large id", f'{{{PING},"id":{2**70}}}', 2**70, None),
)  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What one server answers to all of them, and to a last good one."""
    folder = tmp_path_factory.mktemp("mcp-messages")
    (folder / "home").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        process = started(Cli(folder, patch).environment())
    lines = b"".join(text.encode() + b"\n" for _, text, _, _ in CASES)
    out, _ = process.communicate(hello() + lines + request(999, "ping"), timeout=60)
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize(("name", "text", "number", "code"), CASES, ids=[c[0] for c in CASES])
def test_each_is_answered_by_its_id(
    answers: list[dict[str, Any]], name: str, text: str, number: object, code: int | None
) -> None:
    found = [each for each in answers if each["id"] == number and type(each["id"]) is type(number)]
    codes = [each["error"]["code"] if "error" in each else None for each in found]
    assert codes.count(code) == sum((case[2], case[3]) == (number, code) for case in CASES), name


def test_the_server_goes_on(answers: list[dict[str, Any]]) -> None:
    assert len(answers) == len(CASES) + 2
    assert {"jsonrpc": "2.0", "id": 999, "result": {}} in answers


def test_a_host_that_reads_no_more_and_hangs_up_leaves_no_orphan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pipe is full of answers, so the server's writer waits for ever."""
    (tmp_path / "home").mkdir()
    with started(Cli(tmp_path, monkeypatch).environment()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(hello())
        process.stdin.flush()
        process.stdout.readline()
        for number in range(60):
            process.stdin.write(request(number, "tools/list"))
        process.stdin.close()
        try:
            assert process.wait(timeout=PATIENCE_S) == 0
        finally:
            process.kill()
