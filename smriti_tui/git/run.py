"""The one way to call git: bounded in time and output, deaf to the repository's own programs.

A repository may be hostile: its hooks and its file-system monitor do not run, nothing asks for a
password, no pager starts, and what the caller names can never be an option. A read takes no lock
and reaches no network; what filters and merge drivers the repository itself names is told by
`foreign`, which also keeps them from running.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import GitError

LIMIT_S = 30.0
MOST_BYTES = 32 * 1024 * 1024
GRACE_S = 1.0
"""How long a git that writes may take to give its locks back, once its time is over."""
_LOOK_S = 0.05
"""How often a git is looked at whose pipe something else holds open."""
_CHUNK = 1 << 16
_SAFE = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
_QUIET = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GIT_EDITOR": "true",
}
_OFF_LINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
"""A partial clone would fetch what a read needs, by a program that its settings name."""


@dataclass(frozen=True)
class Done:
    """What git said; `out` may be any bytes."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """The output as text; what is no UTF-8 comes as lone surrogates, as in file names."""
        return self.out.decode(errors="surrogateescape")

    @property
    def why(self) -> str:
        """The first line of the complaint, cleaned."""
        lines = self.err.decode(errors="replace").strip().splitlines()
        return clean_line(lines[0].removeprefix("fatal: ").removeprefix("error: ")) if lines else ""


def run(
    folder: Path | str,
    *arguments: str,
    limit_s: float = LIMIT_S,
    environ: Mapping[str, str] | None = None,
    given: bytes | None = None,
    writes: bool = False,
) -> Done:
    """Runs git in a folder, whatever its exit code; `given` is its standard input.

    When time runs out the whole process group is killed, so that nothing it started goes on; one
    that `writes` may first take its locks away. What git leaves running behind a read is killed
    too, and is not waited for.

    Raises:
        GitError: there is no git (code `git_missing`), it took longer than `limit_s` (`git_late`),
            it cannot be started there or prints more than is read (`git`).
    """
    deadline = time.monotonic() + limit_s
    git = shutil.which("git")
    if git is None:
        raise GitError("There is no git on this machine.", "Install it.", code="git_missing")
    command = [git, *_SAFE, "-C", os.fspath(folder), *arguments]
    own = _environ({**({} if writes else _OFF_LINE), **(environ or {})})
    with _input(given) as source:
        try:
            process = subprocess.Popen(
                command,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=own,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            where = clean_line(os.fspath(folder))
            raise GitError(f"git cannot be started in {where}: {error}.") from error
    try:
        out, err = _collect(process, deadline)
        code = process.wait(timeout=max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired as error:
        raise GitError(
            f"git took longer than {limit_s:g} s in {clean_line(os.fspath(folder))}.",
            "Look at the repository; its disk may hang.",
            code="git_late",
        ) from error
    finally:
        _put_down(process, gently=writes)
    return Done(code, out, err)


def must(
    folder: Path | str,
    *arguments: str,
    limit_s: float = LIMIT_S,
    environ: Mapping[str, str] | None = None,
    given: bytes | None = None,
    writes: bool = False,
) -> Done:
    """As `run`, where anything but exit code 0 is an error. Raises: GitError, with git's words."""
    done = run(folder, *arguments, limit_s=limit_s, environ=environ, given=given, writes=writes)
    if done.code != 0:
        words = (each for each in arguments if not each.startswith("-") and "=" not in each)
        what = next(words, "git")
        why = done.why or f"it ended with {done.code}"
        raise GitError(f"git {what} failed in {clean_line(os.fspath(folder))}: {why}.")
    return done


@contextmanager
def _input(given: bytes | None) -> Iterator[IO[bytes] | int]:
    """A file, so that neither side waits for the other; nothing at all where none is given."""
    if given is None:
        yield subprocess.DEVNULL
        return
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        yield file


def _environ(more: Mapping[str, str]) -> dict[str, str]:
    own = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**own, **_QUIET, **more}


def _collect(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
    """Both outputs, until git has ended and nothing more comes.

    Raises: TimeoutExpired. GitError: too much of it.
    """
    found: dict[int, bytearray] = {}
    with selectors.DefaultSelector() as waiting, _end_of(process) as end:
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            found[pipe.fileno()] = bytearray()
            waiting.register(pipe, selectors.EVENT_READ)
        if end is not None:
            waiting.register(end, selectors.EVENT_READ)
        while waiting.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(process.args, left)
            ready = [key.fd for key, _ in waiting.select(min(left, _LOOK_S))]
            for fd in ready:
                if fd != end and not _read(fd, found[fd]):
                    waiting.unregister(fd)
            # Something else may hold a pipe open.
            if not set(ready) & found.keys() and process.poll() is not None:
                break
    out, err = found.values()
    return bytes(out), bytes(err)


def _read(fd: int, found: bytearray) -> bool:
    """Whether there may be more. Raises: GitError."""
    chunk = os.read(fd, _CHUNK)
    found += chunk
    if len(found) > MOST_BYTES:
        raise GitError(f"git printed more than {MOST_BYTES:,} bytes.", code="git_much")
    return bool(chunk)


@contextmanager
def _end_of(process: subprocess.Popen[bytes]) -> Iterator[int | None]:
    """What can be read once the process has ended; None where the system has no such thing."""
    try:
        end = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield end
    finally:
        os.close(end)


def _put_down(process: subprocess.Popen[bytes], *, gently: bool) -> None:
    """Nothing of it is left when it took too long; behind a read, nothing in any case."""
    running = process.poll() is None
    if running and gently:
        _signal(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=GRACE_S)
    if running or not gently:
        _signal(process, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(OSError):  # the group is empty
        os.killpg(process.pid, number)
