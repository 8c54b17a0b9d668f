"""A fresh store per test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from smriti_tui.store.database import Store
from tests.opening import opened_store


@pytest.fixture
def store(backend: str) -> Iterator[Store]:
    with opened_store(backend) as opened:
        yield opened
