"""A program on a pseudo-terminal of our own: its screen, and when each piece of it came."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import queue
import re
import select
import signal
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import pyte

from tests.bench.programs import Failed

COLUMNS, LINES = 120, 36
CLOCK = time.perf_counter

# Sequences that pyte would draw as text, or does not understand.
STRIP: Final = re.compile(
    r"\x1b\[[<=>][0-9;:]*[ -/]*[@-~]"  # private CSI < = >
    r"|\x1b\[\??[0-9;:]*[\$\"' !*#&,][0-9;]*[@-~]"  # CSI with an intermediate
    r"|\x1b[_P^X][^\x1b\x07]*(?:\x1b\\|\x07)"  # APC DCS PM SOS
    r"|\x1b\[[0-9;]*:[0-9:;]*m"  # SGR with colons
    r"|\x1b\[[0-9;]*t"  # window reports
)
WHOLE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[_P^X][^\x1b\x07]*(?:\x1b\\|\x07)"
    r"|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])"
)
# What a terminal of today answers when it is asked.
ANSWERS: Final = (
    (re.compile(r"\x1b\[0?c"), "\x1b[?62;22c"),
    (re.compile(r"\x1b\[>0?c"), "\x1b[>1;4000;0c"),
    (re.compile(r"\x1b\[5n"), "\x1b[0n"),
    (re.compile(r"\x1b\[\?2026\$p"), "\x1b[?2026;2$y"),
    (re.compile(r"\x1b\[\?2048\$p"), "\x1b[?2048;0$y"),
    (re.compile(r"\x1b\]10;\?(?:\x07|\x1b\\)"), "\x1b]10;rgb:dddd/dddd/dddd\x1b\\"),
    (re.compile(r"\x1b\]11;\?(?:\x07|\x1b\\)"), "\x1b]11;rgb:1111/1111/1111\x1b\\"),
)


class Terminal:
    """Starts a command at once; `began` is the moment of that. Close it, or use it in `with`."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.Stream(self._screen)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._pieces: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        self.ended = False
        self.began = CLOCK()
        self.pid, self._fd = _spawn(command, env)
        # Drawing takes longer than receiving; the thread takes the time of each piece.
        sys.setswitchinterval(0.0005)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def text(self) -> str:
        """The screen, a line of text per line."""
        return "\n".join(self._screen.display)

    def send(self, keys: str) -> None:
        data = keys.encode()
        while data:
            select.select([], [self._fd], [], 5)
            data = data[os.write(self._fd, data) :]

    def pump(self, timeout_s: float) -> float | None:
        """Draws the next piece of output; the moment it came, None if there was none in time."""
        try:
            moment, piece = self._pieces.get(timeout=max(timeout_s, 0))
        except queue.Empty:
            return None
        if not piece:
            self.ended = True
            return None
        self._draw(piece)
        return moment

    def rest(self, quiet_s: float, limit_s: float = 5.0) -> None:
        """Until nothing came for `quiet_s`."""
        end = CLOCK() + limit_s
        while CLOCK() < end and self.pump(quiet_s) is not None:
            pass

    def wait(self, shown: str | Callable[[str], bool], timeout_s: float = 30.0) -> float:
        """The moment at which the piece came that made the screen show what is waited for: a
        regular expression, or a question about its text.

        Raises:
            Failed: it was not shown in time, or the program ended.
        """
        there = _searcher(shown) if isinstance(shown, str) else shown
        moment, end = CLOCK(), CLOCK() + timeout_s
        while not there(self.text()):
            came = self.pump(min(0.25, end - CLOCK()))
            if came is not None:
                moment = came
            elif self.ended or CLOCK() >= end:
                raise Failed(f"not shown: {shown}\n{self.text()}")
        return moment

    def close(self) -> None:
        """Ends the program, by force if it does not go."""
        for number, patience_s in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 2.0)):
            with contextlib.suppress(OSError):
                os.killpg(self.pid, number)
            end = CLOCK() + patience_s
            while CLOCK() < end:
                if self._gone():
                    self._reader.join(1.0)
                    with contextlib.suppress(OSError):
                        os.close(self._fd)
                    return
                self.pump(0.01)

    def _gone(self) -> bool:
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] != 0
        except ChildProcessError:
            return True

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._fd, 1 << 16)
            except OSError:
                piece = b""
            self._pieces.put((CLOCK(), piece))
            if not piece:
                return

    def _draw(self, piece: bytes) -> None:
        text = self._rest + self._decoder.decode(piece)
        self._rest = ""
        cut = text.rfind("\x1b", max(0, len(text) - 4096))
        if cut >= 0 and WHOLE.match(text, cut) is None:
            text, self._rest = text[:cut], text[cut:]
        for question, answer in ANSWERS:
            for _ in question.finditer(text):
                self.send(answer)
        self._stream.feed(STRIP.sub("", text))


def _searcher(pattern: str) -> Callable[[str], bool]:
    found = re.compile(pattern, re.DOTALL)
    return lambda text: found.search(text) is not None


def _spawn(command: Sequence[str], env: Mapping[str, str]) -> tuple[int, int]:
    full = {
        **env,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LC_ALL": "C.UTF-8",
        "LANG": "C.UTF-8",
    }
    for name in ("TMUX", "LINES", "COLUMNS", "NO_COLOR"):
        full.pop(name, None)
    pid, fd = pty.fork()
    if pid == 0:
        try:
            size = struct.pack("HHHH", LINES, COLUMNS, COLUMNS * 10, LINES * 20)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execve(command[0], list(command), full)
        finally:
            os._exit(127)
    return pid, fd
