"""Work that waits for the database, off the server's loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import anyio

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What `work` gives. A call that is cancelled waits for its end: a write is whole or absent."""
    return await anyio.to_thread.run_sync(lambda: work(*given, **named))
