"""A long life of a worktree under a watch: whatever is done, a second later it is known."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from smriti_tui.domain.worktrees import Probed
from smriti_tui.git.probes import UNSEEN_S, Probes
from smriti_tui.git.status import probe
from smriti_tui.git.watching import WorktreeWatch
from tests.git.repository import Repository, repository

NAMES = ("a", "b/c", "b/d/e", "b/d/f/g", "ü/h", "node_modules/x/y")
SLACK_S = 1.0
"""For the probe itself, on a busy machine."""


def acts(
    chance: random.Random, made: Repository, tree: Repository
) -> dict[str, Callable[[], object]]:
    name = chance.choice(NAMES)
    folder = tree.path / name.rpartition("/")[0]
    text = f"{chance.random()}\n"
    return {
        "write": lambda: tree.write(name, text),
        "remove": lambda: (tree.path / name).unlink(missing_ok=True),
        "remove a folder": lambda: gone(folder if folder != tree.path else folder / "b"),
        "make it anew": lambda: [gone(tree.path / "b"), tree.write("b/d/e", text)],
        "move a folder": lambda: (tree.path / "b").is_dir()
        and (tree.path / "b").rename(tree.path / f"m{chance.randint(0, 3)}-{chance.random()}"),
        "ignore": lambda: tree.write(".gitignore", chance.choice(["node_modules\n", "x\n", "b\n"])),
        "stage": lambda: tree.git("add", "--all"),
        "commit": lambda: tree.commit("committed", text),
        "commit on main": lambda: made.commit("file", text),
        "pack": lambda: made.git("pack-refs", "--all"),
        "reset": lambda: tree.git("reset", "-q", "--hard"),
        "switch": lambda: tree.git("checkout", "-q", "-B", f"x/{chance.randint(0, 2)}/y"),
        "go back": lambda: tree.git("checkout", "-q", "-f", "--detach", "HEAD~1", fails=True),
        "forget branches": lambda: made.git("branch", "-D", "x/0/y", fails=True),
        "clean": lambda: tree.git("clean", "-qfdx"),
    }  # fmt: skip


def gone(folder: Path) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    return True


def _live(tmp_path: Path, seed: int, steps: int) -> float:
    """Lives, and says how long the slowest change took to be known."""
    chance = random.Random(seed)
    made = repository(tmp_path / f"r{seed}")
    tree = made.worktree(f"wt{seed}")
    probes = Probes()
    failed: list[str] = []
    watch = WorktreeWatch(probes, lambda _: None, failed.append, lambda _: True)
    watch.watch([tree.path])
    slowest = 0.0
    try:
        for _ in range(steps):
            name, act = chance.choice(list(acts(chance, made, tree).items()))
            act()
            slowest = max(slowest, _known_after(probes, tree.path, name))
            time.sleep(chance.choice([0, 0, 0.05, 0.3, 1.2]))
    finally:
        watch.stop()
    assert failed == []
    return slowest


def _known_after(probes: Probes, tree: Path, name: str) -> float:
    truth = probe(tree, 10)
    began = time.monotonic()
    while (seen := probes.look([tree], limit_s=10)[0]) != truth:
        late = time.monotonic() - began
        assert late < UNSEEN_S + SLACK_S, (name, _difference(seen, truth))
        time.sleep(0.01)
    return time.monotonic() - began


def _difference(seen: Probed, truth: Probed) -> str:
    return f"seen {seen}\ntrue {truth}"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_a_second_later_it_is_known(tmp_path: Path, seed: int) -> None:
    assert _live(tmp_path, seed, 120) < UNSEEN_S + SLACK_S
