"""A home of its own for every test of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.calling import Cli
from tests.sharing import one_schema


@pytest.fixture(autouse=True)
def new_databases() -> Iterator[None]:
    """Are copies of one."""
    with one_schema():
        yield


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Cli(tmp_path, monkeypatch)
