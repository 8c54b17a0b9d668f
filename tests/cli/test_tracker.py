"""`smriti tracker`, and the files of views on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.calling import Cli
from tests.git.repository import repository


def test_items_are_added_set_listed_and_put_away(cli: Cli) -> None:
    made = cli.ok(
        "tracker", "add", "Measure\x1b[2J it", "--id", "T1", "--tag", "a", "--tag", "b",
        "--field", "points=3",
    )  # fmt: skip
    assert (made["id"], made["tags"], made["points"], made["source"]) == (
        "T1",
        ["a", "b"],
        3,
        "ada",
    )
    cli.ok("tracker", "add", "Second", "--lane", "ranked")
    text = cli.call("tracker", "list").text
    assert "\x1b" not in text
    assert text.startswith(
        "# Tracker: 2 items, 0 closed\n\n## proposed: 1\n\n- T1 P1 todo: Measure"
    )
    assert len(cli.ok("tracker", "list", "--lane", "ranked")["items"]) == 1
    done = cli.ok("tracker", "set", "T1", "--status", "done", "--note", "40 s")
    assert (done["status"], done["notes"]) == ("done", "40 s")
    assert cli.fails(4, "tracker", "set", "T1", "--status", "todo")["code"] == "closed"
    assert cli.ok("tracker", "set", "T1", "--status", "todo", "--reopen")["status"] == "todo"
    assert cli.ok("tracker", "archive", "T1")["status"] == "archived"
    assert [item["title"] for item in cli.ok("tracker", "list", "--open")["items"]] == ["Second"]
    assert cli.ok("tracker", "show", "T1")["lane"] == "proposed"
    assert "points        3" in cli.call("tracker", "show", "T1").text
    assert cli.fails(3, "tracker", "show", "none")["code"] == "item"
    cli.fails(2, "tracker", "add", " ")
    cli.fails(2, "tracker", "set", "T1")
    cli.fails(2, "tracker", "add", "x", "--field", "points")
    cli.fails(2, "tracker", "add", "x", "--field", "points=three")
    cli.fails(4, "tracker", "add", "x", "--id", "T1")


def test_a_file_goes_out_and_comes_back(cli: Cli) -> None:
    cli.ok("tracker", "add", "First", "--id", "T1")
    path = cli.cwd / "tracker.json"
    assert cli.ok("log", "export", "tracker", str(path))["changed"]
    assert not cli.ok("log", "export", "tracker", str(path))["changed"]
    assert cli.ok("log", "export", "tracker", str(path), "--check")["same"]
    assert cli.call("log", "export", "tracker", "-").out == path.read_bytes()
    path.write_text(path.read_text().replace("First", "By hand"))
    drift = cli.call("log", "export", "tracker", str(path), "--check", "--json")
    assert (drift.code, drift.json["error"]["code"]) == (1, "drift")
    assert any("By hand" in line for line in drift.json["difference"])
    assert cli.fails(4, "log", "export", "tracker", str(path))["code"] == "file_edited"
    dry = cli.ok("log", "ingest", "tracker", str(path), "--dry-run")
    assert (dry["changes"], dry["events"]) == ({"updated": 1}, [])
    taken = cli.ok("log", "ingest", "tracker", str(path))
    assert len(taken["events"]) == 2
    assert cli.ok("log", "ingest", "tracker", "-", given=path.read_bytes())["events"] == []
    assert cli.ok("tracker", "show", "T1")["title"] == "By hand"
    assert not cli.ok("log", "export", "tracker", str(path))["changed"]
    assert "is a folder" in cli.fails(2, "log", "export", "tracker", ".")["message"]
    cli.fails(2, "log", "export", "tracker", "-", "--check")
    cli.fails(2, "log", "export", "tracker", str(path), "--check", "--force")
    cli.fails(3, "log", "export", "nope", str(path))
    cli.fails(2, "log", "ingest", "tracker", "-", given=b'{"items": 3}')


def test_watch_keeps_the_file_current(cli: Cli) -> None:
    cli.ok("tracker", "add", "First", "--id", "T1")
    path = cli.cwd / "tracker.json"
    process = cli.start("log", "export", "tracker", str(path), "--watch")
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"Wrote")
        cli.ok("tracker", "add", "Second", "--id", "T2")
        assert process.stdout.readline().startswith(b"Wrote")
        assert _titles(path) == ["First", "Second"]
        path.write_text(path.read_text().replace("First", "By hand"))
        cli.ok("tracker", "set", "T2", "--priority", "P0")
        assert process.wait(10) == 4
        assert _titles(path) == ["By hand", "Second"]
    finally:
        process.kill()
    process = cli.start("log", "export", "buildlog", str(cli.cwd / "BUILDLOG.md"), "--watch")
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130


def test_a_hook_of_git_refuses_what_has_drifted(cli: Cli) -> None:
    cli.ok("tracker", "add", "First", "--id", "T1")
    path = cli.cwd / "tracker.json"
    cli.ok("log", "export", "tracker", str(path))
    repository(cli.cwd)
    hook = cli.cwd / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec smriti log export tracker tracker.json --check\n")
    hook.chmod(0o755)

    def commit() -> int:
        environ = {**os.environ, **cli.environment()}
        environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        git = ["git", "-c", "user.name=ada", "-c", "user.email=ada@example.org"]
        for command in (["add", "-A"], ["commit", "-qm", "state", "--allow-empty"]):
            done = subprocess.run([*git, *command], cwd=cli.cwd, env=environ, check=False)
        return done.returncode

    assert commit() == 0
    cli.ok("tracker", "set", "T1", "--priority", "P0")
    assert commit() == 1
    cli.ok("log", "export", "tracker", str(path))
    assert commit() == 0


def _titles(path: Path) -> list[str]:
    return [item["title"] for item in json.loads(path.read_text())["items"]]
