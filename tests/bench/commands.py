"""Commands from start to exit: the version, and the commands that read."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.bench.figures import Budget, Figure, compared
from tests.bench.programs import PYTHON, home_environment, run_ms, script
from tests.bench.rounds import Plan, interleaved
from tests.bench.seed import seeded_home

VERSION_BUDGET = Budget(1.6)
READING_BUDGET = Budget(300)


def version(plan: Plan) -> list[Figure]:
    """`smriti --version` beside the import of the library that parses its options."""
    env = home_environment(plan.new_folder("home"))
    ours, reference = "smriti --version", "python -c 'import click'"
    found = interleaved(
        plan.rounds(25),
        {
            ours: _run([script("smriti"), "--version"], env),
            reference: _run([PYTHON, "-c", "import click"], env),
        },
        warm_up=True,
    )
    return [
        compared(
            "version", ours, "ms", found[ours], reference, found[reference], budget=VERSION_BUDGET
        )
    ]


def reading(plan: Plan) -> list[Figure]:
    """The commands that read, on a seeded home and on an empty one, less SQLModel's import."""
    home = seeded_home(plan)
    copy = plan.new_folder("home") / "seeded"
    shutil.copytree(home.path, copy)
    seeded = home_environment(copy, {"SMRITI_SPACE": home.space})
    empty = home_environment(plan.new_folder("home"))
    smriti = script("smriti")
    commands: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
        "space list": ([smriti, "space", "list"], seeded),
        "space list, no database": ([smriti, "space", "list"], empty),
        "checkpoint list": ([smriti, "checkpoint", "list"], seeded),
        "checkpoint show": ([smriti, "checkpoint", "show", home.checkpoint], seeded),
        "context --session, 100 turns": ([smriti, "context", "--session", home.short], seeded),
        "context --session, 10,000 turns": ([smriti, "context", "--session", home.long], seeded),
    }
    reference = "python -c 'import sqlmodel'"
    ways = {name: _run(command, env) for name, (command, env) in commands.items()}
    ways[reference] = _run([PYTHON, "-c", "import sqlmodel"], seeded)
    found = interleaved(plan.rounds(11), ways, warm_up=True)
    return [
        compared(
            "reading",
            f"smriti {name}",
            "ms",
            found[name],
            reference,
            found[reference],
            how="difference",
            budget=READING_BUDGET,
        )
        for name in commands
    ]


def _run(
    command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None
) -> Callable[[], float]:
    return lambda: run_ms(command, env, cwd)
