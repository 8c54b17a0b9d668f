"""Services on a fresh store with the demo model, and real litellm against the provider server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.services import Services
from tests.support import opened_services


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with opened_services(tmp_path) as opened:
        yield opened
