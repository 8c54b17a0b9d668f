"""The one way to call git: bounded in time and output, deaf to the repository's own programs.

A repository may be hostile: its hooks and its file-system monitor do not run, nothing asks for a
password, no pager starts, and what the caller names can never be an option. Filters that a
repository's own settings name do run: git has no way to leave them out.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import GitError

LIMIT_S = 30.0
MOST_BYTES = 32 * 1024 * 1024
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
) -> Done:
    """Runs git in a folder, whatever its exit code.

    The whole process group is killed when time runs out, so that nothing it started goes on.

    Raises:
        GitError: there is no git (code `git_missing`), it took longer than `limit_s` (`git_late`),
            it cannot be started there or prints more than is read (`git`).
    """
    git = shutil.which("git")
    if git is None:
        raise GitError("There is no git on this machine.", "Install it.", code="git_missing")
    command = [git, *_SAFE, "-C", os.fspath(folder), *arguments]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if given else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environ(environ or {}),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        raise GitError(f"git cannot be started in {folder}: {error}.") from error
    try:
        out, err = _collect(process, given, time.monotonic() + limit_s)
        code = process.wait(timeout=1)
    except subprocess.TimeoutExpired as error:
        raise GitError(
            f"git took longer than {limit_s:g} s in {clean_line(os.fspath(folder))}.",
            "Look at the repository; its disk may hang.",
            code="git_late",
        ) from error
    finally:
        _put_down(process)
    return Done(code, out, err)


def must(folder: Path | str, *arguments: str, limit_s: float = LIMIT_S, **more: object) -> Done:
    """As `run`, where anything but exit code 0 is an error. Raises: GitError, with git's words."""
    done = run(folder, *arguments, limit_s=limit_s, **more)  # type: ignore[arg-type]
    if done.code != 0:
        what = next((each for each in arguments if not each.startswith("-")), "git")
        raise GitError(f"git {what} failed in {clean_line(os.fspath(folder))}: {done.why}.")
    return done


def _environ(more: Mapping[str, str]) -> dict[str, str]:
    own = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**own, **_QUIET, **more}


def _collect(
    process: subprocess.Popen[bytes], given: bytes | None, deadline: float
) -> tuple[bytes, bytes]:
    """Both outputs, until both are closed. Raises: TimeoutExpired. GitError: too much of it."""
    found: dict[IO[bytes], bytearray] = {}
    with selectors.DefaultSelector() as waiting:
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            found[pipe] = bytearray()
            waiting.register(pipe, selectors.EVENT_READ)
        if given:
            _feed(process, given)
        while waiting.get_map():
            left = deadline - time.monotonic()
            ready = waiting.select(left) if left > 0 else []
            if not ready:
                raise subprocess.TimeoutExpired(process.args, left)
            for key, _ in ready:
                pipe = next(each for each in found if each.fileno() == key.fd)
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    waiting.unregister(pipe)
                found[pipe] += chunk
                if len(found[pipe]) > MOST_BYTES:
                    raise GitError(f"git printed more than {MOST_BYTES:,} bytes.")
    out, err = found.values()
    return bytes(out), bytes(err)


def _feed(process: subprocess.Popen[bytes], given: bytes) -> None:
    """Small inputs only: they fit the pipe before git reads."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(given)
        process.stdin.close()


def _put_down(process: subprocess.Popen[bytes]) -> None:
    """Nothing of it is left, whether it ended or not."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
