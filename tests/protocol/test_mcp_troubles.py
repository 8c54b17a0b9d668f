"""What goes wrong around a server: hosts that die, calls that are cancelled, a busy database."""

from __future__ import annotations

import fcntl
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.types import CallToolResult

from smriti_tui.domain.model import Space
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.serving import SmritiServer
from smriti_tui.services.spaces import SpaceService
from tests.cli.calling import Cli
from tests.protocol.mcp_host import Host
from tests.protocol.mcp_inside import Inside

BUSY_S = 8.0
PATIENCE_S = 20.0
ENDS_WITHIN_S = 4.0
"""It is 2 seconds; a machine that runs other things takes longer."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def extra() -> dict[str, str]:
    return {"SMRITI_BACKGROUND_MODEL": "demo"}


@contextmanager
def busy(cli: Cli) -> Iterator[None]:
    """Somebody else holds the one door for writes."""
    lock = cli.database.with_name(f"{cli.database.name}.lock")
    with lock.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def test_calls_run_side_by_side(host: Host, cli: Cli) -> None:
    key = host.ok("create_space", name="Side by side").document["id"]
    calls: list[tuple[str, dict[str, object]]] = [
        ("claim", {"space": key, "scope": f"part {number}"}) for number in range(15)
    ]
    calls += [("state", {"space": key}), ("claims", {"space": key}), ("list_spaces", {})] * 5

    async def all_at_once() -> list[bool]:
        failed: list[bool] = []

        async def one(tool: str, arguments: dict[str, object]) -> None:
            result = await host.client.call_tool(f"smriti_{tool}", arguments)
            failed.append(bool(result.is_error))

        async with anyio.create_task_group() as group:
            for tool, arguments in calls:
                group.start_soon(one, tool, arguments)
        return failed

    assert host.portal.call(all_at_once) == [False] * len(calls)
    assert len(host.ok("claims", space=key).document["claims"]) == 15
    assert cli.call("log", "verify").code == 0


def test_reads_go_on_while_a_write_waits_and_a_cancelled_write_is_whole(
    host: Host, cli: Cli
) -> None:
    key = host.ok("create_space", name="Cancelled").document["id"]
    content = {"title": "late", "decisions": ["whole"]}

    async def cancelled() -> bool:
        with anyio.move_on_after(0.5) as scope:
            await host.client.call_tool(
                "smriti_create_checkpoint", {"space": key, "content": content}
            )
        return scope.cancelled_caught

    with busy(cli):
        assert host.portal.call(cancelled)
        assert host.ok("list_checkpoints", space=key).document["checkpoints"] == []
    host.ok("claim", space=key, scope="after it")
    shown = host.ok("list_checkpoints", space=key).document["checkpoints"]
    assert len(shown) <= 1
    for each in shown:
        assert host.ok("show_checkpoint", checkpoint_id=each["id"]).document["decisions"]
    assert cli.call("log", "verify").code == 0


def test_a_cancelled_extraction_stops_its_model_and_saves_nothing(host: Host) -> None:
    key = host.ok("create_space", name="Stopped").document["id"]
    lines = "\n".join(f"We think that part {number} is slow." for number in range(60))
    after = host.ok("log_read", all_streams=True, limit=1000).document["events"][-1]["position"]

    def happened() -> dict[str, Any]:
        read = host.ok("log_read", all_streams=True, after=after).document["events"]
        return {event["type"]: event["payload"] for event in read}

    arguments = {"space": key, "markdown": f"# Notes\n\n{lines}\n"}
    asking = host.portal.start_task_soon(
        partial(host.client.call_tool, "smriti_create_checkpoint", arguments)
    )
    await_that(lambda: "request.stored" in happened())
    assert asking.cancel()
    await_that(lambda: "request.ended" in happened())
    assert happened()["request.ended"]["status"] == "stopped"
    assert "checkpoint.saved" not in happened()


def test_many_writes_that_wait_keep_no_reader_waiting(host: Host, cli: Cli) -> None:
    """A thread waits for each, and more writes wait than a loop has threads by itself."""
    key = host.ok("create_space", name="Many").document["id"]
    client = host.client
    with busy(cli):
        waiting = [
            host.portal.start_task_soon(
                partial(client.call_tool, "smriti_claim", {"space": key, "scope": f"part {n}"})
            )
            for n in range(60)
        ]
        began = time.monotonic()
        assert host.ok("claims", space=key).document["claims"] == []
        assert time.monotonic() - began < PATIENCE_S / 4
    assert not any(each.result(PATIENCE_S).is_error for each in waiting)
    assert host.ok("claims", space=key, limit=100).document["claims"][0]["scope"]


def await_that(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def kills(folder: Path, times: int, patch: pytest.MonkeyPatch) -> None:
    """Kills a host again and again while its server writes; the server ends, and all is whole."""
    cli = Cli(folder, patch)
    key = cli.space("Killed")
    chance = random.Random(7)
    for number in range(times):
        dying = subprocess.Popen(
            [sys.executable, "-m", "tests.protocol.dying_host", key, str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=cli.environment(),
        )
        assert dying.stdout is not None
        server = int(dying.stdout.readline())
        assert dying.stdout.readline()
        assert dying.stdout.readline()
        time.sleep(chance.uniform(0, 0.1))
        dying.kill()
        dying.wait()
        dying.stdout.close()
        began = time.monotonic()
        while Path(f"/proc/{server}").exists():
            assert time.monotonic() - began < ENDS_WITHIN_S, f"kill {number}: an orphan"
            time.sleep(0.01)
        cli.checkpoint(key, {"title": f"after {number}"}, "--carry", "all")
    assert cli.call("log", "verify").code == 0
    found = cli.ok("checkpoint", "list", key, "--limit", "1000")["checkpoints"]
    titles = [each["title"] for each in found]
    assert len(titles) == len(set(titles)) >= 2 * times
    last = cli.ok("checkpoint", "show", found[0]["id"])
    assert len(last["decisions"]) == len([title for title in titles if "." in title])


def test_a_busy_database_is_waited_for_and_killed_hosts_leave_nothing(
    host: Host, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two things at once, since each takes its time: they share no database."""
    key = host.ok("create_space", name="Busy").document["id"]
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    held, told = threading.Event(), list[float]()

    def hold() -> None:
        with busy(cli):
            held.set()
            time.sleep(BUSY_S)

    def claim() -> None:
        held.wait()
        began = time.monotonic()
        if not host.call("claim", space=key, scope="waited for").failed:
            told.append(time.monotonic() - began)

    both = [threading.Thread(target=hold), threading.Thread(target=claim)]
    for each in both:
        each.start()
    kills(tmp_path, 3, monkeypatch)
    for each in both:
        each.join(timeout=20)
    (waited,) = told
    assert waited > BUSY_S / 2


@pytest.mark.soak
def test_a_host_is_killed_twenty_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    kills(tmp_path, 20, monkeypatch)


def test_a_wrong_setting_is_told_by_every_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is there all the same: its host sees why, not that it broke."""
    config = tmp_path / "config.toml"
    config.write_text("[log]\nlevel = 'loud'\n", encoding="utf-8")
    monkeypatch.setenv("SMRITI_CONFIG", str(config))
    server = SmritiServer(Opening({}, lambda: None))
    for _ in range(2):
        result = anyio.run(server.call_tool, "smriti_list_spaces", {})
        assert isinstance(result, CallToolResult)
        assert result.is_error
        assert "log.level" in str(result.content)


def test_the_server_s_own_folder_is_nobody_s_root(inside: list[Inside], tmp_path: Path) -> None:
    """P47: what is given is made absolute; what means where the server stands is refused."""
    inside.append(Inside(str(tmp_path / "x.db")))
    for own in (".", "./", "x/.."):
        error = inside[0].fails("create_space", name="Root", project_root=own)
        assert error["details"] == {"field": "project_root"}
    for given, kept in (("", None), ("sub/dir", str(Path.cwd() / "sub/dir")), ("/a/b", "/a/b")):
        made = inside[0].call("create_space", name="Root", project_root=given)
        assert made["project_root"] == kept
    content = {"title": "x"}
    key = made["id"]
    assert inside[0].fails("create_checkpoint", space=key, content=content, project_root=".")
    saved = inside[0].call("create_checkpoint", space=key, content=content)
    assert saved["project_root"] is None


def test_no_word_of_a_crash_reaches_a_host(
    inside: list[Inside], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """P59, SURFACE-05: a fault of the program is a tool error, its story goes to the log."""

    def broken(_: SpaceService) -> list[Space]:
        raise KeyError("sk-secret-key")

    inside.append(Inside(str(tmp_path / "x.db")))
    monkeypatch.setattr(SpaceService, "all", broken)
    error = inside[0].call("list_spaces")["error"]
    assert (error["code"], error["details"]) == ("unexpected", {"kind": "KeyError"})
    assert "secret" not in inside[0].said
    assert "Traceback" not in inside[0].said
    assert "KeyError" in caplog.text
