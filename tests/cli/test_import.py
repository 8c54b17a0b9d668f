"""`smriti import` on the command line: looked at, stopped, killed, beside others, out and in."""

from __future__ import annotations

import json
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import Cli
from tests.importers.reading import SAMPLES


def attached(cli: Cli) -> None:
    """A Space that all commands are about."""
    cli.extra["SMRITI_SPACE"] = cli.space()


def export_of(cli: Cli, conversations: int, turns: int, name: str = "talks.json") -> Path:
    """An export of Claude.ai."""
    made = [
        {
            "uuid": f"c{number}", "name": f"Talk {number}",
            "chat_messages": [
                {"uuid": f"c{number}-{turn}", "sender": "assistant" if turn % 2 else "human",
                 "text": f"turn {turn} of {number} " + "words " * 30}
                for turn in range(turns)
            ],
        }
        for number in range(conversations)
    ]  # fmt: skip
    path = cli.cwd / name
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def turns_of(cli: Cli, session: str, *more: str) -> list[Any]:
    found: list[Any] = cli.ok("session", "turns", session, *more)["turns"]
    return found


def test_a_look_an_import_and_once_more(cli: Cli) -> None:
    attached(cli)
    file = str(SAMPLES / "claude-code.jsonl")
    look = cli.ok("import", file, "--dry-run")
    [seen] = look["conversations"]
    assert (seen["state"], seen["new_turns"], seen["likely_secrets"]) == ("new", 3, 0)
    assert cli.call("import", file, "--dry-run").text.startswith("new ")
    done = cli.call("import", file, "--json")
    [taken] = done.json["conversations"]
    assert (taken["title"], taken["state"], taken["turns"]) == ("Retry policy", "new", 3)
    assert done.json["skipped"][0]["where"] == "line 6"
    assert "line 6" in done.error
    assert set(done.json["counts"]) == {"new", "grown", "forked", "known", "deleted"}
    again = cli.ok("import", file)
    assert (again["turns"], again["counts"]["known"]) == (0, 1)
    assert cli.call("import", file).text.startswith("Imported 0 turns")
    turns = cli.ok("session", "turns", taken["session"], "--details")
    assert [each["kind"] for each in turns["details"]["3"]] == ["tool_call", "tool_result"]
    text = cli.call("session", "turns", taken["session"], "--details").text
    assert "### tool call Bash" in text
    assert "2026-03-01 09:00:09 UTC" in text
    assert cli.ok("log", "verify")["ok"]


def test_what_cannot_be_imported_says_why(cli: Cli) -> None:
    attached(cli)
    page = cli.cwd / "conversations.json"
    page.write_text("<html>", encoding="utf-8")
    assert cli.fails(2, "import", str(page))["code"] == "unknown_format"
    assert cli.fails(3, "import", "nothing.json")["code"] == "not_found"
    cli.fails(2, "import", str(page), "--at", "1")
    cli.fails(2, "import", str(page), "--format", "other")
    cli.fails(2, "import")
    assert cli.fails(3, "import", str(page), "--space", "Nowhere")["code"] == "not_found"


def test_standard_input_one_of_several_and_side_lines(cli: Cli) -> None:
    attached(cli)
    given = (SAMPLES / "chatgpt.json").read_bytes()
    done = cli.ok("import", "-", "--branches", given=given)
    assert [each["state"] for each in done["conversations"]] == ["new", "forked"]
    file = str(export_of(cli, 3, 2))
    done = cli.ok("import", file, "--only", "c1", "--only", "c2")
    assert [each["source_id"] for each in done["conversations"]] == ["c1", "c2"]
    cli.call("session", "delete", done["conversations"][0]["session"], "--yes")
    assert cli.ok("import", file)["counts"]["deleted"] == 1
    assert "--deleted takes them again" in cli.call("import", file).text
    assert cli.ok("import", file, "--deleted")["turns"] == 2


def test_the_original_smriti_brings_its_spaces(cli: Cli) -> None:
    from tests.importers.reading import database

    file = str(database(cli.cwd, "smriti.sql").path)
    done = cli.ok("import", file, "--format", "smriti")
    assert (done["checkpoints"], done["claims"], len(done["spaces"])) == (3, 1, 2)
    assert cli.ok("import", file, "--format", "smriti")["known_checkpoints"] == 3
    assert len(cli.ok("checkpoint", "list", "Payments")["checkpoints"]) == 3
    look = cli.ok("import", file, "--format", "smriti", "--dry-run")
    assert [each["name"] for each in look["spaces"]] == ["Payments", "Empty"]


def test_what_came_in_goes_out_and_in_again(cli: Cli) -> None:
    attached(cli)
    for name in ("chatgpt.json", "claude.json", "claude-code.jsonl"):
        cli.ok("import", str(SAMPLES / name))
    first, second = cli.cwd / "first", cli.cwd / "second"
    cli.call("export", str(first), "--all", "--format", "bundle")
    other = str(cli.cwd / "other.db")
    cli.ok("ingest", str(first), "--db", other)
    cli.call("export", str(second), "--all", "--format", "bundle", "--db", other)
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert files
    for path in files:
        assert (first / path).read_bytes() == (second / path).read_bytes()
    # What the other store holds is known there too.
    assert cli.ok("import", str(SAMPLES / "claude.json"), "--db", other)["turns"] == 0
    assert cli.ok("log", "verify", "--db", other)["ok"]


def test_a_draft_is_made_from_what_came_in(cli: Cli) -> None:
    attached(cli)
    done = cli.ok("import", str(SAMPLES / "claude.json"))
    session = done["conversations"][0]["session"]
    cli.extra["SMRITI_BACKGROUND_MODEL"] = "demo"
    draft = cli.ok("checkpoint", "draft", "--session", session)
    assert draft["checkpoint"]["title"]


# ---- stopped, killed, beside others --------------------------------------------------------------


def test_ctrl_c_keeps_what_came_in_and_the_next_import_goes_on(cli: Cli) -> None:
    attached(cli)
    file = str(export_of(cli, 40, 400))
    process = cli.start("import", file, "--json")
    wait_for_turns(cli, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if process.returncode != 0:  # it may have been through already
        assert process.returncode == 130
        assert json.loads(out)["cancelled"] is True
        assert b"Stopped." in err
    whole(cli, file)


def wait_for_turns(cli: Cli, process: Any) -> None:
    for _ in range(600):
        if process.poll() is not None or len(cli.ok("session", "list")["sessions"]) > 1:
            return
        time.sleep(0.02)


def whole(cli: Cli, file: str) -> None:
    """Each session is a whole beginning; after one more import all of them are whole."""
    for session in cli.ok("session", "list", "--all")["sessions"]:
        texts = [turn["text"].split(" of ")[0] for turn in turns_of(cli, session["id"])]
        assert texts == [f"turn {number}" for number in range(len(texts))]
    cli.ok("import", file)
    sessions = cli.ok("session", "list", "--all")["sessions"]
    assert {session["turns"] for session in sessions} == {400}
    assert len({session["title"] for session in sessions}) == len(sessions) == 40
    assert cli.ok("log", "verify")["ok"]


def killed(cli: Cli, times: int) -> None:
    attached(cli)
    file = str(export_of(cli, 40, 400))
    for seed in range(times):
        process = cli.start("import", file)
        time.sleep(random.Random(seed).uniform(0.2, 2.5))
        process.kill()
        process.communicate()
        assert cli.ok("log", "verify")["ok"]
    whole(cli, file)


def test_an_import_that_is_killed_leaves_whole_beginnings(cli: Cli) -> None:
    killed(cli, 2)


@pytest.mark.faults
def test_imports_that_are_killed_leave_whole_beginnings(cli: Cli) -> None:
    killed(cli, 40)


def test_two_imports_and_an_agent_at_once(cli: Cli) -> None:
    attached(cli)
    file = str(export_of(cli, 10, 60))
    running = [cli.start("import", file) for _ in range(2)]
    writes = 0
    while any(process.poll() is None for process in running):
        cli.ok("log", "append", "notes", "said", '{"n": 1}')
        writes += 1
    for process in running:
        _, err = process.communicate()
        assert process.returncode == 0, err
    sessions = cli.ok("session", "list", "--all")["sessions"]
    titles = [session["title"] for session in sessions]
    assert sorted(titles) == sorted(f"Talk {number}" for number in range(10)), titles
    assert {session["turns"] for session in sessions} == {60}
    assert len(cli.call("log", "read", "notes").text.splitlines()) == writes
    assert cli.ok("log", "verify")["ok"]


def test_a_long_conversation_is_drafted_in_parts(cli: Cli) -> None:
    attached(cli)
    cli.extra["SMRITI_BACKGROUND_MODEL"] = "demo"
    session = cli.ok("import", str(export_of(cli, 1, 8)))["conversations"][0]["session"]
    ranges = []
    for last in ("4", "8"):
        draft = cli.ok("checkpoint", "draft", "--session", session, "--last", last)
        ranges.append((draft["first"], draft["last"]))
        content = {"title": f"Up to {last}"}
        made = cli.ok(
            "checkpoint", "create", "Search", "-", "--session", session, "--last", last,
            given=json.dumps(content).encode(),
        )  # fmt: skip
        assert made["source"]["last"] == int(last)
    assert ranges == [(1, 4), (5, 8)]
    code = cli.fails(2, "checkpoint", "draft", "--session", session, "--last", "3")["code"]
    assert code == "no_turns"
    request = cli.ok("log", "verify")
    assert request["ok"]
