"""Faults of the database: exit 6 and a word for each (R4); `smriti db`, `doctor`, `config`."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import Cli

KEY = "sk-canary-Zq81mPv0xLkT42"


EMPTY_WAL = "PRAGMA wal_checkpoint(TRUNCATE)"


def execute(path: Path, *statements: str) -> None:
    """As another program would, past every rule of ours."""
    database = sqlite3.connect(path, isolation_level=None)
    with contextlib.closing(database):
        for statement in statements:
            database.execute(statement)


def every_command_fails(cli: Cli, code: str) -> None:
    for arguments in (
        ("space", "list"),
        ("space", "create", "X"),
        ("log", "read", "--all"),
        ("log", "append", "tracker", "x", "{}"),
        ("db", "check"),
        ("db", "migrate"),
    ):
        error = cli.fails(6, *arguments)
        assert error["code"] == code, arguments
        assert error["hint"]
    status = cli.call("status", "--json")
    assert (status.code, status.json["error"]["code"]) == (6, code)
    assert status.json["database"]["fault"]
    doctor = cli.call("doctor", "--json")
    assert (doctor.code, doctor.json["ok"]) == (1, False)
    assert {"database": "broken"}.items() <= {
        check["name"]: check["state"] for check in doctor.json["checks"]
    }.items()


def test_a_file_that_is_no_database(cli: Cli) -> None:
    cli.database.parent.mkdir()
    cli.database.write_bytes(b"once upon a time " * 400)
    every_command_fails(cli, "database_not_ours")
    assert cli.database.read_bytes() == b"once upon a time " * 400


def test_a_database_of_another_program(cli: Cli) -> None:
    cli.database.parent.mkdir()
    execute(cli.database, "CREATE TABLE theirs (x)")
    before = cli.database.read_bytes()
    every_command_fails(cli, "database_not_ours")
    assert cli.database.read_bytes() == before


def test_a_database_of_a_newer_version_is_left_untouched(cli: Cli) -> None:
    cli.space()
    execute(cli.database, "UPDATE alembic_version SET version_num = '9999'", EMPTY_WAL)
    before = cli.database.read_bytes()
    every_command_fails(cli, "database_newer")
    assert cli.database.read_bytes() == before


def test_a_damaged_database(cli: Cli) -> None:
    cli.space()
    for number in range(30):
        cli.ok("log", "append", "tracker", "x", json.dumps({"pad": "x" * 3000, "n": number}))
    execute(cli.database, EMPTY_WAL)
    data = bytearray(cli.database.read_bytes())
    data[len(data) // 2 :] = b"\xa5" * (len(data) - len(data) // 2)
    cli.database.write_bytes(data)
    assert cli.fails(6, "log", "read", "--all")["code"] == "database_corrupt"
    assert cli.call("db", "check", "--json").json["error"]["code"] == "database_corrupt"


def test_a_folder_that_cannot_be_made(cli: Cli) -> None:
    (cli.folder / "file").write_text("x", encoding="utf-8")
    database = str(cli.folder / "file" / "smriti.db")
    error = cli.fails(6, "space", "create", "X", "--db", database)
    assert error["code"] == "database_unreachable"
    assert cli.call("doctor", "--db", database).code == 1
    folder = str(cli.folder)
    assert cli.fails(6, "space", "list", "--db", folder)["code"] == "database_unreachable"
    assert cli.fails(6, "space", "create", "X", "--db", folder)["code"] == "database_unreachable"


def test_a_busy_database_is_told_and_nothing_is_written(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli.space()
    for module in ("eventlog", "database"):
        monkeypatch.setattr(f"smriti_tui.store.{module}.WAIT_S", 0.3)
    with cli.database.with_name("smriti.db.lock").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        error = cli.fails(6, "space", "create", "X")
        assert error["code"] == "database_busy"
        assert "try again" in error["hint"]
    assert len(cli.ok("space", "list")["spaces"]) == 1


@pytest.fixture
def read_only(cli: Cli) -> Iterator[dict[str, Any]]:
    """A database that this user, or for root another one, may read and not write; how to start a
    process as that user."""
    if os.geteuid() == 0:
        as_user: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
    else:
        as_user = {}
    cli.space()
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(cli.database.parent, folder / ".smriti")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    cli.extra |= {"HOME": str(folder), "SMRITI_HOME": str(folder / ".smriti")}
    try:
        yield {**as_user, "cwd": folder}
    finally:
        for path in (folder, folder / ".smriti"):
            path.chmod(0o755)
        shutil.rmtree(folder)


def test_a_read_only_database(cli: Cli, read_only: dict[str, Any]) -> None:
    try:
        probe = cli.run("--version", **read_only)
    except OSError:
        pytest.skip("another user cannot reach this interpreter")
    assert probe.code == 0
    done = cli.run("space", "create", "X", "--json", **read_only)
    assert (done.code, done.json["error"]["code"]) == (6, "database_read_only")
    assert "Traceback" not in done.error
    listed = cli.run("space", "list", "--json", **read_only)
    assert listed.code in (0, 6)
    assert listed.code == 0 or listed.json["error"]["code"] == "database_read_only"


def test_a_database_of_another_kind_is_a_usage_error(cli: Cli) -> None:
    cli.fails(2, "space", "list", "--db", "mysql://host/name")
    assert cli.ok("space", "list", "--db", f"sqlite:///{cli.folder}/other.db") == {"spaces": []}
    cli.fails(2, "space", "list", "--db", "   ")


def test_the_database_is_private_checked_migrated_and_copied(cli: Cli) -> None:
    assert cli.fails(3, "db", "check")["code"] == "not_found"
    made = cli.ok("db", "migrate")
    assert (made["changed"], made["path"]) == (True, str(cli.database))
    assert cli.ok("db", "migrate")["changed"] is False
    cli.space()
    assert cli.database.stat().st_mode & 0o777 == 0o600
    assert cli.database.parent.stat().st_mode & 0o777 == 0o700
    assert cli.ok("db", "check")["faults"] == []
    copied = cli.ok("db", "backup", "copy.db")
    target = cli.cwd / "copy.db"
    assert (copied["path"], copied["size_bytes"]) == (str(target), target.stat().st_size)
    assert target.stat().st_mode & 0o777 == 0o600
    assert cli.ok("space", "list", "--db", str(target)) == cli.ok("space", "list")
    assert cli.fails(4, "db", "backup", "copy.db")["code"] == "exists"
    assert cli.fails(6, "db", "backup", "x" * 300)["code"] == "database_unreachable"


def test_reading_creates_nothing(cli: Cli) -> None:
    for arguments in (("space", "list"), ("log", "streams"), ("status",), ("doctor",), ("config",)):
        assert cli.call(*arguments).code == 0
    assert not cli.database.parent.exists()


# ---- doctor, config, whoami, status ------------------------------------------------------------


def test_doctor_says_what_runs_and_what_is_at_risk(cli: Cli) -> None:
    cli.space()
    report = cli.ok("doctor")
    checks = {check["name"]: (check["state"], check["message"]) for check in report["checks"]}
    assert checks["python"][0] == "ok"
    assert str(cli.database) in checks["database"][1]
    assert checks["permissions"] == ("ok", "mode 0600, folder 0700")
    assert checks["sqlite"][0] in ("ok", "risk")
    assert checks["chat model"] == ("risk", "demo/scripted is a demo: it thinks nothing up")
    assert checks["background model"][0] == "risk"
    cli.extra["SMRITI_CHAT_MODEL"] = "openai/gpt-4o"
    broken = cli.call("doctor", "--json")
    assert (broken.code, broken.json["error"]["code"]) == (1, "unhealthy")
    assert "chat model" in broken.json["error"]["message"]
    cli.extra["OPENAI_API_KEY"] = KEY
    done = cli.call("doctor")
    assert done.code == 0
    assert KEY not in done.text + done.error


def test_a_wrong_setting_stops_commands_and_doctor_names_it(cli: Cli) -> None:
    config = cli.folder / "home" / ".config" / "smriti" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[provider]\nretries = 'many'\n", encoding="utf-8")
    error = cli.fails(2, "space", "list")
    assert "provider.retries" in error["message"]
    assert str(config) in error["message"]
    doctor = cli.call("doctor", "--json")
    assert doctor.code == 1
    assert any("provider.retries" in check["message"] for check in doctor.json["checks"])
    shown = cli.call("config", "--json")
    assert shown.code == 0
    assert shown.json["problems"][0]["field"] == "provider.retries"


def test_config_shows_values_and_where_they_stand_and_no_key(cli: Cli) -> None:
    cli.extra |= {"OPENAI_API_KEY": KEY, "SMRITI_API_KEY": KEY, "SMRITI_TIMEOUT_S": " "}
    done = cli.call("config", "--json", "--actor", "zed")
    rows = {row["name"]: (row["value"], row["origin"]) for row in done.json["settings"]}
    assert rows["chat.model"] == ("demo/scripted", "SMRITI_CHAT_MODEL in the environment")
    assert rows["actor"] == ("zed", "flag")
    assert rows["provider.timeout_s"] == ("60", "default")
    assert rows["OPENAI_API_KEY"] == ("set", "OPENAI_API_KEY in the environment")
    assert rows["database.url"] == (str(cli.database), "default")
    assert KEY[:9] not in done.text + done.error + cli.call("config").text


def test_an_env_file_that_others_can_read_is_warned_about(cli: Cli) -> None:
    env = cli.folder / "home" / ".config" / "smriti" / "env"
    env.parent.mkdir(parents=True)
    env.write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-8")
    env.chmod(0o644)
    done = cli.call("space", "list")
    assert (done.code, done.error.startswith("warning: ")) == (0, True)
    assert cli.call("space", "list", "--quiet").err == b""


def test_whoami(cli: Cli) -> None:
    told = cli.ok("whoami")
    assert (told["actor"], told["origin"]) == ("ada", "SMRITI_ACTOR in the environment")
    assert (told["door"], told["database"], told["store"]) == ("cli", str(cli.database), None)
    assert not cli.database.exists()
    cli.ok("log", "append", "notes", "x")
    store = cli.ok("whoami")["store"]
    assert {event["origin"] for event in cli.call("log", "read", "--all").lines} == {store}
    cli.extra["SMRITI_ACTOR"] = ""
    assert cli.ok("whoami")["origin"] == "login name"


def test_status_names_space_head_database_and_models(cli: Cli) -> None:
    bare = cli.call("status")
    assert bare.code == 0
    assert "none: no .smriti.json here or above" in bare.text
    assert "not there yet" in bare.text
    key = cli.space()
    head = cli.checkpoint("Search", {"title": "Choose FTS5"})["id"]
    (cli.cwd / ".smriti.json").write_text(json.dumps({"space_id": key}), encoding="utf-8")
    found = cli.ok("status")
    assert (found["space"]["id"], found["head"]["id"]) == (key, head)
    assert found["models"]["chat"]["model"] == "demo/scripted"
    assert found["models"]["background"]["ready"] is False
    (cli.cwd / ".smriti.json").write_text("{", encoding="utf-8")
    corrupt = cli.call("status")
    assert corrupt.code == 0
    assert "does not count, it is not JSON" in corrupt.text
