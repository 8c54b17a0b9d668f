"""The terminal is given back whole on every way out, and a fault leaves words that can be read."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.ui.house import House
from tests.ui.pty_app import PtyApp, left_on, patience

FAULT = """
import sys, time
from smriti_tui.app import SmritiApp
from smriti_tui.__main__ import main
SmritiApp.action_help_quit = lambda self: {fault}
sys.argv = ["smriti-tui"]
sys.exit(main())
"""
KEY = "sk-proj-abcdefghijklmnop1234"
BROKEN = f"open('/nowhere/\\x1b]0;owned\\x07/{KEY}')"
FAULTS = {
    "handler": BROKEN,
    "thread": f"self.run_worker(lambda: {BROKEN}, thread=True)",
}


def unsent(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "smriti.db")) as database:
        return [row[0] for row in database.execute("SELECT text FROM unsent")]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_gives_the_terminal_back_and_says_where_its_report_is(
    house: House, name: str
) -> None:
    house.seed()
    env = {"MY_TOKEN": "hunter2hunter2"}
    with PtyApp(house.folder, script=FAULT.format(fault=FAULTS[name]), env=env) as app:
        app.wait_for("demo/scripted")
        app.send(b"half a thought")
        app.wait_for("half a thought")
        assert {b"1049", b"1003", b"1016", b"2004", b"2048"} <= left_on(app.output)
        app.send(b"\x03")
        assert app.ended_after()[1] == 1
        assert app.is_given_back()
        said = app.output.rpartition(b"\x1b[?25h")[2].decode()
    assert "FileNotFoundError" in said
    assert "What was typed is kept" in said
    assert "Traceback" not in said
    assert "\x1b]" not in said
    (report,) = (house.folder / "crash").iterdir()
    assert str(report) in said.replace("\r\n", "")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    text = report.read_text()
    assert "Traceback" in text
    assert "<lambda>" in text
    assert KEY not in text
    assert "\x1b" not in text
    assert unsent(house.folder) == ["half a thought"]


def test_a_loop_that_hangs_is_cut_off_and_the_terminal_given_back(house: House) -> None:
    house.seed()
    with PtyApp(house.folder, script=FAULT.format(fault="time.sleep(60)")) as app:
        app.wait_for("demo/scripted")
        app.send(b"\x03")
        app.read(0.3)
        os.kill(app.pid, signal.SIGTERM)
        seconds, code = app.ended_after()
        assert code == 128 + signal.SIGTERM
        assert seconds < 2 * patience()
        assert app.is_given_back()


def test_a_signal_before_the_first_frame_gives_the_terminal_back(house: House) -> None:
    with PtyApp(house.folder) as app:
        end = time.monotonic() + 20
        while b"\x1b[?1049h" not in app.output and time.monotonic() < end:
            app.read(0.01)
        os.kill(app.pid, signal.SIGINT)
        assert app.ended_after()[1] == 130
        assert app.is_given_back()


def test_stopped_and_brought_back_it_draws_everything_anew_in_the_size_of_now(
    house: House,
) -> None:
    house.seed()
    with PtyApp(house.folder) as app:
        app.wait_for("demo/scripted")
        app.send(b"half a thought\x1b")
        app.wait_for("i Write")
        app.send(b"\x1a")
        end = time.monotonic() + 10 * patience()
        while os.waitpid(app.pid, os.WUNTRACED | os.WNOHANG)[0] == 0:
            assert time.monotonic() < end
            app.read(0.02)
        app.read(0.1)
        assert app.is_given_back()
        app.resize(80, 24)
        os.kill(app.pid, signal.SIGCONT)
        app.wait_for("[3 Chat]")
        lines = app.text().split("\n")
        assert len(lines) == 24
        assert "half a thought" in app.text()
        assert "Commands" in lines[-1]
        # A stop that nobody could see coming: the modes of the terminal are set anew.
        os.kill(app.pid, signal.SIGSTOP)
        os.waitpid(app.pid, os.WUNTRACED)
        before = len(app.output)
        os.kill(app.pid, signal.SIGCONT)
        app.read(0.5 * patience())
        assert b"\x1b[?1049h" in app.output[before:]
        assert "half a thought" in app.text()
        app.send(b"\x11")
        assert app.ended_after()[1] == 0
        assert app.is_given_back()
