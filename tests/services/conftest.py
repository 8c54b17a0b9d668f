"""Services on a fresh store with the demo model, and real litellm against the provider server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services import Services
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import Asking, Beside, asking_in
from tests.sharing import one_schema
from tests.support import opened_services


@pytest.fixture(autouse=True)
def new_databases() -> Iterator[None]:
    """Are copies of one."""
    with one_schema():
        yield


@pytest.fixture
def services(tmp_path: Path, backend: str) -> Iterator[Services]:
    with opened_services(tmp_path, environ={"SMRITI_DATABASE_URL": backend}) as opened:
        yield opened


@pytest.fixture
def beside(tmp_path: Path, backend: str) -> Beside:
    """Opens services of another person, or after a restart, on the database of `services`."""

    def opened(actor: str = "ada") -> AbstractContextManager[Services]:
        return opened_services(tmp_path, environ={"SMRITI_DATABASE_URL": backend}, actor=actor)

    return opened


@pytest.fixture(scope="session")
def one_server() -> Iterator[FakeLLMServer]:
    # One address for the run: the library builds a client, and reads all certificates, per address.
    with FakeLLMServer() as running:
        yield running


@pytest.fixture
def asking(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, backend: str
) -> Iterator[Asking]:
    place = {"SMRITI_DATABASE_URL": backend}
    with asking_in(tmp_path, warm_process, one_server, **place) as opened:
        yield opened
