"""`smriti redact` on the command line, with other programs at work, and killed."""

from __future__ import annotations

import random
import shutil
import sqlite3
import time

import pytest

from tests.cli.calling import Cli

SECRET = "sk-live-4f9a8b7c6d5e4f3a2b1c"


def recorded(cli: Cli) -> str:
    """A session with the secret in a turn, an answer, a checkpoint; its id."""
    cli.space()
    session = cli.session()
    cli.ok("chat", "send", "--session", session, f"my key is {SECRET}, use it")
    cli.ok("log", "append", "notes", "said", f'{{"key": "{SECRET}"}}')
    return session


def held(cli: Cli) -> list[str]:
    home = cli.database.parent
    return sorted(
        path.name
        for path in home.rglob("*")
        if path.is_file() and SECRET.encode() in path.read_bytes()
    )


def test_it_says_where_it_is_asks_and_takes_it_out(cli: Cli) -> None:
    session = recorded(cli)
    assert held(cli)
    dry = cli.run("redact", "--text", "-", "--dry-run", "--json", given=SECRET.encode()).json
    assert len(dry["events"]) == 3
    told = cli.run("redact", "--text", "-", "--dry-run", given=SECRET.encode()).text
    assert told.startswith("It stands in 3 events (1 answer.ended, 1 said, 1 turn")
    asked = cli.run("redact", "--text", "-", given=SECRET.encode())
    assert asked.code == 7
    done = cli.run("redact", "--text", "-", "--yes", "--json", given=SECRET.encode()).json
    assert (done["wiped"], len(done["events"])) == (True, 3)
    assert held(cli) == []
    assert cli.ok("log", "verify")["redacted"] == 3
    assert "Redacted: 3 events" in cli.call("log", "verify").text
    assert cli.ok("context", "verify")["redacted"]
    assert cli.ok("session", "turns", session)["turns"][0]["text"] == "my key is [redacted], use it"
    again = cli.run("redact", "--text", "-", "--yes", given=SECRET.encode())
    assert again.text == "It stands nowhere: nothing is to be taken out.\n"
    assert "3 events" in cli.run("log", "verify").text


@pytest.mark.parametrize(
    "arguments",
    [
        (), ("--turn", "1"), ("--session", "x"), ("--checkpoint", "x"),
        ("--event", "1", "--text", "x"), ("--event", "0"),
    ],
)  # fmt: skip
def test_one_way_of_saying_what_is_meant(cli: Cli, arguments: tuple[str, ...]) -> None:
    cli.space()
    cli.fails(2, "redact", *arguments)


def test_copies_of_before_are_named(cli: Cli) -> None:
    recorded(cli)
    copy = cli.database.parent / "old.db"
    cli.ok("db", "backup", str(copy))
    done = cli.run("redact", "--text", "-", "--yes", given=SECRET.encode())
    assert "old.db still holds it" in done.error
    assert held(cli) == ["old.db"]
    cli.ok("db", "backup", str(cli.database.parent / "new.db"))
    assert held(cli) == ["old.db"]


def test_a_program_that_reads_keeps_bytes_and_it_is_told(cli: Cli) -> None:
    recorded(cli)
    reader = sqlite3.connect(cli.database)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM event").fetchone()
    done = cli.run("redact", "--text", "-", "--yes", given=SECRET.encode())
    assert done.code == 6
    assert "smriti redact --finish" in done.error
    assert held(cli)
    reader.close()
    cli.ok("redact", "--finish")
    assert held(cli) == []
    assert cli.ok("log", "verify")["redacted"] == 3


def killed(cli: Cli, times: int) -> None:
    recorded(cli)
    fresh = cli.cwd / "fresh.db"
    shutil.copy(cli.database, fresh)
    (cli.cwd / "secret").write_text(SECRET)
    started = time.monotonic()
    cli.run("redact", "--text", "secret", "--yes")
    took = time.monotonic() - started
    for seed in range(times):
        for path in cli.database.parent.glob("smriti.db*"):
            path.unlink()
        shutil.copy(fresh, cli.database)
        process = cli.start("redact", "--text", "secret", "--yes")
        time.sleep(random.Random(seed).uniform(0.4, 1.3) * took)
        process.kill()
        process.communicate()
        assert cli.ok("log", "verify")["redacted"] in (0, 3)
        cli.ok("redact", "--text", "secret", "--yes")
        cli.ok("redact", "--finish")
        assert held(cli) == []
        assert cli.ok("log", "verify")["redacted"] == 3


def test_one_that_is_killed_is_whole_or_absent(cli: Cli) -> None:
    killed(cli, 3)


@pytest.mark.faults
def test_many_that_are_killed_are_whole_or_absent(cli: Cli) -> None:
    killed(cli, 40)
