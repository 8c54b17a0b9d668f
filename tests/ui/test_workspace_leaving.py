"""The app in a terminal of its own: every way to end it, in the middle of an answer."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import sqlite3
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.ui.house import House

START_S = 20.0
ROOT = Path(__file__).resolve().parents[2]


def limit_s() -> float:
    """Two seconds, on a machine that has nothing else to do; in proportion on a busy one."""
    return 2.0 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


class Terminal:
    """A child on a pseudo-terminal, and what it wrote."""

    def __init__(self, folder: Path) -> None:
        environ = {
            **os.environ, "HOME": str(folder), "SMRITI_HOME": str(folder), "TERM": "xterm-256color",
            "SMRITI_CHAT_MODEL": "demo/scripted", "SMRITI_ACTOR": "ada",
        }  # fmt: skip
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execve(sys.executable, [sys.executable, "-m", "smriti_tui"], environ)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.output = b""

    def read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.fd], [], [], min(left, 0.05))[0]:
                with contextlib.suppress(OSError):
                    self.output += os.read(self.fd, 65536)

    def wait_for(self, words: bytes) -> None:
        end = time.monotonic() + START_S
        while words not in self.output:
            assert time.monotonic() < end, self.output[-400:]
            self.read(0.05)

    def ended_after(self, *, deaf: bool) -> tuple[float, int]:
        """Seconds until the process is gone, and its exit code."""
        start = time.monotonic()
        while time.monotonic() - start < 10:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return time.monotonic() - start, os.waitstatus_to_exitcode(status)
            if deaf:
                time.sleep(0.02)
            else:
                self.read(0.02)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        pytest.fail("it did not end")


@pytest.fixture
def streaming(house: House) -> Iterator[Terminal]:
    """An app in the middle of an answer, with text in its prompt."""
    house.seed()
    terminal = Terminal(house.folder)
    terminal.wait_for(b"demo/scripted")
    os.write(terminal.fd, b"hello\r")
    terminal.wait_for(b"stops")
    os.write(terminal.fd, b"\x1b[200~half a thought\x1b[201~")
    terminal.wait_for(b"half a thought")
    yield terminal
    with contextlib.suppress(OSError):
        os.close(terminal.fd)


def stored(house: House) -> tuple[list[tuple[str, str]], list[str]]:
    with closing(sqlite3.connect(house.folder / "smriti.db")) as database:
        turns = database.execute("SELECT role, status FROM turn ORDER BY sequence_number")
        unsent = database.execute("SELECT text FROM unsent")
        return list(turns), [row[0] for row in unsent]


KEPT = ([("user", "complete"), ("assistant", "stopped")], ["half a thought"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_time_with_everything_kept(
    house: House, streaming: Terminal, number: signal.Signals
) -> None:
    os.kill(streaming.pid, number)
    seconds, code = streaming.ended_after(deaf=False)
    assert seconds < limit_s()
    assert code == 128 + number
    assert stored(house) == KEPT
    assert b"Traceback" not in streaming.output


def test_a_terminal_that_goes_away_ends_it_in_time(house: House, streaming: Terminal) -> None:
    os.close(streaming.fd)
    seconds, _ = streaming.ended_after(deaf=True)
    assert seconds < limit_s()
    assert stored(house) == KEPT


def test_quitting_in_the_middle_of_an_answer_asks_and_then_ends_in_time(
    house: House, streaming: Terminal
) -> None:
    os.write(streaming.fd, b"\x11")
    streaming.wait_for(b"still running")
    os.write(streaming.fd, b"y")
    seconds, code = streaming.ended_after(deaf=False)
    assert seconds < limit_s()
    assert code == 0
    assert stored(house) == KEPT
    assert b"Traceback" not in streaming.output


def test_the_first_choice_of_the_first_start_opens_the_demo(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    try:
        terminal.wait_for(b"Look around")
        os.write(terminal.fd, b"1")
        terminal.wait_for(b"search-index")
        os.write(terminal.fd, b"\x11")
        assert terminal.ended_after(deaf=False)[1] == 0
        assert b"Traceback" not in terminal.output
        assert not (tmp_path / "smriti.db").exists()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(terminal.pid, signal.SIGKILL)
