"""Probing disturbs nobody: an agent that commits all the time never finds a lock of ours."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from smriti_tui.git.probes import Probes
from tests.git.repository import Repository, repository


def beside(tree: Repository, seconds: float) -> tuple[int, int]:
    """Commits twenty times a second while probes poll; how many commits and probes there were."""
    done = threading.Event()
    probed = 0
    faults: list[str] = []

    def poll() -> None:
        nonlocal probed
        probes = Probes()
        while not done.is_set():
            faults.extend(each.fault for each in probes.look([tree.path], fresh=True))
            probed += 1

    poller = threading.Thread(target=poll)
    poller.start()
    commits = 0
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            tree.commit("file", f"{commits}\n")  # asserts that git did not fail
            commits += 1
            time.sleep(0.05)
    finally:
        done.set()
        poller.join()
    assert not [each for each in faults if each]
    return commits, probed


def test_no_commit_fails_while_probes_poll(tmp_path: Path) -> None:
    commits, probed = beside(repository(tmp_path / "r").worktree("w"), 2)
    assert commits > 5
    assert probed > 5


@pytest.mark.soak
def test_no_commit_fails_in_a_minute(tmp_path: Path) -> None:
    commits, probed = beside(repository(tmp_path / "r").worktree("w"), 60)
    assert commits > 100
    assert probed > 100
