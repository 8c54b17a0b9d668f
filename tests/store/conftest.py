"""A fresh store per test, on a real file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.store.database import Store
from tests.opening import opened_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened_store(tmp_path / "smriti.db") as opened:
        yield opened
