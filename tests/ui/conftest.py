"""Fixtures of the app's tests: a folder with a database, and the app on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
