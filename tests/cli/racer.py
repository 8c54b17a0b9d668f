"""A process that gives commands when it is told to: python -m tests.cli.racer.

A line of JSON in holds commands and when the first of them starts (monotonic); a line out what each
of them did. Standard input and output of the commands are their own.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple

Command = tuple[Sequence[str], str]
"""Its words, and what it reads."""


class Did(NamedTuple):
    """What a command did."""

    code: int
    document: Any


class Racer:
    """The test's end."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.racer"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(environ),
        )  # fmt: skip

    def __enter__(self) -> Racer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def start(self, at: float, commands: Sequence[Command]) -> None:
        """Has the commands given, the first at a moment."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"at": at, "commands": commands}) + "\n")
        self._process.stdin.flush()

    def did(self) -> list[Did]:
        """What they did."""
        assert self._process.stdout is not None
        return [Did(*each) for each in json.loads(self._process.stdout.readline())]


def _give(words: Sequence[str], given: str) -> tuple[int, Any]:
    from smriti_tui.cli.main import run_command

    out = io.BytesIO()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8")
    sys.stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    try:
        code = run_command([*words, "--json"])
        sys.stdout.flush()
        found = out.getvalue()  # Before the stream goes, and closes it.
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    return code, json.loads(found)


def main() -> None:
    answers = sys.stdout
    for line in sys.stdin:
        order = json.loads(line)
        while time.monotonic() < order["at"]:
            time.sleep(0.0005)
        did = [_give(words, given) for words, given in order["commands"]]
        answers.write(json.dumps(did) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
