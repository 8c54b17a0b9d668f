"""Operations that ask a model, on the server's own loop: a cancelled call stops the model too."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from types import UnionType
from typing import Any


async def last_step(asking: AsyncGenerator[Any, None], kinds: type | UnionType) -> Any:
    """The step of one of these kinds that an operation ends with."""
    found: Any = None
    async with aclosing(asking) as steps:
        async for step in steps:
            if isinstance(step, kinds):
                found = step
    assert found is not None, "it ends with what it found or an error"
    return found
