"""`smriti log`: append, read, follow, prove, rebuild."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import uuid
from typing import IO

import pytest

from tests.cli.calling import Cli

ENVELOPE = {
    "position", "event_id", "origin", "stream", "version", "type", "schema_version", "payload",
    "actor", "door", "recorded_at", "correlation_id", "causation_id", "payload_sha256",
    "chain_sha256", "damaged",
}  # fmt: skip


def append(cli: Cli, stream: str, *payloads: str) -> None:
    for payload in payloads:
        cli.ok("log", "append", stream, "noted", payload)


def test_events_are_appended_and_read_back_as_lines(cli: Cli) -> None:
    first = cli.ok("log", "append", "tracker", "task.done", '{"id": "T3", "text": "ünï\u202e"}')
    assert (first["stream"], first["version"]) == ("tracker", 1)
    assert cli.ok("log", "append", "tracker", "task.open")["version"] == 2
    assert cli.ok("log", "append", "tracker", "x", "-", given=b'{"a": 1}')["version"] == 3
    done = cli.call("log", "read", "tracker")
    assert "\u202e" not in done.text
    assert [set(line) for line in done.lines] == [ENVELOPE] * 3
    assert [line["payload"] for line in done.lines] == [
        {"id": "T3", "text": "ünï\u202e"},
        {},
        {"a": 1},
    ]
    assert done.lines[0]["actor"] == "ada"
    assert done.lines[0]["door"] == "cli"
    assert done.lines[0]["position"] == first["position"]
    after = cli.call("log", "read", "tracker", "--after", "1", "--limit", "1").lines
    assert [line["version"] for line in after] == [2]
    every = cli.call("log", "read", "--all").lines
    assert [line["position"] for line in every] == list(range(1, len(every) + 1))
    assert cli.call("log", "read", "unknown").out == b""


def test_expected_versions_hold_or_nothing_is_written(cli: Cli) -> None:
    arguments = ("log", "append", "tracker", "x", "{}", "--expect-version")
    assert cli.ok(*arguments, "0")["version"] == 1
    error = cli.fails(4, *arguments, "0")
    assert error["code"] == "expected_version"
    assert error["details"] == {"stream": "tracker", "expected": 0, "actual": 1}
    assert cli.ok(*arguments, "1")["version"] == 2


def test_an_event_id_is_stored_once(cli: Cli) -> None:
    key = str(uuid.uuid4())
    arguments = ("log", "append", "tracker", "x", '{"a": 1}', "--event-id", key)
    assert cli.ok(*arguments) == cli.ok(*arguments)
    other = ("log", "append", "tracker", "x", '{"a": 2}', "--event-id", key)
    assert cli.fails(4, *other)["code"] == "event_id"
    cli.fails(2, "log", "append", "tracker", "x", "--event-id", "no")
    once = str(uuid.uuid4())
    again = ("log", "append", "tracker", "x", '{"a": 3}', "--command-id", once)
    assert cli.ok(*again) == cli.ok(*again)
    assert len(cli.call("log", "read", "tracker").lines) == 2


@pytest.mark.parametrize("stream", ["space/x", "session/x", "store", "claims/1", "Bad", "a b", "é"])
def test_the_products_own_streams_and_bad_names_are_refused(cli: Cli, stream: str) -> None:
    assert cli.fails(2, "log", "append", stream, "x", "{}")["details"]["field"] == "stream"
    assert cli.ok("log", "streams") == {"streams": []}


@pytest.mark.parametrize("payload", ["[]", "5", "null", "{", '{"a": NaN}', '{"a": 1, "a": 2}'])
def test_a_payload_is_one_json_object(cli: Cli, payload: str) -> None:
    cli.fails(2, "log", "append", "tracker", "x", payload)
    cli.fails(2, "log", "append", "tracker", "x", "-", given=payload.encode())
    cli.fails(2, "log", "append", "tracker")


WRONG_BATCHES = (
    b"", b"\n", b'{"type": "a"}\n[]', b'{"payload": {}}', b'{"type": "a", "x": 1}',
    b'{"type": "a", "payload": 5}', b'{"type": 5}', b'{"type": "a"}\n{"type": ""}',
)  # fmt: skip


def test_a_batch_is_stored_whole_or_not_at_all(cli: Cli) -> None:
    key = str(uuid.uuid4())
    lines = [{"type": "a", "payload": {"n": 1}, "event_id": key}, {"type": "b"}]
    given = "\n".join(json.dumps(line) for line in lines).encode() + b"\n\n"
    stored = cli.ok("log", "append", "tracker", "--batch", given=given)
    assert [event["version"] for event in stored["events"]] == [1, 2]
    assert stored["events"][0]["event_id"] == key
    assert stored["version"] == 2
    typed = cli.ok("log", "append", "tracker", "noted", "--batch", given=b'{"n": 1}\n{"n": 2}')
    assert typed["version"] == 4
    for wrong in WRONG_BATCHES:
        cli.fails(2, "log", "append", "tracker", "--batch", given=wrong)
    assert len(cli.call("log", "read", "tracker").lines) == 4


def test_streams_are_listed(cli: Cli) -> None:
    append(cli, "b-stream", "{}", "{}")
    append(cli, "a-stream", "{}")
    found = cli.ok("log", "streams")["streams"]
    assert [(each["stream"], each["version"]) for each in found] == [
        ("a-stream", 1),
        ("b-stream", 2),
        ("store", 1),
    ]
    assert cli.call("log", "streams").text.splitlines()[1].split()[:3] == ["a-stream", "1", "4"]


def read_line(stream: IO[bytes] | None) -> dict[str, object]:
    assert stream is not None
    found: dict[str, object] = json.loads(stream.readline())
    return found


def test_tail_shows_what_is_there_and_what_another_process_appends(cli: Cli) -> None:
    append(cli, "tracker", '{"n": 1}', '{"n": 2}')
    process = cli.start("log", "tail", "tracker", "--after", "1")
    try:
        assert read_line(process.stdout)["payload"] == {"n": 2}
        append(cli, "other", '{"n": 0}')
        done = cli.run("log", "append", "tracker", "noted", '{"n": 3}')
        assert done.code == 0
        event = read_line(process.stdout)
        assert (event["payload"], event["version"]) == ({"n": 3}, 3)
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    caught_up, interrupted = err.decode().splitlines()
    assert caught_up.startswith("caught up with event 3")
    assert interrupted == "error: Interrupted."


def test_verify_proves_the_log_and_names_the_first_difference(cli: Cli) -> None:
    cli.space()
    append(cli, "tracker", '{"n": 1}')
    found = cli.ok("log", "verify")
    assert (found["ok"], found["difference"]) == (True, None)
    assert found["events"] == 4
    with contextlib.closing(sqlite3.connect(cli.database, isolation_level=None)) as database:
        database.execute("UPDATE space SET name = 'changed'")
    done = cli.call("log", "verify", "--json")
    assert done.code == 1
    assert done.json["ok"] is False
    assert "table space" in done.json["difference"]["where"]
    assert "name" in done.json["error"]["message"]
    assert done.error.startswith("error: The log does not verify: a row was changed: name")
    assert cli.ok("log", "rebuild")["events"] == 4
    assert cli.ok("log", "verify")["ok"] is True
    assert cli.ok("space", "list")["spaces"][0]["name"] == "Search"


def test_a_damaged_event_is_reported_and_its_neighbours_are_read(cli: Cli) -> None:
    append(cli, "tracker", '{"n": 1}', '{"n": 2}', '{"n": 3}')
    with contextlib.closing(sqlite3.connect(cli.database, isolation_level=None)) as database:
        names = [
            row[0]
            for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        ]
        for name in names:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE event SET payload = '{' WHERE stream = 'tracker' AND version = 2")
    done = cli.call("log", "read", "tracker")
    assert done.code == 1
    assert [line["payload"] for line in done.lines] == [{"n": 1}, None, {"n": 3}]
    assert done.lines[1]["damaged"]
    assert "1 event cannot be read" in done.error
    verified = cli.call("log", "verify", "--json")
    assert (verified.code, verified.json["difference"]["stream"]) == (1, "tracker")
    assert cli.fails(6, "log", "rebuild")["code"] == "log_damaged"


def test_an_empty_store_answers(cli: Cli) -> None:
    assert cli.ok("log", "verify")["ok"] is True
    assert cli.call("log", "read", "--all").out == b""
    assert not cli.database.exists()
    cli.fails(2, "log", "read")
    cli.fails(2, "log", "read", "tracker", "--all")
