"""`smriti-tui --export` and `smriti export` as processes: bytes, exit codes, no app."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from smriti_tui.services.demo import seed_demo
from tests.support import opened_services

pytestmark = pytest.mark.contract

TUI, CLI = "smriti_tui.cli.launch", "smriti_tui.cli.main"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    with opened_services(folder) as services:
        seed_demo(services)
    return folder


def _environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    # No UTF-8 anywhere: output must not depend on it.
    return {**kept, "HOME": str(home), "SMRITI_HOME": str(home), "LC_ALL": "C", "PYTHONUTF8": "0"}


def _run(home: Path, module: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, env=_environment(home), capture_output=True, timeout=60)


def test_both_programs_print_what_a_file_gets(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "STATE.md"
    written = _run(home, TUI, "--export", str(target), "--space", "search-index")
    assert (written.returncode, written.stdout) == (0, b"")
    assert written.stderr.decode().startswith(str(target))
    printed = _run(home, TUI, "search-index", "--export", "-")
    assert (printed.returncode, printed.stderr) == (0, b"")
    other = _run(home, CLI, "export", "--space", "search-index")
    assert target.read_bytes() == printed.stdout == other.stdout
    assert "स्मृति".encode() in printed.stdout


def test_export_imports_no_textual_and_help_nothing_heavy(home: Path) -> None:
    script = (
        "import sys\n"
        "from smriti_tui.cli.launch import main\n"
        "code = main(sys.argv[1:])\n"
        "heavy = {'textual', 'litellm', 'mcp', 'sqlmodel', 'pydantic_settings'}\n"
        "print(code, *sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )

    def loaded(*words: str) -> list[str]:
        command = [sys.executable, "-c", script, *words]
        told = subprocess.run(command, env=_environment(home), capture_output=True, timeout=60)
        return told.stderr.decode().split()

    assert loaded("--help") == ["0"]
    assert loaded("--export", "--all", "--quiet") == ["0", "pydantic_settings", "sqlmodel"]


def test_a_bundle_and_its_report(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "state"
    words = ("--export", str(target), "--space", "search-index", "--format", "bundle", "--json")
    first = _run(home, TUI, *words)
    report = json.loads(first.stdout)
    assert report == {"path": str(target), "format": "bundle", "files": 14, "removed": []}
    refused = _run(home, TUI, "--export", "--space", "search-index", "--format", "bundle")
    assert (refused.returncode, refused.stdout) == (2, b"")
    other = _run(home, TUI, "--export", str(home), "--all", "--format", "bundle")
    assert other.returncode == 4
    assert other.stderr.decode().startswith("error: ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--export",), 2),
        (("--export", "--space", "nowhere"), 3),
        (("--export", "--all", "--space", "search-index"), 2),
        (("--all",), 2),
        (("--demo", "--export"), 2),
        (("--export", "--space", "caf\udce9"), 2),
        ((), 2),
    ],
)
def test_exit_codes_and_one_line(home: Path, words: tuple[str, ...], code: int) -> None:
    told = _run(home, TUI, *words)
    assert (told.returncode, told.stdout) == (code, b"")
    (line,) = told.stderr.decode().splitlines()
    assert line.startswith("error: ")
    if not words:
        assert "smriti-tui --export" in line
        assert "`smriti` command" in line


def test_a_reader_that_leaves_ends_it_quietly(home: Path) -> None:
    command = f"{sys.executable} -m {CLI} export --all --format jsonl | head -c 10"
    told = subprocess.run(
        ["sh", "-c", command], env=_environment(home), capture_output=True, timeout=60
    )
    assert (told.returncode, told.stderr, len(told.stdout)) == (0, b"", 10)


def test_a_terminal_is_not_driven(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        services.spaces.create("Hostile", description="\x1b]0;title\x07 \x9b31m \u202e \x7f")
    main, end = pty.openpty()
    command = [sys.executable, "-m", CLI, "export", "--all", "--format", "jsonl"]
    with subprocess.Popen(command, env=_environment(tmp_path), stdout=end) as process:
        os.close(end)
        shown = b""
        while True:
            try:
                shown += (piece := os.read(main, 65536))
            except OSError:
                break
            if not piece:
                break
        assert process.wait(60) == 0
    os.close(main)
    text = shown.decode()
    assert not set(text) & set("\x1b\x07\x9b\u202e\x7f")
    first = json.loads(text.splitlines()[0])
    assert first["payload"]["description"] == "\x1b]0;title\x07 \x9b31m \u202e \x7f"
