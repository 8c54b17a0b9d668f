"""Calling `smriti`: the installed script as a real process, or the same command line in here."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.cli.main import run_command
from smriti_tui.providers.demo import DemoModel

SCRIPT = Path(sys.executable).with_name("smriti")
CLOSED = "http://127.0.0.1:9"
"""A proxy where nothing listens: no call can leave this machine."""


@dataclass(frozen=True)
class Done:
    """What a command did."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def error(self) -> str:
        return self.err.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.text.splitlines()]


@dataclass
class Cli:
    """A home folder of its own, and commands that work in it."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    extra: dict[str, str] = field(default_factory=dict)
    place: str = ""
    """Below the project's folder: where commands are given."""

    @property
    def database(self) -> Path:
        return self.folder / "home" / ".smriti" / "smriti.db"

    @property
    def cwd(self) -> Path:
        return self.folder / "project" / self.place

    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "SMRITI_ACTOR": "ada",
            "SMRITI_CHAT_MODEL": "demo/scripted",
            "HTTP_PROXY": CLOSED,
            "HTTPS_PROXY": CLOSED,
            "NO_PROXY": "127.0.0.1",
            **self.extra,
        }

    def start(self, *arguments: str | bytes, **more: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(SCRIPT), *arguments],
            stdin=more.pop("stdin", subprocess.DEVNULL),
            stdout=more.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            cwd=more.pop("cwd", self.cwd),
            env=self.environment(),
            **more,
        )

    def run(self, *arguments: str | bytes, given: bytes = b"", **more: Any) -> Done:
        """As a process of its own."""
        process = self.start(*arguments, stdin=subprocess.PIPE, **more)
        out, err = process.communicate(given, timeout=60)
        return Done(process.returncode, out, err)

    def hooked(self, command: str) -> Done:
        """What a hook's command prints in a shell, tried again where a busy machine left the brief
        out, as the command must after 2.5 seconds."""
        for _ in range(6):
            done = subprocess.run(
                ["/bin/sh", "-c", command], capture_output=True, cwd=self.cwd,
                env=self.environment(), timeout=30, check=False,
            )  # fmt: skip
            if b"took too long" not in done.stderr:
                break
        return Done(done.returncode, done.stdout, done.stderr)

    def call(self, *arguments: str, given: bytes = b"") -> Done:
        """In this process, with streams, folder and environment of its own."""
        out, err = io.BytesIO(), io.BytesIO()
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8"))
            patch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding="utf-8"))
            patch.setattr(os, "environ", dict(self.environment()))
            patch.setattr(DemoModel.__init__, "__defaults__", (0,))  # no pause between its words
            patch.chdir(self.cwd)
            code = run_command(arguments)
            found = Done(code, out.getvalue(), err.getvalue())
        return found

    def ok(self, *arguments: str, given: bytes = b"") -> Any:
        """The JSON document of a command that must succeed."""
        done = self.call(*arguments, "--json", given=given)
        assert done.code == 0, done.error
        return done.json

    def fails(self, code: int, *arguments: str, given: bytes = b"") -> Any:
        """The error object of a command that must fail with `code`, in the one form of errors."""
        done = self.call(*arguments, "--json", given=given)
        assert done.code == code, (done.code, done.text, done.error)
        error = done.json["error"]
        assert set(error) == {"code", "message", "hint", "details"}
        assert errors(done.error) == [f"error: {error['message']} {error['hint']}".strip()]
        return error

    # ---- what many tests begin with ------------------------------------------------------------

    def space(self, name: str = "Search") -> str:
        return str(self.ok("space", "create", name)["id"])

    def session(self, space: str = "Search") -> str:
        return str(self.ok("session", "new", space)["id"])

    def checkpoint(self, space: str, content: Mapping[str, object], *more: str) -> Any:
        given = json.dumps(content).encode()
        return self.ok("checkpoint", "create", space, "-", *more, given=given)


def errors(text: str) -> list[str]:
    """The error lines among the talk on standard error."""
    return [line for line in text.splitlines() if line.startswith("error: ")]


def ids(documents: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(document["id"]) for document in documents]
