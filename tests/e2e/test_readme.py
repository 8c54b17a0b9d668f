"""The README is true: its commands run, its keys exist, its pictures and links are there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from smriti_tui.app import SmritiApp, Start
from smriti_tui.config.light import LightConfig
from smriti_tui.config.schema import SETTINGS
from smriti_tui.config.settings import load_config
from smriti_tui.keys import ACTIONS, key_table
from tests.e2e.readme_parts import CODE_WORDS, PARTS, README, ROOT, exit_codes, part

TEXT = README.read_text(encoding="utf-8")
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
LIMIT_S = 120
KEY = re.compile(
    r"[^\w\s]|[A-Za-z0-9]|f\d+|ctrl\+\S+|shift\+\S+|esc|tab|enter|space|up|down|left|right"
)
"""What in backquotes is a key."""
NO_NETWORK = """
import os, socket
def refused(self, address, *rest):
    if self.family == socket.AF_UNIX:
        return connect(self, address, *rest)
    with open(os.environ["REFUSED"], "a") as file:
        print(address, file=file)
    raise ConnectionRefusedError(address)
def unknown(host, *rest, **more):
    with open(os.environ["REFUSED"], "a") as file:
        print(host, file=file)
    raise socket.gaierror(host)
connect = socket.socket.connect
socket.socket.connect = socket.socket.connect_ex = refused
socket.getaddrinfo = unknown
"""


@dataclass(frozen=True)
class Block:
    """A block of the README."""

    kind: str
    text: str
    line: int


def blocks(*kinds: str) -> list[Block]:
    return [
        Block(found[1], found[2], TEXT.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(TEXT)
        if found[1] in kinds
    ]


def prose() -> str:
    """The README without its blocks, and without what is generated."""
    text = BLOCK.sub("", TEXT)
    for name in PARTS:
        text = text.replace(part(TEXT, name), "")
    return text


# ---- commands ----------------------------------------------------------------------------------


@dataclass
class Shell:
    """An empty home without a network; variables live on from block to block."""

    folder: Path

    def __post_init__(self) -> None:
        (self.folder / "home").mkdir()
        (self.folder / "project").mkdir()
        (self.folder / "site").mkdir()
        (self.folder / "site" / "sitecustomize.py").write_text(NO_NETWORK)
        self.refused.touch()
        self.state.touch()

    @property
    def refused(self) -> Path:
        return self.folder / "refused"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """`script` in a new shell, errors in its output where they come."""
        whole = f"set -a; . {self.state}; set -e; set -o pipefail\n{script}\n"
        environ = {
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "PATH": f"{Path(sys.executable).parent}:{os.defpath}",
            "PYTHONPATH": str(self.folder / "site"),
            "REFUSED": str(self.refused),
        }
        return subprocess.run(
            ["bash", "-c", f"trap 'export -p > {self.state}' EXIT\n{whole}"],
            cwd=self.folder / "project",
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )


def sessions(text: str) -> Iterator[tuple[str, str]]:
    """Commands of a console block and what they print."""
    for piece in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = piece.partition("\n")
        yield command, output


def fits(said: str, printed: str) -> bool:
    """Whether `printed` is what the README says; `...` stands for anything."""
    pattern = ".*".join(re.escape(piece) for piece in said.rstrip().split("..."))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


@pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks are for a shell")
def test_every_command_runs_in_an_empty_home_without_a_network(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    ran = 0
    for block in blocks("bash", "console"):
        if block.text.startswith("make "):
            continue
        ran += 1
        where = f"README.md:{block.line}"
        if block.kind == "bash":
            done = shell.run(block.text)
            assert done.returncode == 0, f"{where}: {done.stdout}"
            continue
        for command, said in sessions(block.text):
            printed = shell.run(f"set +e; {command}").stdout
            assert fits(said, printed), f"{where}: {command}\n{printed}"
    assert ran >= 4
    assert shell.refused.read_text() == ""


def test_make_targets_that_are_named_exist() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"(?:^|`)make ([a-z]+)", TEXT, re.MULTILINE)
    assert {"run", "test", "screenshots"} <= set(named) <= set(targets)


# ---- keys --------------------------------------------------------------------------------------


def test_every_key_that_is_named_is_in_the_action_table() -> None:
    keys = {"esc" if key == "escape" else key for action in ACTIONS for key in action.keys}
    named = set(re.findall(r"`([^`\n]+)`", prose()))
    used = {code for code in named if KEY.fullmatch(code)}
    assert {"esc", "m", "i", "x", "n", "f3", "ctrl+s", "E"} <= used
    assert not used - keys


@pytest.mark.parametrize("name", PARTS)
def test_what_comes_from_the_code_is_what_the_code_says(name: str) -> None:
    assert part(TEXT, name) == PARTS[name](), "run `python -m tests.e2e.readme_parts`"


def test_every_exit_code_has_its_words() -> None:
    assert set(CODE_WORDS) == exit_codes()


# ---- settings ----------------------------------------------------------------------------------


def test_the_settings_named_are_the_settings_there_are() -> None:
    table = TEXT[TEXT.index("| variable | `config.toml`") :].split("\n\n")[0]
    variables = set(re.findall(r"`(SMRITI_\w+)`", table))
    places = {"SMRITI_CONFIG", "SMRITI_ENV_FILE"}
    assert variables == places | {spec.variable for spec in SETTINGS if spec.variable}
    in_file = {spec.key for spec in SETTINGS if spec.in_file}
    assert in_file <= set(re.findall(r"`([a-z_.]+)`", table))


def test_every_settings_file_shown_is_accepted(tmp_path: Path) -> None:
    for block in blocks("toml"):
        file = tmp_path / "config.toml"
        file.write_text(block.text)
        config = load_config(environ={"HOME": str(tmp_path), "SMRITI_CONFIG": str(file)})
        assert not config.problems
        table = key_table(config.keys)
        assert not table.clashes
        assert not table.unknown


def test_every_theme_named_exists() -> None:
    named = set(re.findall(r"\b(smriti-(?:dark|light|contrast)|(?:ansi|textual)-\w+)\b", prose()))
    app = SmritiApp(Start(), light=LightConfig())
    assert {"smriti-dark", "smriti-light", "smriti-contrast"} <= named
    assert named <= set(app.available_themes)


# ---- links and pictures ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "DECISIONS.md"])
def test_every_link_inside_the_repository_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    assert not [link for link in links if "://" not in link and not (ROOT / link).exists()]


def test_every_picture_has_words_in_its_place_and_none_is_above_the_first() -> None:
    shown = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", TEXT)
    assert shown[0][1] == "screenshots/workspace.svg"
    assert all(len(words) > 30 for words, _ in shown)


def test_the_two_commands_come_first() -> None:
    first = blocks("bash", "console")[0]
    assert [line.split("#")[0].strip() for line in first.text.splitlines()] == [
        "make run",
        "make test",
    ]
