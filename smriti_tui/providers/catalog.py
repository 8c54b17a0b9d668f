"""Which model answers: names resolved, keys and base URLs looked up, calls routed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from smriti_tui.providers.base import Chunk, ModelCall
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.providers.demo import DEMO_LIMITS, DemoModel
from smriti_tui.providers.names import (
    DEMO_CONTRARIAN,
    DEMO_NAMES,
    DEMO_SCRIPTED,
    base_variables,
    is_demo,
    key_variables,
    needs_key,
    provider_of,
    resolve,
)
from smriti_tui.providers.wire import ModelLimits

__all__ = [
    "DEMO_CONTRARIAN",
    "DEMO_NAMES",
    "DEMO_SCRIPTED",
    "ModelLimits",
    "ModelRouter",
    "base_variables",
    "is_demo",
    "key_variables",
    "needs_key",
    "provider_of",
    "resolve",
]


class ModelRouter:
    """The `ChatModel` of the program: demo models in here, others in the provider process."""

    def __init__(
        self, process: ProviderProcess | None = None, demo: DemoModel | None = None
    ) -> None:
        self._process = process or ProviderProcess()
        self._demo = demo or DemoModel()

    def warm(self, model: str) -> None:
        """Starts loading what `model` needs, without waiting; nothing for a demo model.

        Raises:
            ProviderError: `child_died`, the system cannot start the provider process.
        """
        if not is_demo(model):
            self._process.start()

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As `ChatModel.stream`."""
        chosen = self._demo if is_demo(call.model) else self._process
        async with aclosing(chosen.stream(call)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def limits(self, model: str) -> ModelLimits:
        """Window and prices of `model`; may load the provider library, so remember the result.

        Raises:
            ProviderError: `child_died`, `timeout`.
        """
        return DEMO_LIMITS if is_demo(model) else await self._process.limits(model)

    def close(self) -> None:
        """Ends the provider process within a second."""
        self._process.close()

    async def aclose(self) -> None:
        """As `close`, without stopping the event loop."""
        await self._process.aclose()
