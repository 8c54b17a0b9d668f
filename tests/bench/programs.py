"""Programs as a user starts them: timed from outside, in a home of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
SCRIPTS = Path(sys.executable).parent


class Failed(Exception):
    """A program did not do what was to be measured."""


def script(name: str) -> str:
    """An installed program of this environment."""
    return str(SCRIPTS / name)


def home_environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment with `home` in place of its own and no setting of Smriti's.

    Byte code may be written, as on a user's machine.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SMRITI_", "XDG_", "TEXTUAL"))
        and name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONPYCACHEPREFIX")
    }
    return {
        **kept,
        "HOME": str(home),
        "SMRITI_HOME": str(home / ".smriti"),
        "SMRITI_ACTOR": "ada",
        "SMRITI_CHAT_MODEL": "demo/scripted",
        **(more or {}),
    }


def run_ms(command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> float:
    """Runs a program to its end; wall time from start to exit.

    Raises:
        Failed: it ended with another code than 0.
    """
    began = time.perf_counter()
    done = subprocess.run(
        command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    took = (time.perf_counter() - began) * 1e3
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip()[-300:]
        raise Failed(f"{' '.join(command[:4])} ended with {done.returncode}: {words}")
    return took
