"""A server on a database that is missing, newer, no file, full, held, moved away, or shared with a
second server: each is told in one form, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import anyio
import pytest
from mcp.shared.exceptions import MCPError

from tests.cli.calling import Cli
from tests.protocol.mcp_host import Host, hosted
from tests.protocol.mcp_inside import Inside
from tests.protocol.mcp_lines import calling, hello, started

HELD_S = 1.0


@pytest.mark.parametrize("database", ["/", "sqlite:////", "FOLDER", "/dev/null/x.db", "/proc/x.db"])
def test_what_is_no_database_is_named(inside: list[Inside], tmp_path: Path, database: str) -> None:
    inside.append(Inside(database.replace("FOLDER", str(tmp_path))))
    error = inside[0].fails("create_space", name="x")
    assert "/" in error["message"]
    assert inside[0].fails("create_space", name="x") == error


def test_a_full_disk_is_named(inside: list[Inside]) -> None:
    inside.append(Inside("/dev/full"))
    assert "disk" in inside[0].fails("create_space", name="x")["message"]


def test_reading_makes_no_file(inside: list[Inside], tmp_path: Path) -> None:
    inside.append(Inside(str(tmp_path / "none.db")))
    assert inside[0].call("list_spaces")["spaces"] == []
    assert not (tmp_path / "none.db").exists()


def test_a_newer_database_is_left_untouched(inside: list[Inside], tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    inside.append(Inside(str(path)))
    inside[0].call("create_space", name="Before")
    inside.pop().opening.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    before = path.read_bytes()
    inside.append(Inside(str(path)))
    for tool, arguments in (("list_spaces", {}), ("create_space", {"name": "x"})):
        assert "newer version" in inside[0].fails(tool, **arguments)["message"]
    with pytest.raises(MCPError) as refused:
        anyio.run(inside[0].server.list_resources)
    assert (refused.value.code, "newer" in refused.value.message) == (-32603, True)
    assert refused.value.data["code"] == "database_newer"
    assert path.read_bytes() == before


def test_a_database_that_is_gone_is_told_and_comes_back(
    inside: list[Inside], tmp_path: Path
) -> None:
    path, aside = tmp_path / "here.db", tmp_path / "aside"
    inside.append(Inside(str(path)))
    key = inside[0].call("create_space", name="Kept")["id"]
    aside.mkdir()
    files = list(tmp_path.glob("here.db*"))
    for each in files:
        each.rename(aside / each.name)
    assert "gone" in inside[0].fails("claim", space=key, scope="x")["message"]
    assert "gone" in inside[0].fails("state", space=key)["message"]
    for each in files:
        (aside / each.name).rename(each)
    assert inside[0].call("claim", space=key, scope="x")["scope"] == "x"


def test_a_foreign_program_that_holds_the_database_is_waited_for(
    inside: list[Inside], tmp_path: Path
) -> None:
    path = tmp_path / "held.db"
    inside.append(Inside(str(path)))
    inside[0].call("create_space", name="One")
    foreign = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    foreign.execute("BEGIN IMMEDIATE")
    let_go = threading.Timer(HELD_S, foreign.rollback)
    let_go.start()
    assert [each["name"] for each in inside[0].call("list_spaces")["spaces"]] == ["One"]
    assert inside[0].call("create_space", name="Two")["name"] == "Two"
    let_go.join()
    foreign.close()


def test_two_servers_on_one_database_see_each_other_and_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    cli = Cli(tmp_path, monkeypatch)
    environment = cli.environment()
    with (
        hosted(environment, tmp_path / "one.log", "--actor", "one") as one,
        hosted(environment, tmp_path / "two.log", "--actor", "two") as two,
    ):
        key = one.ok("create_space", name="Shared").document["id"]
        head = two.ok("create_checkpoint", space=key, content={"title": "first"}).document["id"]

        def write(host: Host, name: str) -> None:
            for number in range(15):
                host.ok("checkpoint_note", checkpoint_id=head, text=f"{name} {number}")

        both = [threading.Thread(target=write, args=(h, n)) for h, n in ((one, "a"), (two, "b"))]
        for each in both:
            each.start()
        for each in both:
            each.join()
        stale = {"space": key, "content": {"title": "mine"}, "expect_head": head}
        one.ok("create_checkpoint", **stale)
        assert two.call("create_checkpoint", **stale).error["code"] == "stale_head"
        shown = [host.ok("show_checkpoint", checkpoint_id=head).document for host in (one, two)]
    assert shown[0] == shown[1]
    assert sorted(note["text"] for note in shown[0]["notes"]) == sorted(
        f"{name} {number}" for name in "ab" for number in range(15)
    )
    assert cli.call("log", "verify").code == 0


@pytest.mark.soak
def test_six_servers_write_fifty_notes_each_while_somebody_holds_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P49: no note is lost, nobody dies, and no sentence of SQLite's reaches a host."""
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    cli = Cli(tmp_path, monkeypatch)
    key = cli.space("Six")
    head = cli.checkpoint(key, {"title": "one"})["id"]
    notes = b"".join(
        calling(n, "checkpoint_note", checkpoint_id=head, text=f"note {n}")
        + calling(100 + n, "state", space=key)
        for n in range(1, 51)
    )
    foreign = sqlite3.connect(cli.database, isolation_level=None, check_same_thread=False)
    with ExitStack() as stack:
        servers = [stack.enter_context(started(cli.environment())) for _ in range(6)]
        foreign.execute("BEGIN IMMEDIATE")
        let_go = threading.Timer(8.0, foreign.rollback)
        let_go.start()
        for server in servers:
            assert server.stdin is not None
            server.stdin.write(hello() + notes)
            server.stdin.flush()
        for server in servers:
            assert server.stdout is not None
            for _ in range(101):
                told = json.loads(server.stdout.readline())
                assert not told["result"].get("isError"), told
            assert server.stdin is not None
            server.stdin.close()
            assert server.wait(timeout=10) == 0
    let_go.join()
    foreign.close()
    assert len(cli.ok("checkpoint", "show", head)["notes"]) == 300
    assert cli.call("log", "verify").code == 0
