"""One provider server for the whole run, and servers of ours in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fakes.llm_server import FakeLLMServer

if TYPE_CHECKING:
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
