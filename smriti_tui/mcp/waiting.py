"""Work that waits for the database, off the server's loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import anyio

MOST_WAITING = 400
P = ParamSpec("P")
T = TypeVar("T")


def allow_many() -> None:
    """Lets more calls wait at once than a loop allows by itself (40): else that many writes that
    wait for the database keep every reader waiting. Called on the server's loop."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = MOST_WAITING


async def in_thread(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What `work` gives. A call that is cancelled waits for its end: a write is whole or absent."""
    return await anyio.to_thread.run_sync(lambda: work(*given, **named))
