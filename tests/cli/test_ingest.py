"""`smriti ingest` on the command line."""

from __future__ import annotations

from tests.cli.calling import Cli


def test_an_export_is_taken_in_elsewhere(cli: Cli) -> None:
    cli.space()
    session = cli.session()
    cli.ok("chat", "send", "--session", session, "hello")
    folder, other = str(cli.cwd / "state"), str(cli.cwd / "other.db")
    cli.call("export", folder, "--all", "--format", "bundle")
    dry = cli.ok("ingest", folder, "--dry-run", "--db", other)
    done = cli.ok("ingest", folder, "--db", other)
    assert (dry["taken"], dry["dry_run"], done["edited"]) == (done["events"], True, [])
    assert cli.ok("ingest", folder, "--db", other)["taken"] == 0
    assert cli.call("ingest", folder, "--db", other).text == "Nothing new in it.\n"
    lines = cli.call("export", "-", "--all", "--format", "jsonl")
    again = cli.call("export", "-", "--all", "--format", "jsonl", "--db", other)
    assert lines.out == again.out
    given = cli.call("ingest", "-", "--db", str(cli.cwd / "third.db"), given=lines.out)
    assert given.text.startswith("Took in ")
    state = cli.cwd / "state"
    next(state.rglob("STATE.md")).write_text("by hand")
    told = cli.call("ingest", folder, "--db", other)
    assert "not what the events say" in told.error
    broken = next(state.rglob("events/space/*.jsonl"))
    broken.write_bytes(broken.read_bytes().replace(b"Search", b"Find"))
    error = cli.fails(2, "ingest", folder, "--db", str(cli.cwd / "fourth.db"))
    assert error["code"] == "changed"
    assert "line 1" in error["message"]
    assert not (cli.cwd / "fourth.db").exists()
    cli.fails(3, "ingest", "none")
    (cli.cwd / "other.json").write_text('{\n  "items": []\n}\n')
    assert "is no export" in cli.fails(2, "ingest", "other.json")["message"]


def test_a_database_is_copied_whole(cli: Cli) -> None:
    cli.space()
    target = str(cli.cwd / "copy.db")
    done = cli.ok("db", "copy", str(cli.database), target)
    assert done["there_before"] == 0
    assert cli.call("log", "anchor").text == cli.call("log", "anchor", "--db", target).text
    assert cli.ok("db", "copy", str(cli.database), "copy.db")["there_before"] == done["events"]
    cli.ok("log", "append", "notes", "x", "--db", target)
    assert cli.fails(4, "db", "copy", str(cli.database), target)["code"] == "other_log"
    cli.fails(3, "db", "copy", "none.db", target)
