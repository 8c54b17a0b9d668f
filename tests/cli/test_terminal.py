"""A person at a terminal, and streams that are closed or full."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time

import pytest

from tests.cli.calling import SCRIPT, Cli


class Terminal:
    """A command whose standard streams are a terminal."""

    def __init__(self, cli: Cli, *arguments: str) -> None:
        self.main, side = pty.openpty()
        environment = {**cli.environment(), "TERM": "xterm"}
        self.process = subprocess.Popen(
            [str(SCRIPT), *arguments],
            cwd=cli.cwd,
            env=environment,
            pass_fds=(side,),
            preexec_fn=lambda: os.login_tty(side),
        )
        os.close(side)
        self.seen = b""

    def wait_for(self, text: bytes, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end and self._read():
            pass
        assert text in self.seen, self.seen

    def _read(self) -> bool:
        if not select.select([self.main], [], [], 0.1)[0]:
            return True
        try:
            piece = os.read(self.main, 4096)
        except OSError:  # the other side is closed
            return False
        self.seen += piece
        return bool(piece)

    def type(self, text: bytes) -> None:
        os.write(self.main, text)

    def end(self) -> int:
        deadline = time.monotonic() + 20
        while self._read() and time.monotonic() < deadline:
            if self.process.poll() is not None and not select.select([self.main], [], [], 0)[0]:
                break
        if self.process.poll() is None and time.monotonic() >= deadline:
            self.process.kill()
        os.close(self.main)
        return self.process.wait(20)


@pytest.mark.parametrize(
    ("typed", "code", "left"),
    [(b"yes\n", 0, 0), (b"no\n", 7, 1), (b"\x04", 7, 1), (b"\x03", 130, 1)],
)
def test_deleting_asks_on_a_terminal(cli: Cli, typed: bytes, code: int, left: int) -> None:
    cli.space()
    terminal = Terminal(cli, "space", "delete", "Search")
    terminal.wait_for(b"Type yes to do it: ")
    terminal.type(typed)
    assert terminal.end() == code
    assert len(cli.ok("space", "list")["spaces"]) == left


def test_nothing_waits_for_input_that_nobody_said_is_needed(cli: Cli) -> None:
    cli.space()
    for arguments in (
        ("checkpoint", "create", "Search"),
        ("chat", "send", "--session", cli.session()),
    ):
        terminal = Terminal(cli, *arguments)
        assert terminal.end() == 2
        assert b"\x1b[1;31merror:\x1b[0m There is no " in terminal.seen


def test_colours_are_for_terminals_that_want_them(cli: Cli) -> None:
    terminal = Terminal(cli, "space", "show", "nope", "--no-color")
    assert terminal.end() == 3
    assert b"\x1b" not in terminal.seen
    cli.extra["NO_COLOR"] = "1"
    terminal = Terminal(cli, "space", "show", "nope")
    assert terminal.end() == 3
    assert b"\x1b" not in terminal.seen


def shell(cli: Cli, line: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**cli.environment(), "S": str(SCRIPT)}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, env=environment, cwd=cli.cwd, timeout=60
    )


def test_a_full_output_is_an_error_and_a_closed_one_is_not(cli: Cli) -> None:
    full = shell(cli, '"$S" space list --json >/dev/full')
    assert (full.returncode, full.stderr) == (
        1,
        b"error: Standard output cannot be written: No space left on device. What the command "
        b"wrote to the database stands.\n",
    )
    closed = shell(cli, '"$S" space create A >&- 2>&- <&-; echo $?')
    assert closed.stdout == b"0\n"
    assert cli.ok("log", "verify")["ok"] is True
    assert len(cli.ok("space", "list")["spaces"]) == 1


def test_an_error_keeps_its_exit_code_when_nobody_reads(cli: Cli) -> None:
    done = shell(cli, '("$S" space show nope --json; echo $? >code) | true; cat code')
    assert done.stdout == b"3\n"
    assert done.stderr.startswith(b"error: There is no Space 'nope'.")


def test_help_is_utf8_in_any_locale(cli: Cli) -> None:
    cli.extra |= {"PYTHONIOENCODING": "ascii", "LANG": "C"}
    cli.ok("space", "create", "日本語")
    done = cli.run("space", "list")
    assert (done.code, done.err) == (0, b"")
    assert "日本語" in done.text
    assert cli.run("log", "append", "-h").code == 0
