"""Shared by the whole run: folders in memory, and one warm provider process, since loading the
library costs seconds."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from smriti_tui.providers.child import ProviderProcess
from smriti_tui.store.database import Store
from tests.fakes.llm_server import FakeLLMServer
from tests.postgres import Server, shared_server

IN_MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that must be free there: many times what a run keeps."""


def has_room(folder: Path) -> bool:
    """Whether a run of the tests can work there; containers often give little, or no programs."""
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    programs_run = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return programs_run and shutil.disk_usage(folder).free > ROOM


def pytest_configure() -> None:
    """A database waits for its disk at every commit, as it must: half of a run. What tests prove
    holds on any file system, so theirs is one in memory, where there is one."""
    if has_room(IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
    # No test is about time: a machine that does other things takes longer.
    settings.register_profile("house", deadline=None)
    settings.load_profile("house")
    # A run in a shell's background ignores Ctrl-C, and so would all that the tests start.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What was loaded is no garbage: looking through it again and again took a quarter of a run."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests marked `contract` run on each back end, but those that are about the file itself."""
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    if "contract" in marks and "file" not in marks and "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(scope="session")
def server_of_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The PostgreSQL server of this run; database `made` has the tables, and nothing in it."""
    base = tmp_path_factory.getbasetemp()
    meeting = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with shared_server(meeting, _make_tables) as server:
        yield server


def _make_tables(server: Server) -> None:
    server.admin("CREATE DATABASE made TEMPLATE template0")
    store = Store(server.url("made"), lambda: "")
    store.prepare()
    store.close()


@pytest.fixture
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a new database: a file, or one on the server."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield str(tmp_path / "smriti.db")
        return
    server: Server = request.getfixturevalue("server_of_run")
    with server.database("made") as url:
        yield url


@pytest.fixture(scope="session")
def warm_process() -> Iterator[ProviderProcess]:
    with ProviderProcess() as process:
        process.start()
        yield process


@pytest.fixture
def server() -> Iterator[FakeLLMServer]:
    with FakeLLMServer() as running:
        yield running
