"""What is shipped and what is installed: the wheel, the lock files, the environment."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from smriti_tui import __version__

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)==([^\s;]+)(?: ; ([^\\]+))? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")
MALICIOUS = ("1.82.7", "1.82.8")
KNOWN_PTH = {
    "_smriti_tui.pth",  # our editable install
    "distutils-precedence.pth",  # setuptools, in every venv of Python 3.11
    "_virtualenv.pth",  # virtualenv and uv, where they made the environment
}


def project() -> dict[str, object]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def requirements() -> dict[str, Requirement]:
    listed = project()["dependencies"]
    assert isinstance(listed, list)
    return {wanted.name: wanted for wanted in map(Requirement, listed)}


def pins(lock: str) -> dict[str, str]:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    return {found[1]: found[2] for line in lines if (found := PIN.match(line))}


def build(kind: str, folder: Path) -> Path:
    """Build without an isolated environment, so offline: hatchling is locked with the rest."""
    script = f"import hatchling.build, sys; print(hatchling.build.build_{kind}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel")))


def test_the_wheel_holds_the_package_and_every_stylesheet_and_nothing_else(
    wheel: zipfile.ZipFile,
) -> None:
    names = set(wheel.namelist())
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "smriti_tui").rglob("*.py")}
    styles = {f"smriti_tui/styles/{path.name}" for path in (ROOT / "styles").glob("*.tcss")}
    assert modules <= names
    assert styles <= names
    assert "smriti_tui/py.typed" in names
    outside = {name.split("/")[0] for name in names} - {"smriti_tui"}
    assert outside == {f"smriti_tui-{__version__}.dist-info"}


def test_the_wheel_names_the_three_programs(wheel: zipfile.ZipFile) -> None:
    points = configparser.ConfigParser()
    points.read_string(wheel.read(f"smriti_tui-{__version__}.dist-info/entry_points.txt").decode())
    assert dict(points["console_scripts"]) == {
        "smriti": "smriti_tui.cli.main:main",
        "smriti-mcp": "smriti_tui.mcp.server:main",
        "smriti-tui": "smriti_tui.__main__:main",
    }


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    metadata = wheel.read(f"smriti_tui-{__version__}.dist-info/METADATA").decode()
    assert f"\nVersion: {__version__}\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert ("readme" in project()) == (ROOT / "README.md").is_file()


def test_a_wheel_can_be_built_from_the_source_archive(tmp_path: Path) -> None:
    archive = build("sdist", tmp_path)
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    for style in (ROOT / "styles").glob("*.tcss"):
        assert f"styles/{style.name}" in names
    assert {"pyproject.toml", "LICENSE", "smriti_tui/__init__.py", "requirements.lock"} <= names
    assert not [name for name in names if name.endswith(".pyc") or name.startswith(".venv")]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_is_a_pin_or_its_hash(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not PIN.match(line) and not HASH.match(line)] == []
    following = zip(lines, [*lines[1:], ""], strict=True)
    assert [line for line, after in following if PIN.match(line) and not HASH.match(after)] == []


def test_the_locks_agree_and_hold_what_the_project_asks_for() -> None:
    program, tests = (pins(lock) for lock in LOCKS)
    assert {n: v for n, v in tests.items() if program.get(n, v) != v} == {}
    assert "hatchling" in program
    for name, wanted in requirements().items():
        assert wanted.specifier.contains(program[name]), name
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for wanted in map(Requirement, groups["dependency-groups"]["dev"]):
        assert wanted.specifier.contains(tests[wanted.name]), wanted.name


def test_the_malicious_releases_of_litellm_are_shut_out() -> None:
    wanted = requirements()["litellm"]
    assert not wanted.extras
    for version in (*MALICIOUS, "1.83.14"):
        assert not wanted.specifier.contains(version)
    assert {f"!={version}" for version in MALICIOUS} <= set(str(wanted.specifier).split(","))
    assert pins("requirements.lock")["litellm"] not in MALICIOUS


def test_pysqlite3_is_asked_for_where_wheels_exist_alone() -> None:
    marker = requirements()["pysqlite3"].marker
    assert marker is not None
    wheels = {
        ("linux", "x86_64"): True,
        ("linux", "aarch64"): False,
        ("darwin", "arm64"): True,
        ("darwin", "x86_64"): False,
    }
    for (system, machine), expected in wheels.items():
        there = {"sys_platform": system, "platform_machine": machine}
        assert marker.evaluate(there) is expected, there


def test_no_unknown_pth_file_runs_at_every_start() -> None:
    """The malicious litellm of March 2026 came with one."""
    folder = Path(sysconfig.get_path("purelib"))
    found = {path.name: path for path in folder.glob("*.pth")}
    assert set(found) - KNOWN_PTH == set()
    ours = found.get("_smriti_tui.pth")
    if ours is not None:
        assert not ours.read_text(encoding="utf-8").startswith("import")


def test_make_refuses_an_old_python_in_one_clear_line(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", "setup", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert f"Smriti needs Python 3.11 or newer; {old} is older or does not run." in done.stderr
    assert not (tmp_path / "venv").exists()
