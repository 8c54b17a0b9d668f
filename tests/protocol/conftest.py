"""One provider server for the whole run, and servers of ours in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fakes.llm_server import FakeLLMServer

if TYPE_CHECKING:
    from tests.cli.calling import Cli
    from tests.protocol.mcp_host import Host
    from tests.protocol.mcp_inside import Inside


@pytest.fixture(scope="session")
def running_server() -> Iterator[FakeLLMServer]:
    # One address for the run: the library builds a client, and reads all certificates, per address.
    with FakeLLMServer() as running:
        yield running


@pytest.fixture
def server(running_server: FakeLLMServer) -> FakeLLMServer:
    running_server.clear()
    return running_server


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home and a project for the tests of a module."""
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "home").mkdir()
    (folder / "project").mkdir()
    return folder


@pytest.fixture(scope="module")
def extra() -> dict[str, str]:
    """What the environment has beside a home; a module may have its own."""
    return {}


@pytest.fixture(scope="module")
def host(home: Path, extra: dict[str, str]) -> Iterator[Host]:
    """One server for the module; the same home as that of `cli`."""
    from tests.cli.calling import Cli
    from tests.protocol.mcp_host import hosted

    with pytest.MonkeyPatch.context() as patch:
        environment = Cli(home, patch, extra).environment()
    with hosted(environment, home / "errors.log") as running:
        yield running


@pytest.fixture
def cli(home: Path, monkeypatch: pytest.MonkeyPatch, extra: dict[str, str]) -> Cli:
    """The command line in that home."""
    from tests.cli.calling import Cli

    return Cli(home, monkeypatch, dict(extra))


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Inside]]:
    """A home without settings; what is put in the list is closed after the test."""
    for name in ("SMRITI_BACKGROUND_MODEL", "SMRITI_CHAT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SMRITI_HOME", str(tmp_path))
    monkeypatch.setenv("SMRITI_CONFIG", str(tmp_path / "config.toml"))
    made: list[Inside] = []
    yield made
    for each in made:
        each.opening.close()
