"""Fixtures of the snapshots: the files, and an environment that knows nothing of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.ui.snapshots.keeping import TextFile
from tests.ui.stage import environment

FOREIGN = ("NO_COLOR", "FORCE_COLOR", "TMUX", "STY", "SSH_CONNECTION", "SSH_TTY", "DISPLAY")


@pytest.fixture
def kept(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """What was drawn when the files were written."""
    return snapshot.use_extension(TextFile)


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine is known."""
    for name in FOREIGN:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(tmp_path).items():
        if name not in ("PATH", "PYTHONPATH"):
            monkeypatch.setenv(name, value)
