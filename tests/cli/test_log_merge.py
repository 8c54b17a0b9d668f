"""`smriti log merge` on the command line, and killed in the middle."""

from __future__ import annotations

import random
import shutil
import time

import pytest

from tests.cli.calling import Cli


def parted(cli: Cli) -> str:
    """Another database with the same beginning, in which somebody went on."""
    cli.space()
    session = cli.session()
    cli.ok("chat", "send", "--session", session, "hello")
    other = cli.cwd / "other.db"
    cli.ok("db", "backup", str(other))
    cli.ok("chat", "send", "--session", session, "here")
    cli.ok("tracker", "add", "one")
    cli.ok("chat", "send", "--session", session, "there", "--db", str(other))
    cli.ok("log", "append", "notes", "said", "--db", str(other))
    cli.ok("space", "create", "Only there", "--db", str(other))
    return str(other)


def test_another_database_is_merged_and_again_changes_nothing(cli: Cli) -> None:
    other = parted(cli)
    dry = cli.ok("log", "merge", other, "--dry-run")
    text = cli.call("log", "merge", other, "--dry-run").text
    assert text.startswith("Would take over ")
    assert "went on in both after turn 2: what came is session " in text
    done = cli.ok("log", "merge", other)
    assert {**dry, "dry_run": False} == done
    assert done["taken"] == sum(done["streams"].values())
    [came] = done["sessions"]
    assert [turn["text"] for turn in cli.ok("session", "turns", came["id"])["turns"]][2] == "there"
    assert cli.ok("context", "--session", came["id"], "--message", "x")["messages"]
    position = cli.ok("log", "verify")["events"]
    assert cli.call("log", "merge", other).text == "Nothing new in it.\n"
    assert cli.ok("log", "verify")["events"] == position
    cli.fails(3, "log", "merge", "none.db")
    cli.fails(2, "log", "merge", str(cli.database))
    cli.fails(2, "log", "merge", other, "--at", "3")
    assert cli.ok("log", "verify", "--db", other)["ok"]


def test_a_bundle_of_another_store_is_merged(cli: Cli) -> None:
    other = parted(cli)
    folder = str(cli.cwd / "state")
    cli.call("export", folder, "--all", "--format", "bundle", "--db", other)
    assert cli.fails(4, "ingest", folder)["code"] == "diverged"
    done = cli.ok("log", "merge", folder)
    assert len(done["sessions"]) == 1
    cli.ok("log", "verify")


def killed(cli: Cli, times: int) -> None:
    other = parted(cli)
    before = cli.ok("log", "verify")["events"]
    fresh = cli.cwd / "before.db"
    shutil.copy(cli.database, fresh)
    started = time.monotonic()
    whole = cli.ok("log", "merge", other)["taken"]
    took = time.monotonic() - started
    for seed in range(times):
        target = cli.cwd / f"target{seed}.db"
        shutil.copy(fresh, target)
        process = cli.start("log", "merge", other, "--db", str(target))
        time.sleep(random.Random(seed).uniform(0.3, 1.5) * took)
        process.kill()
        process.communicate()
        found = cli.ok("log", "verify", "--db", str(target))
        assert found["events"] == before or found["events"] >= before + whole
        cli.ok("log", "merge", other, "--db", str(target))
        assert cli.ok("log", "verify", "--db", str(target))["events"] >= before + whole


def test_a_merge_that_is_killed_leaves_all_or_nothing(cli: Cli) -> None:
    killed(cli, 3)


@pytest.mark.faults
def test_merges_that_are_killed_leave_all_or_nothing(cli: Cli) -> None:
    killed(cli, 40)
