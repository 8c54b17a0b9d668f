"""Fixtures of the snapshots: the files, and an environment that knows nothing of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.snapshots.keeping import Kept
from tests.ui.stage import environment

FOREIGN = ("NO_COLOR", "FORCE_COLOR", "TMUX", "STY", "SSH_CONNECTION", "SSH_TTY", "DISPLAY")


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> Iterator[Kept]:
    """What was drawn when the files were written; compared when the test is through."""
    name = re.sub(r"\W+", "-", request.node.name).strip("-")
    path = Path(__file__).with_name("kept") / f"{name}.txt"
    drawn = Kept(path, bool(request.config.getoption("--snapshot-update")))
    yield drawn
    if drawn.now:
        drawn.check()


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine is known."""
    for name in FOREIGN:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(tmp_path).items():
        if name not in ("PATH", "PYTHONPATH"):
            monkeypatch.setenv(name, value)
