"""What it costs to know the state of ten worktrees, beside plain git calls in turn."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from smriti_tui.git.probes import Probes
from smriti_tui.git.status import STATUS
from smriti_tui.git.watching import WorktreeWatch
from tests.bench.figures import Budget, Figure, compared, told
from tests.bench.rounds import Plan, interleaved, say
from tests.git.repository import IDENTITY, Repository, repository

TREES = 10
FILES = 200
ROUNDS = 15
LOOKS = 200
"""Looks at unchanged worktrees for one figure: a single one is too short to be timed."""
MOST_AGE_MS = 1000


def worktrees(plan: Plan) -> list[Figure]:
    """Ten worktrees of one repository, each with changed and untracked files, ahead and behind."""
    trees = _built(plan.new_folder("worktrees"), plan.size(FILES))
    rounds = plan.rounds(ROUNDS)
    say(f"  {TREES} worktrees of {plan.size(FILES)} files")
    ways: dict[str, Callable[[], object]] = {
        "probed": lambda: Probes().look(trees),
        "again": partial(_again, trees),
        "in turn": partial(_in_turn, trees, [STATUS]),
        "three": partial(_in_turn, trees, THREE),
    }
    timed = {name: partial(_timed, way) for name, way in ways.items()}
    timed["again"] = partial(_again, trees)
    found = interleaved(rounds, timed, warm_up=True, quiet=True)
    cores = os.cpu_count() or 1
    share = [each / cores for each in found["in turn"]]
    watched, ages = _watched(trees, rounds)
    return [
        compared(
            "worktrees", f"{TREES} probed at once, asked before", "ms", found["again"],
            f"`git status` of each in turn, divided by {cores} cores", share,
            budget=Budget(1.3),
        ),
        _faster("probed at once, first time", found["probed"], found["three"], 2.5),
        _faster("probed at once, asked before", found["again"], found["three"], 2.5),
        _faster("unchanged, under a watch", watched, found["three"], 20),
        told(
            "worktrees", "from a change to a state that has it, under a watch", "ms", ages,
            budget=Budget(MOST_AGE_MS),
        ),
    ]  # fmt: skip


THREE: Sequence[Sequence[str]] = (
    ("status", "--porcelain"),
    ("rev-list", "--left-right", "--count", "HEAD...origin/main"),
    ("log", "-1", "--format=%h %cr"),
)


def _faster(what: str, ours: Sequence[float], reference: Sequence[float], times: float) -> Figure:
    figure = compared(
        "worktrees", f"{TREES} {what}", "ms", ours,
        "three git calls for each in turn", reference,
    )  # fmt: skip
    return replace(figure, budget=Budget(1 / times))


def _built(folder: Path, files: int) -> list[Path]:
    origin = repository(folder / "origin")
    for number in range(files):
        origin.write(f"d{number % 10}/file {number}", "text\n" * 20)
    origin.commit("last")
    made = origin.clone("clone")
    trees = [made.worktree(f"tree-{number}") for number in range(TREES)]
    origin.commit("theirs")
    made.git("fetch", "-q")
    for tree in trees:
        tree.commit("mine")
        for number in range(3):
            tree.write(f"d{number}/file {number}", "changed\n")
        tree.write("untracked", "x")
    return [tree.path for tree in trees]


def _in_turn(trees: Sequence[Path], calls: Sequence[Sequence[str]]) -> None:
    environ = {**os.environ, **IDENTITY, "GIT_OPTIONAL_LOCKS": "0"}
    for tree in trees:
        for call in calls:
            subprocess.run(["git", *call], cwd=tree, env=environ, capture_output=True, check=True)


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _again(trees: Sequence[Path]) -> float:
    """What was counted once is known."""
    probes = Probes()
    probes.look(trees)
    return _timed(lambda: probes.look(trees, fresh=True))


def _watched(trees: Sequence[Path], changes: int) -> tuple[list[float], list[float]]:
    """Milliseconds of a look at unchanged trees; and from a change until a look shows it."""
    probes = Probes()
    watch = WorktreeWatch(probes, lambda _: None, say, lambda _: True)
    watch.watch(trees)
    try:
        while not all(watch.sees(tree) for tree in trees):
            time.sleep(0.01)
        looks, ages = [], []
        for number in range(changes):
            probes.look(trees)
            looks.append(_timed(lambda: [probes.look(trees) for _ in range(LOOKS)]) / LOOKS)
            ages.append(_timed(partial(_until_seen, probes, trees[number % TREES], f"n{number}")))
        return looks, ages
    finally:
        watch.stop()


def _until_seen(probes: Probes, tree: Path, name: str) -> None:
    Repository(tree).write(name, "x")
    while name not in probes.look([tree])[0].dirty:
        time.sleep(0.005)
