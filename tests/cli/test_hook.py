"""The session-start hook: the brief as fast as `smriti state`; it never fails, and never keeps its
host waiting."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from smriti_tui.cli import hook
from tests.cli.calling import Cli, Done
from tests.git.repository import repository

HOST_WAITS_S = 3.0
BUSY_MACHINE_S = 2.0
HOOK = ("state", "--compact", "--hook")


@pytest.fixture
def attached(cli: Cli) -> Cli:
    """A project with a checkpoint, a claim, and a git that can be told to hang."""
    repository(cli.cwd)
    cli.call("init", "Search")
    cli.checkpoint("Search", {"title": "one", "decisions": ["Use FTS5"]})
    cli.call("claim", "create", "--scope", "load test")
    cli.call("worktree", "open")
    return cli


def hook_command(cli: Cli) -> str:
    settings = json.loads((cli.cwd / ".claude" / "settings.json").read_text())
    command: str = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    return command


def hanging(cli: Cli, name: str) -> Path:
    """A named pipe that nobody writes: whoever opens it waits."""
    path = cli.folder / name
    os.mkfifo(path)
    return path


def impatient(cli: Cli, before: str = "") -> Done:
    """The hook with less patience, so that a test does not take as long."""
    script = (
        "import sys; from smriti_tui.cli import hook, state; hook.LIMIT_S = 0.6\n"
        f"{before}\n"
        "from smriti_tui.cli.main import run_command\n"
        f"sys.exit(run_command({list(HOOK)}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, cwd=cli.cwd, env=cli.environment(),
        timeout=30, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def test_the_hook_command_runs_in_a_shell_and_prints_the_brief(attached: Cli) -> None:
    cli = attached
    command = hook_command(cli)
    done = cli.hooked(command)
    assert (done.code, done.err) == (0, b"")
    assert done.out.startswith(b"# Search")
    assert b"load test" in done.out
    assert shlex.split(command)[0] == str(Path(sys.executable).with_name("smriti"))


def test_a_git_that_hangs_costs_what_it_says_and_nothing_else(attached: Cli) -> None:
    cli = attached
    slow = cli.folder / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (slow / "git").chmod(0o755)
    cli.extra = {"PATH": f"{slow}:{os.environ['PATH']}"}
    began = time.monotonic()
    done = cli.run(*HOOK)
    took = time.monotonic() - began
    assert hook.LIMIT_S < HOST_WAITS_S
    assert took < HOST_WAITS_S + BUSY_MACHINE_S
    assert done.code == 0
    assert done.text.startswith("# Search")
    assert "Use FTS5" in done.text
    assert "load test" in done.text
    assert "git took too long" in done.error


@pytest.mark.parametrize("variable", ["SMRITI_ENV_FILE", "SMRITI_CONFIG"])
def test_a_file_that_hangs_keeps_nobody_waiting(attached: Cli, variable: str) -> None:
    attached.extra = {variable: str(hanging(attached, "pipe"))}
    done = impatient(attached)
    assert (done.code, done.text) == (0, "")
    assert "took too long and was left out" in done.error


def test_a_database_that_hangs_keeps_nobody_waiting(attached: Cli) -> None:
    done = impatient(attached, "import time; state.resolve_space = lambda *_: time.sleep(60)")
    assert (done.code, done.text) == (0, "")
    assert "took too long and was left out" in done.error


def test_a_fault_of_the_program_is_told_and_fails_nobody(attached: Cli) -> None:
    done = impatient(attached, "state.resolve_space = lambda *_: {}['nothing']")
    assert (done.code, done.text) == (0, "")
    assert done.error


def test_the_hook_never_fails_its_host(cli: Cli) -> None:
    done = cli.call(*HOOK)
    assert (done.code, done.error) == (0, "")
    assert "Smriti has no state to show here" in done.text
    cli.database.parent.mkdir(parents=True, exist_ok=True)
    cli.database.write_bytes(b"no database at all" * 100)
    assert cli.call("state", "Search", "--hook").code == 0
    cli.extra = {"SMRITI_LOG": "loud"}
    done = cli.call(*HOOK)
    assert (done.code, "log.level" in done.text) == (0, True)


def test_an_output_that_takes_nothing_fails_nobody(attached: Cli) -> None:
    with Path("/dev/full").open("wb") as full:
        process = attached.start(*HOOK, stdout=full)
        process.communicate(timeout=30)
    assert process.returncode == 0
