"""The rules of the house that no linter checks. Each walks the tree, so new files are bound."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "smriti_tui"
MAX_LINES = 450
PRINTING = {"smriti_tui/cli/output.py", "smriti_tui/cli/diagnostics.py"}
MUTABLE_CALLS = {
    "Counter", "OrderedDict", "WeakKeyDictionary", "WeakValueDictionary", "bytearray",
    "defaultdict", "deque", "dict", "list", "set",
}  # fmt: skip
MUTATING_METHODS = {
    "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "insert",
    "intersection_update", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def repository_files() -> list[Path]:
    """What git tracks or would: ignored files are nobody's concern."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def package_sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def module_name(path: Path) -> str:
    name = relative(path).removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__")


def test_no_python_file_is_longer_than_the_limit() -> None:
    lengths = {
        relative(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in repository_files()
        if path.suffix == ".py"
    }
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


def test_only_output_and_diagnostics_print() -> None:
    offenders = [
        f"{relative(path)}:{node.lineno}"
        for path in package_sources()
        if relative(path) not in PRINTING
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert offenders == []


def is_mutable(value: ast.expr | None) -> bool:
    if isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    if not isinstance(value, ast.Call):
        return False
    func = value.func
    called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return called in MUTABLE_CALLS


def module_level(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.expr | None, int]]:
    """Names bound while the module is imported, those under `if`, `try` and `with` included."""
    for statement in statements:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield ast.unparse(target), statement.value, statement.lineno
        elif isinstance(statement, ast.AnnAssign):
            yield ast.unparse(statement.target), statement.value, statement.lineno
        elif isinstance(statement, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for block in ("body", "orelse", "finalbody"):
                yield from module_level(getattr(statement, block, []))


def written_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Upper-case names that code changes in place: `X[...] = `, `del X[...]`, `X.append(...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            owner = node.value
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in MUTATING_METHODS
        ):
            owner = node.func.value
        else:
            continue
        name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
        if name.isupper():
            yield name, node.lineno


def state_faults(tree: ast.Module) -> Iterator[str]:
    for name, value, line in module_level(tree.body):
        if is_mutable(value) and not name.isupper() and name != "__all__":
            yield f"{line}: {name} is a mutable object of the module"
    for name, line in written_names(tree):
        yield f"{line}: {name} is a constant and gets changed"
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield f"{node.lineno}: global {', '.join(node.names)}"


def test_no_module_of_the_package_holds_mutable_state() -> None:
    faults = [
        f"{relative(path)}:{fault}"
        for path in package_sources()
        for fault in state_faults(ast.parse(path.read_bytes()))
    ]
    assert faults == []


@pytest.mark.parametrize(
    "source",
    [
        "cache = {}",
        "cache: dict[str, int] = dict()",
        "try:\n    seen = set()\nexcept OSError:\n    pass",
        "LIMITS = {}\ndef f():\n    LIMITS['a'] = 1",
        "LIMITS = []\ndef f():\n    LIMITS.append(1)",
        "current = None\ndef f():\n    global current\n    current = 1",
    ],
)
def test_the_rule_on_state_sees(source: str) -> None:
    assert list(state_faults(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "_TABLE: dict[int, str] = {1: 'a'}",
        "__all__ = ['a']",
        "names = ('a', 'b')",
        "def f():\n    found = {}\n    found['a'] = 1\n    return found",
    ],
)
def test_the_rule_on_state_lets_pass(source: str) -> None:
    assert list(state_faults(ast.parse(source))) == []


@dataclass(frozen=True)
class Lightness:
    """Importing the modules that fit `modules` (and not `but`) loads none of `banned`."""

    modules: tuple[str, ...]
    banned: tuple[str, ...]
    but: tuple[str, ...] = ()

    def matching(self) -> list[str]:
        names = [module_name(path) for path in package_sources()]
        return [
            name
            for name in names
            if any(fnmatch(name, pattern) for pattern in self.modules)
            and not any(fnmatch(name, pattern) for pattern in self.but)
        ]


ALEMBIC_RUNS = "smriti_tui.store.migrations.env"
"""Only Alembic can import it."""
DATABASE = ("alembic", "sqlalchemy", "sqlmodel")
LIGHT = {
    "every entry": Lightness(
        ("smriti_tui", "smriti_tui.cli.main", "smriti_tui.config.light"),
        ("litellm", "mcp", "pydantic", "rich", "textual", *DATABASE),
    ),
    "the first frame": Lightness(
        (
            "smriti_tui.__main__", "smriti_tui.app", "smriti_tui.keys", "smriti_tui.messages",
            "smriti_tui.screens*", "smriti_tui.text", "smriti_tui.widgets*", "smriti_tui.worker",
        ),
        ("litellm", "mcp", "pydantic", "watchfiles", *DATABASE),
    ),
    "the command line": Lightness(
        ("smriti_tui.cli*",), ("alembic", "litellm", "mcp", "textual")
    ),
    "everything but the MCP server": Lightness(
        ("smriti_tui*",), ("mcp",), but=("smriti_tui.mcp*", ALEMBIC_RUNS)
    ),
    "everything but the migrations": Lightness(
        ("smriti_tui*",), ("alembic",), but=("smriti_tui.store.migrations*",)
    ),
    "everything but the server's back end": Lightness(
        ("smriti_tui*",),
        ("psycopg", "sqlalchemy.dialects.postgresql"),
        but=("smriti_tui.store.backends.postgres*", ALEMBIC_RUNS, "smriti_tui.store.migrations*"),
    ),
    "everything but the provider process": Lightness(
        ("smriti_tui*",),
        ("litellm",),
        but=("smriti_tui.providers.litellm_process", ALEMBIC_RUNS),
    ),
}  # fmt: skip

PROBE = """
import importlib, sys
banned, modules = sys.argv[1].split(","), sys.argv[2].split(",")
for module in modules:
    importlib.import_module(module)
    loaded = [name for name in banned if name in sys.modules]
    if loaded:
        sys.exit(f"{module} loads {', '.join(loaded)}")
"""


@pytest.mark.parametrize("name", LIGHT)
def test_imports_stay_light(name: str) -> None:
    rule = LIGHT[name]
    modules = rule.matching()
    done = subprocess.run(
        [sys.executable, "-c", PROBE, ",".join(rule.banned), ",".join(modules or ["smriti_tui"])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_domain_loads_the_standard_library_alone() -> None:
    modules = [name for path in package_sources() if "domain" in (name := module_name(path))]
    script = (
        "import importlib, sys; before = set(sys.modules)\n"
        "for module in sys.argv[1].split(','): importlib.import_module(module)\n"
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(tops - sys.stdlib_module_names - {'smriti_tui'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, ",".join(modules)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_top_level_module_has_its_room_in_the_import_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    rooms = set(re.findall(r"smriti_tui\.(\w+)", " ".join(contract["layers"])))
    there = {
        path.stem
        for path in PACKAGE.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    }
    assert there - rooms == set()


def test_no_file_names_a_registry_or_a_folder_of_this_machine() -> None:
    hosts = ("pypi" + ".org", "files.python" + "hosted", "registry.npm" + "js", "deb." + "debian")
    folders = "|".join({"work", "root", "farm", Path.home().as_posix().strip("/") or "root"})
    found = re.compile(
        "|".join(map(re.escape, hosts)) + rf"|(?<![\w.~*/-])/(?:{folders})/\w", re.IGNORECASE
    )
    faults = [
        f"{relative(path)}: {match.group()}"
        for path in repository_files()
        if (match := found.search(path.read_bytes().decode("utf-8", "replace")))
    ]
    assert faults == []


def test_nothing_is_left_open_in_the_package() -> None:
    mark = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")
    faults = [
        f"{relative(path)}:{number}"
        for path in package_sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if mark.search(line)
    ]
    assert faults == []


def test_every_folder_of_tests_is_a_package_and_none_shadows_a_library() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert [relative(f) for f in folders if not (f / "__init__.py").is_file()] == []
    assert not (ROOT / "tests" / "mcp").exists()


def test_ci_runs_what_a_developer_runs() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert run.startswith("#!/usr/bin/env bash\nset -euo pipefail\n")
    assert "make test" in run
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    plan = subprocess.run(
        ["make", "-n", "test"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for step in ("ruff check .", "ruff format --check .", "lint-imports", "/mypy", "-m pytest"):
        assert step in plan
