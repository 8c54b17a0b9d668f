"""A store in a folder, and a clock that moves by itself: all that a short program of a test needs.
What else tests share is in `tests.support`, which takes half a second more to load."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from smriti_tui.domain.values import utc_text
from smriti_tui.store.database import Store

START = datetime(2026, 3, 2, 14, 0, tzinfo=UTC)


def ticking_clock(start: datetime = START) -> Callable[[], str]:
    """Each call is a second later."""
    seconds = itertools.count()
    return lambda: utc_text(start + timedelta(seconds=next(seconds)))


@contextmanager
def opened_store(path: Path | str, now: Callable[[], str] | None = None) -> Iterator[Store]:
    store = Store(str(path), now or ticking_clock())
    try:
        yield store
    finally:
        store.close()
