"""A home of its own for every test of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calling import Cli


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Cli(tmp_path, monkeypatch)
