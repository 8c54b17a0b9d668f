"""The app in a terminal of its own: every way to end it, in the middle of an answer."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import wire_environ
from tests.ui.house import House
from tests.ui.pty_app import ROOT, PtyApp, alive, children, patience


def limit_s() -> float:
    """Two seconds, on a machine that has nothing else to do; in proportion on a busy one."""
    return 2.0 * patience()


@pytest.fixture
def streaming(house: House) -> Iterator[PtyApp]:
    """An app in the middle of an answer, with text in its prompt; SIGHUP does not reach it."""
    house.seed()
    with PtyApp(house.folder, deaf_to=(signal.SIGHUP,)) as app:
        talk(app)
        yield app


def talk(app: PtyApp) -> None:
    app.wait_for("demo/scripted")
    app.send(b"hello\r")
    app.wait_for("stops")
    app.send(b"\x1b[200~half a thought\x1b[201~")
    app.wait_for("half a thought")


def stored(house: House) -> tuple[list[tuple[str, str]], list[str]]:
    with closing(sqlite3.connect(house.folder / "smriti.db")) as database:
        turns = database.execute("SELECT role, status FROM turn ORDER BY sequence_number")
        unsent = database.execute("SELECT text FROM unsent")
        return list(turns), [row[0] for row in unsent]


KEPT = ([("user", "complete"), ("assistant", "stopped")], ["half a thought"])


def test_a_signal_ends_it_in_time_with_everything_kept(house: House, streaming: PtyApp) -> None:
    os.kill(streaming.pid, signal.SIGTERM)
    seconds, code = streaming.ended_after()
    assert seconds < limit_s()
    assert code == 128 + signal.SIGTERM
    assert stored(house) == KEPT
    assert streaming.is_given_back()
    assert b"Traceback" not in streaming.output


def test_a_terminal_that_goes_away_without_a_signal_ends_it_in_time(
    house: House, streaming: PtyApp
) -> None:
    streaming.hang_up()
    seconds, code = streaming.ended_after(deaf=True)
    assert seconds < limit_s()
    assert code == 129
    assert stored(house) == KEPT


def test_a_terminal_that_takes_nothing_any_more_does_not_hold_it(
    house: House, streaming: PtyApp
) -> None:
    """As over a connection that hangs: nobody reads what it writes."""
    time.sleep(2.5)
    os.kill(streaming.pid, signal.SIGTERM)
    seconds, code = streaming.ended_after(deaf=True)
    assert seconds < limit_s()
    assert code == 128 + signal.SIGTERM
    assert stored(house) == KEPT


def test_quitting_in_the_middle_of_an_answer_asks_and_then_ends_in_time(
    house: House, streaming: PtyApp
) -> None:
    streaming.send(b"\x11")
    streaming.wait_for("still running")
    streaming.send(b"y")
    seconds, code = streaming.ended_after()
    assert seconds < limit_s()
    assert code == 0
    assert stored(house) == KEPT
    assert streaming.is_given_back()


def test_a_provider_that_hangs_in_its_answer_holds_nothing_and_leaves_no_child(
    house: House,
) -> None:
    house.seed()
    with FakeLLMServer() as server:
        env = {
            **wire_environ(server),
            "SMRITI_CHAT_MODEL": "openai/stall",
            "SMRITI_TIMEOUT_S": "60",
        }
        with PtyApp(house.folder, env=env) as app:
            app.wait_for("openai/stall")
            app.send(b"hello\r")
            app.wait_for("2 assistant", 90)
            server.wait_for(lambda requests: bool(requests), 60)
            app.read(1.0)
            below = children(app.pid)
            assert below
            app.hang_up()
            seconds, _ = app.ended_after(deaf=True)
            assert seconds < limit_s()
            end = time.monotonic() + 1.0 * patience()
            while any(map(alive, below)) and time.monotonic() < end:
                time.sleep(0.02)
            assert [pid for pid in below if alive(pid)] == []
    (_, answer), _ = stored(house)
    assert answer == ("assistant", "stopped")


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
def test_a_tmux_session_that_is_killed_takes_the_program_with_it(house: House) -> None:
    house.seed()
    socket = str(house.folder / "tmux")
    environ = {
        **os.environ, "HOME": str(house.folder), "SMRITI_HOME": str(house.folder),
        "SMRITI_CHAT_MODEL": "demo/scripted", "TMUX": "",
    }  # fmt: skip

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", socket, "-f", "/dev/null", *words]
        done = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip()

    tmux("new", "-d", "-s", "it", "-x", "100", "-y", "30", f"{sys.executable} -m smriti_tui")
    try:
        pid = int(tmux("list-panes", "-t", "it", "-F", "#{pane_pid}"))
        end = time.monotonic() + 20 * patience()
        while "demo/scripted" not in tmux("capture-pane", "-p", "-t", "it"):
            assert time.monotonic() < end
            time.sleep(0.1)
        tmux("send-keys", "-t", "it", "half a thought")
        while "half a thought" not in tmux("capture-pane", "-p", "-t", "it"):
            assert time.monotonic() < end
            time.sleep(0.1)
        tmux("kill-session", "-t", "it")
        end = time.monotonic() + limit_s()
        while alive(pid) and time.monotonic() < end:
            time.sleep(0.02)
        assert not alive(pid)
    finally:
        tmux("kill-server")
    assert stored(house)[1] == ["half a thought"]


def test_the_first_choice_of_the_first_start_opens_the_demo(tmp_path: Path) -> None:
    with PtyApp(tmp_path) as app:
        app.wait_for("Look around")
        app.send(b"1")
        app.wait_for("search-index")
        app.send(b"\x11")
        assert app.ended_after()[1] == 0
        assert app.is_given_back()
        assert not (tmp_path / "smriti.db").exists()
