"""What scripts rely on, proved on the installed script as a process: bytes and exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from smriti_tui import __version__
from smriti_tui.cli.commands import COMMANDS
from smriti_tui.cli.main import cli as root
from tests.cli.calling import SCRIPT, Cli

LIGHT = """
import sys
from smriti_tui.cli.main import run_command
code = run_command(sys.argv[1:])
tops = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
mine = sorted(name for name in sys.modules if name.startswith("smriti_tui."))
others = tops - {"__main__", "click", "smriti_tui", "_virtualenv", "_distutils_hack"}
print(code, sorted(others) or "-", *mine, file=sys.stderr)
"""


def commands() -> list[tuple[str, click.Command]]:
    """Every command and group with its path."""
    found: list[tuple[str, click.Command]] = []
    for entry in COMMANDS:
        command = getattr(import_module(f"smriti_tui.cli.{entry.module}"), entry.attribute)
        found.append((entry.name, command))
        if isinstance(command, click.Group):
            found += [(f"{entry.name} {name}", each) for name, each in command.commands.items()]
    return found


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["-h"], []])
def test_help_and_version_import_click_alone(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, *arguments], capture_output=True, text=True, timeout=60
    )
    code, others, *mine = done.stderr.split()
    assert (code, others) == ("0", "-")
    assert not [name for name in mine if name.startswith(("smriti_tui.store", "smriti_tui.config"))]
    loaded = {name.rpartition(".")[2] for name in mine if name.startswith("smriti_tui.cli.")}
    assert loaded <= {"commands", "diagnostics", "main", "options", "output", "run"}


def test_the_version_on_one_line(cli: Cli) -> None:
    done = cli.run("--version")
    assert (done.code, done.out, done.err) == (0, f"smriti {__version__}\n".encode(), b"")


def test_the_table_of_commands_is_true() -> None:
    assert [entry.name for entry in COMMANDS] == root.list_commands(click.Context(root))
    for entry in COMMANDS:
        command = getattr(import_module(f"smriti_tui.cli.{entry.module}"), entry.attribute)
        assert isinstance(command, click.Command), entry
        assert command.name == entry.name or entry.name == "db"
        assert entry.help.endswith(".")
        assert len(entry.help) <= 60


@pytest.mark.parametrize(("path", "command"), commands(), ids=lambda value: str(value))
def test_every_command_has_help_with_an_example_and_the_shared_options(
    path: str, command: click.Command
) -> None:
    help_text = command.get_help(click.Context(command, info_name=path))
    assert command.help, path
    assert f"smriti {path.split()[0]}" in help_text
    assert "Example:" in help_text
    for option in ("--db", "--actor", "--json", "--quiet", "--no-color", "--version"):
        assert option in help_text, option
    names = {name for param in command.params for name in param.opts}
    assert ("--command-id" in names) == (path in WRITING), path


WRITING = {
    "space create", "space rename", "space set-project-root", "space archive", "space unarchive",
    "space delete", "session new", "session rename", "session title", "session pin",
    "session unpin", "session archive", "session unarchive", "session delete", "session attach",
    "chat send", "chat retry", "chat choose", "mount", "unmount", "checkpoint create",
    "checkpoint note", "checkpoint delete", "checkpoint review", "branch rename", "branch close",
    "fork", "merge", "log append", "claim create", "claim done", "claim abandon", "claim extend",
    "worktree open", "worktree close", "tracker add", "tracker set", "tracker archive",
    "log ingest",
}  # fmt: skip


def test_shared_options_stand_before_and_after_the_subcommand(cli: Cli, tmp_path: Path) -> None:
    cli.space()
    before = cli.call("--json", "space", "list")
    between = cli.call("space", "--json", "list")
    after = cli.call("space", "list", "--json")
    assert before.out == between.out == after.out
    assert before.json["spaces"][0]["name"] == "Search"
    other = str(tmp_path / "other.db")
    assert cli.call("--db", other, "--json", "space", "list").json == {"spaces": []}
    assert cli.call("space", "list", "--json", "--db", other).json == {"spaces": []}
    assert cli.call("whoami", "--actor", "zed").text.startswith("zed (flag)\nStore ")
    assert cli.call("--actor", "zed", "whoami").text.startswith("zed (flag)\nStore ")


def test_json_is_one_document_and_nothing_else_and_keys_are_always_there(cli: Cli) -> None:
    done = cli.run("space", "create", "Search", "--no-project-root", "--json")
    assert (done.code, done.err) == (0, b"")
    assert set(json.loads(done.out)) == {
        "id", "name", "description", "project_root", "checkpoints", "sessions", "archived",
        "created_at", "changed_at",
    }  # fmt: skip
    assert json.loads(done.out)["project_root"] is None
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", done.json["created_at"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nope"], "No such command 'nope'."),
        (["space", "nope"], "No such command 'nope'."),
        (["space"], "Missing command."),
        (["space", "create"], "Missing argument 'NAME'."),
        (["space", "list", "--nope"], "No such option '--nope'."),
        (["session", "turns", "3f9a", "--last", "x"], "'x' is not a valid integer"),
        (["space", "list", "--db", ""], "it is empty"),
        (["mount", "3f9a"], "Missing option '--session'."),
    ],
)
def test_a_usage_fault_is_one_line_and_exit_2(cli: Cli, arguments: list[str], says: str) -> None:
    done = cli.call(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith("error: ")
    assert done.error.count("\n") == 1
    assert says in done.error
    assert "-h`" in done.error
    assert cli.call("--json", *arguments).json["error"]["code"] == "usage"


def test_a_space_that_is_not_there_is_exit_3_with_a_hint(cli: Cli) -> None:
    done = cli.run("space", "show", "nowhere", "--json")
    assert done.code == 3
    assert done.error == "error: There is no Space 'nowhere'. `smriti space list` shows them all.\n"
    assert done.json["error"]["code"] == "not_found"


def test_arguments_that_are_not_utf8_are_named_by_byte(cli: Cli) -> None:
    done = cli.run(b"space", b"create", b"ok\xffno")
    assert (done.code, done.out) == (2, b"")
    assert done.error == "error: Argument 3 is not UTF-8 (byte 2). See `smriti -h`.\n"


def test_a_closed_pipe_ends_quietly(cli: Cli) -> None:
    for number in range(60):
        cli.call("log", "append", "noise", "made", json.dumps({"n": number, "pad": "x" * 2000}))
    reading, writing = os.pipe()
    process = cli.start("log", "read", "--all", stdout=writing)
    os.close(writing)
    assert os.read(reading, 10)
    os.close(reading)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, b"")


def test_a_pipe_that_is_closed_from_the_start_ends_quietly(cli: Cli) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = cli.start("--help", stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, b"")


def test_a_fault_of_the_program_leaves_a_log_without_keys_and_no_traceback(cli: Cli) -> None:
    cli.extra["OPENAI_API_KEY"] = "sk-canary-1234567890"
    broken = (
        "import sys\n"
        "import smriti_tui.cli.whoami as whoami\n"
        "def fail():\n"
        "    raise RuntimeError('odd sk-canary-1234567890 \\x1b[31m')\n"
        "whoami.whoami.callback = fail\n"
        "from smriti_tui.cli.main import run_command\n"
        "sys.exit(run_command(['whoami', '--json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", broken],
        capture_output=True,
        text=True,
        env=cli.environment(),
        cwd=cli.cwd,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: Smriti failed in a way it should not (RuntimeError).")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr + done.stdout
    assert "canary" not in done.stderr + done.stdout
    error = json.loads(done.stdout)["error"]
    log = Path(error["details"]["log"])
    assert (error["code"], log.parent) == ("unexpected", cli.database.parent / "logs")
    text = log.read_text(encoding="utf-8")
    assert "RuntimeError" in text
    assert "canary" not in text
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_arrived_and_exits_130(cli: Cli, told: signal.Signals) -> None:
    cli.space()
    session = cli.session()
    process = cli.start("chat", "send", "--session", session, "hello", bufsize=0)
    assert process.stdout is not None
    first = process.stdout.read(20)
    process.send_signal(told)
    rest, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.decode().splitlines()[-1] == (
        "error: Interrupted. Question 1 is stored, and what arrived of answer 2 is kept."
    )
    turns = cli.ok("session", "turns", session)["turns"]
    assert [turn["status"] for turn in turns] == ["complete", "stopped"]
    assert (first + rest).decode().rstrip("\n") == turns[1]["text"].rstrip("\n")


def test_told_to_end_in_the_background_of_a_shell_it_ends(cli: Cli) -> None:
    """There Ctrl-C is ignored; to be told to end is another thing."""
    cli.space()
    session = cli.session()
    process = cli.start(
        "chat", "send", "--session", session, "hello", bufsize=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.read(20)
    process.send_signal(signal.SIGINT)
    process.stdout.read(10)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 130
    turns = cli.ok("session", "turns", session)["turns"]
    assert [turn["status"] for turn in turns] == ["complete", "stopped"]


def test_quiet_and_no_color(cli: Cli) -> None:
    cli.space()
    session = cli.session()
    loud = cli.call("chat", "send", "--session", session, "hello")
    assert "answer 2, demo/scripted" in loud.error
    assert cli.call("chat", "send", "--session", session, "again", "--quiet").err == b""
    failed = cli.call("space", "show", "nope", "--quiet", "--no-color")
    assert failed.error.startswith("error: ")


def test_the_script_that_is_tested_is_the_installed_one() -> None:
    assert SCRIPT.is_file()
