"""The files of a folder that git would show: tracked ones, and new ones that are not ignored."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path

TIMEOUT_S = 3.0
_READ_BYTES = 1 << 16


def listed(root: Path, most: int) -> tuple[list[str], bool] | None:
    """Paths below `root`, relative to it with `/`, at most `most`, and whether there are more.

    None where git cannot tell: it is not there, `root` lies in no repository, or it took too long.
    Names that are no UTF-8 are left out. Takes no lock, so nobody else's git waits for it.
    """
    git = shutil.which("git")
    if git is None:
        return None
    command = [
        # A repository's own settings must not start a program here.
        git, "-c", "core.fsmonitor=false", "--no-optional-locks", "-C", os.fspath(root),
        "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate",
    ]  # fmt: skip
    environ = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env=environ,
        )  # fmt: skip
    except OSError:
        return None
    late = threading.Timer(TIMEOUT_S, process.kill)
    late.start()
    try:
        found, more = _names(process, most)
    finally:
        late.cancel()
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return (found, more) if more or process.returncode == 0 else None


def _names(process: subprocess.Popen[bytes], most: int) -> tuple[list[str], bool]:
    """The names it prints, read only as far as they are wanted."""
    assert process.stdout is not None
    found: list[str] = []
    rest = b""
    while chunk := process.stdout.read(_READ_BYTES):
        *whole, rest = (rest + chunk).split(b"\0")
        for raw in whole:
            try:
                found.append(raw.decode())
            except UnicodeDecodeError:
                continue
            if len(found) > most:
                return found[:most], True
    process.wait()
    return found, False
