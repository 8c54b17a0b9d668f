"""Shared by the whole run: one warm provider process, since loading the library costs seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer


@pytest.fixture(scope="session")
def warm_process() -> Iterator[ProviderProcess]:
    with ProviderProcess() as process:
        process.start()
        yield process


@pytest.fixture
def server() -> Iterator[FakeLLMServer]:
    with FakeLLMServer() as running:
        yield running
