"""Fixtures of the app's tests: a folder with a database, and the app on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.house import House, PacedModel


@pytest.fixture
def house(tmp_path: Path) -> House:
    """An empty folder with a demo model that answers at once."""
    return House(tmp_path, PacedModel())
