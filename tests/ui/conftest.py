"""Fixtures of the app's tests: a folder with a database, and the app on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import _wait

from tests.sharing import one_parse, one_schema
from tests.ui.house import House, PacedModel


@pytest.fixture
def house(tmp_path: Path) -> House:
    """An empty folder with a demo model that answers at once."""
    return House(tmp_path, PacedModel())


@pytest.fixture(autouse=True)
def new_databases() -> Iterator[None]:
    """Are copies of one."""
    with one_schema():
        yield


@pytest.fixture(scope="session", autouse=True)
def style_sheets() -> Iterator[None]:
    """Are read once."""
    with one_parse():
        yield


@pytest.fixture(scope="session", autouse=True)
def looks_for_idleness() -> Iterator[None]:
    """Pilot looks in slices of more than a frame whether the app is idle, three times for each
    key: most of a run. Half a frame is enough, since a key still waits for more than a whole."""
    slice_s = 1 / 120
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_wait, "SLEEP_GRANULARITY", slice_s)
        patch.setattr(_wait, "SLEEP_IDLE", slice_s / 20)
        yield
