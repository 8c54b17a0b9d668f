"""`smriti redact` on the command line, with other programs at work, and killed."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
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
        assert held(cli) == []
        assert cli.ok("log", "verify")["redacted"] == 3


def test_one_that_is_killed_is_whole_or_absent(cli: Cli) -> None:
    killed(cli, 3)


@pytest.mark.faults
def test_many_that_are_killed_are_whole_or_absent(cli: Cli) -> None:
    killed(cli, 40)


def test_one_that_was_killed_before_the_files_is_finished_by_the_next(cli: Cli) -> None:
    recorded(cli)
    reader = sqlite3.connect(cli.database)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM event").fetchone()
    assert cli.run("redact", "--text", "-", "--yes", given=SECRET.encode()).code == 6
    reader.close()
    checks = {each["name"]: each for each in cli.ok("doctor")["checks"]}
    assert "redact --finish" in checks["redaction"]["message"]
    copy = cli.database.parent / "copy.db"
    cli.ok("db", "backup", str(copy))
    assert "copy.db" not in held(cli)
    assert cli.run("redact", "--text", "-", "--dry-run", given=SECRET.encode()).code == 0
    again = cli.run("redact", "--text", "-", "--yes", given=SECRET.encode())
    assert again.text == "It stands nowhere: nothing is to be taken out.\n"
    assert held(cli) == []
    assert "redaction" not in {each["name"] for each in cli.ok("doctor")["checks"]}


def test_two_at_once_both_take_theirs(cli: Cli) -> None:
    recorded(cli)
    cli.ok("log", "append", "notes", "said", '{"other": "another-secret-text"}')
    processes = [
        cli.start("redact", "--text", "-", "--yes", "--json", stdin=subprocess.PIPE)
        for _ in range(4)
    ]
    given = [SECRET, "another-secret-text", SECRET, "[redacted]"]
    for process, text in zip(processes, given, strict=True):
        assert process.stdin is not None
        process.stdin.write(text.encode())
        process.stdin.close()
    codes = [process.wait(60) for process in processes]
    assert codes[3] == 2
    assert set(codes[:3]) <= {0, 6}  # 6: the files waited for the others
    cli.ok("redact", "--finish")
    assert held(cli) == []
    assert b"another-secret" not in cli.database.read_bytes()
    assert cli.ok("log", "verify")["redacted"] == 4
    assert not list(cli.database.parent.glob("*.redacting"))


def test_only_what_is_smritis_is_looked_at_and_changed(cli: Cli) -> None:
    cli.extra["SMRITI_DATABASE_URL"] = str(cli.cwd / "mine.db")
    recorded(cli)
    home = cli.database.parent
    cli.ok("tracker", "add", f"rotate {SECRET}")
    (cli.cwd / "project").mkdir()
    view = cli.cwd / "project" / "tracker.json"
    cli.ok("log", "export", "tracker", str(view))
    named = {
        home / "smriti-tui.log": f"ä line\nwith {SECRET}\n",
        home / "crash" / "smriti-crash-1.txt": f"{SECRET}",
        home / "editor" / "prompt-1.md": f"{SECRET}",
        home / "worktrees" / "w" / "file.py": f"{SECRET}",
        cli.cwd / "notes" / "own.txt": f"{SECRET}",
        cli.cwd / "own.txt": f"{SECRET}",
    }
    for path, text in named.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # In a copy a long text lies on several pages.
    long = "x".join(str(number) for number in range(4_000)) + SECRET[:12]
    cli.ok("log", "append", "notes", "said", json.dumps({"text": long}))
    cli.ok("db", "backup", str(cli.cwd / "old.db"))
    assert long.encode() not in (cli.cwd / "old.db").read_bytes()
    done = cli.run("redact", "--text", "-", "--yes", "--json", given=long.encode()).json
    assert done["left"] == [str(cli.cwd / "old.db")]
    (cli.cwd / "old.db").unlink()
    done = cli.run("redact", "--text", "-", "--yes", "--json", given=SECRET.encode()).json
    assert sorted(done["left"]) == sorted(map(str, (home / "editor" / "prompt-1.md", view)))
    stars = "*" * len(SECRET)
    assert (home / "smriti-tui.log").read_text() == f"ä line\nwith {stars}\n"
    assert (home / "crash" / "smriti-crash-1.txt").read_text() == stars
    for path in list(named)[3:]:
        assert path.read_text() == SECRET


def test_by_another_way_to_the_database_its_locks_stay(cli: Cli) -> None:
    recorded(cli)
    link = cli.cwd / "link.db"
    link.symlink_to(cli.database)
    done = cli.run("redact", "--db", str(link), "--text", "-", "--yes", given=SECRET.encode())
    assert (done.code, done.error.count("still holds")) == (0, 0)
    assert held(cli) == []
