"""Shared by the whole run: one warm provider process, since loading the library costs seconds."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer


def pytest_collection_finish() -> None:
    """What was loaded is no garbage: looking through it again and again took a quarter of a run."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


@pytest.fixture(scope="session")
def warm_process() -> Iterator[ProviderProcess]:
    with ProviderProcess() as process:
        process.start()
        yield process


@pytest.fixture
def server() -> Iterator[FakeLLMServer]:
    with FakeLLMServer() as running:
        yield running
