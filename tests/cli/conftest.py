"""A home of its own for every test of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.providers import catalog
from smriti_tui.providers.child import ProviderProcess
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


class Lent(ProviderProcess):
    """A provider process that a command may use and not end."""

    def __init__(self, owner: ProviderProcess) -> None:
        super().__init__()
        self._running = owner._running  # type: ignore[method-assign]

    def close(self) -> None:
        """Leaves it to its owner."""


@pytest.fixture
def warm(warm_process: ProviderProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands called in here ask through the provider process of the whole run, which has loaded
    the library: that costs seconds for each command."""
    monkeypatch.setattr(catalog, "ProviderProcess", lambda: Lent(warm_process))
