"""Shared by the whole run: folders in memory, and one warm provider process, since loading the
library costs seconds."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer

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
