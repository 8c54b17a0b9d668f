"""One provider server for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.llm_server import FakeLLMServer


@pytest.fixture(scope="session")
def running_server() -> Iterator[FakeLLMServer]:
    # One address for the run: the library builds a client, and reads all certificates, per address.
    with FakeLLMServer() as running:
        yield running


@pytest.fixture
def server(running_server: FakeLLMServer) -> FakeLLMServer:
    running_server.clear()
    return running_server
