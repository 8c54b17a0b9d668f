"""Backups that are made while others write hold all that was acknowledged before, and are sound."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calling import Cli

WRITER = "\n".join((
    "import sys",
    "from smriti_tui.bootstrap import open_services",
    "from smriti_tui.config.settings import load_config",
    "from smriti_tui.services.logs import NewEvent",
    "with open_services(load_config(), 'cli') as services:",
    "    while True:",
    "        done = services.log.append(sys.argv[1], [NewEvent('n', {'text': 'x' * 2000})] * 3)",
    "        print(done[-1].version, flush=True)",
))  # fmt: skip


def writing(cli: Cli, stream: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, stream]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=cli.environment(), cwd=cli.cwd
    )


def backed_up(cli: Cli, times: int) -> None:
    cli.space()
    writers = [writing(cli, f"writer.{number}") for number in range(3)]
    try:
        for number in range(times):
            told = [int(writer.stdout.readline()) for writer in writers if writer.stdout]
            copy = cli.cwd / f"copy{number}.db"
            cli.ok("db", "backup", str(copy))
            assert_holds(cli, copy, told)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert cli.ok("log", "verify")["ok"]


def assert_holds(cli: Cli, copy: Path, told: list[int]) -> None:
    """It is restored by being used: checked, proved, and written to."""
    assert len(told) == 3
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert cli.ok("db", "check", "--db", str(copy))["faults"] == []
    assert cli.ok("log", "verify", "--db", str(copy))["ok"]
    found = cli.ok("log", "streams", "--db", str(copy))["streams"]
    versions = {each["stream"]: each["version"] for each in found}
    for number, version in enumerate(told):
        held = versions[f"writer.{number}"]
        assert held >= version
        assert held % 3 == 0, "half a batch"
    assert cli.fails(4, "db", "backup", str(copy))["code"] == "exists"
    cli.ok("log", "append", "notes", "restored", "--db", str(copy))


def test_backups_under_load_are_whole(cli: Cli) -> None:
    backed_up(cli, 2)


@pytest.mark.soak
def test_many_backups_under_load_are_whole(cli: Cli) -> None:
    backed_up(cli, 20)
