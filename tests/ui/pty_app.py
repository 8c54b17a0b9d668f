"""The program in a terminal of its own: every byte it writes, what they switched on, and what is
left of it afterwards."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

import pyte

from tests.bench.terminal import ANSWERS, STRIP

ROOT = Path(__file__).resolve().parents[2]
START_S = 30.0
COLUMNS, LINES = 100, 30
DROPPED = ("TMUX", "STY", "LINES", "COLUMNS", "NO_COLOR", "SSH_CONNECTION", "SSH_TTY", "DISPLAY")
RESIZES = (ANSWERS[4][0], "\x1b[?2048;2$y")
"""It tells its size, and the mouse's place in pixels."""
MODES = re.compile(rb"\x1b\[\?([0-9;]+)([hl])|\x1b\[(>[0-9]*|<)u|\x1b\[0?m")
USUAL = {b"7", b"25"}
"""Modes that are on in a terminal of which nobody wants anything."""


def patience() -> float:
    """One second on a machine that has nothing else to do; in proportion on a busy one."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def left_on(output: bytes) -> set[bytes]:
    """The modes that are not as a shell expects them after these bytes."""
    on, keyboard = set(USUAL), 0
    for found in MODES.finditer(output):
        for mode in (found[1] or b"").split(b";"):
            if found[2] == b"h":
                on.add(mode)
            elif found[2] == b"l":
                on.discard(mode)
        if found[3]:
            keyboard = max(0, keyboard + (1 if found[3].startswith(b">") else -1))
    return on ^ USUAL | ({b"keyboard"} if keyboard else set())


def children(pid: int) -> list[int]:
    """The processes that a process has started, with theirs."""
    below: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                below += [int(entry.name), *children(int(entry.name))]
    return below


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class PtyApp:
    """The program on a pseudo-terminal of a modern kind, which answers what it is asked."""

    def __init__(
        self,
        folder: Path,
        *,
        script: str | None = None,
        env: Mapping[str, str] | None = None,
        deaf_to: tuple[signal.Signals, ...] = (),
    ) -> None:
        """`script` is Python that prepares a fault and then calls `main()`; `deaf_to` are signals
        that do not reach the program."""
        self.folder = folder
        environ = {
            **{name: value for name, value in os.environ.items() if name not in DROPPED},
            "HOME": str(folder), "SMRITI_HOME": str(folder), "TERM": "xterm-256color",
            "SMRITI_CHAT_MODEL": "demo/scripted", "SMRITI_ACTOR": "ada", "LC_ALL": "C.UTF-8",
            **(env or {}),
        }  # fmt: skip
        command = [sys.executable, "-m", "smriti_tui"]
        if script is not None:
            command = [sys.executable, "-c", script]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            signal.pthread_sigmask(signal.SIG_BLOCK, deaf_to)
            os.execve(command[0], command, environ)
        self.before = termios.tcgetattr(self.fd)
        self.output = b""
        self._answered = 0
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._closed = False

    def __enter__(self) -> PtyApp:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pid in (*children(self.pid), self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.hang_up()

    def hang_up(self) -> None:
        """Closes the window."""
        if not self._closed:
            self._closed = True
            os.close(self.fd)

    def send(self, keys: bytes) -> None:
        os.write(self.fd, keys)

    def resize(self, columns: int, lines: int) -> None:
        """Another size; the program learns of it when it looks."""
        self._screen.resize(lines, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds: float) -> None:
        """Takes what is written for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], min(left, 0.05))[0]:
                continue
            try:
                piece = os.read(self.fd, 65536)
            except OSError:
                return
            self.output += piece
            self._stream.feed(STRIP.sub("", piece.decode("utf-8", "replace")).encode())
            self._answer()

    def _answer(self) -> None:
        text = self.output[self._answered :].decode("utf-8", "replace")
        self._answered = len(self.output)
        for question, answer in (*ANSWERS[:4], RESIZES, *ANSWERS[5:]):
            for _ in question.finditer(text):
                self.send(answer.encode())

    def wait_for(self, words: str, seconds: float = START_S) -> None:
        """Waits until some words stand on the screen."""
        self.wait_until(lambda: words in self.text(), seconds)

    def wait_until(self, holds: Callable[[], bool], seconds: float = START_S) -> None:
        """Takes what is written until something holds."""
        end = time.monotonic() + seconds * patience()
        while not holds():
            assert time.monotonic() < end, f"it did not come:\n{self.text()}"
            self.read(0.05)

    def text(self) -> str:
        """The screen as it stands."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def ended_after(self, *, deaf: bool = False) -> tuple[float, int]:
        """Seconds until the process is gone, and its exit code."""
        start = time.monotonic()
        while time.monotonic() - start < 10 * patience():
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                if not deaf:
                    self.read(0.1)
                return time.monotonic() - start, os.waitstatus_to_exitcode(status)
            if deaf:
                time.sleep(0.01)
            else:
                self.read(0.02)
        raise AssertionError(f"it did not end:\n{self.text()}")

    def is_given_back(self) -> bool:
        """Whether modes and line discipline are as they were."""
        return left_on(self.output) == set() and termios.tcgetattr(self.fd) == self.before
