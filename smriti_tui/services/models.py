"""Which model answers, and how large its window is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from smriti_tui.domain.errors import ProviderError, StoreError
from smriti_tui.domain.events import Limit
from smriti_tui.domain.tokens import ASSUMED_LIMIT, reply_reserve
from smriti_tui.providers.base import ChatModel
from smriti_tui.providers.wire import ModelLimits
from smriti_tui.store.database import Store

DEMO_LIMIT = 128_000


@dataclass(frozen=True)
class ModelChoice:
    """A model as the settings resolved it; the key is in no repr."""

    name: str
    """As it is shown: the alias, or litellm's name."""
    model: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    context_tokens: int | None = None
    reply_tokens: int | None = None
    params: dict[str, object] = field(default_factory=dict)
    timeout_s: float = 60.0
    retries: int = 2
    key_variable: str | None = None
    """The variable that the key came from."""


Resolve = Callable[[str | None], ModelChoice]
"""The model of a name or alias; None means the chat model of the settings.

Raises ProviderError (kind `not_configured`) before anything is stored.
"""


class Provider(ChatModel, Protocol):
    """Where all models are reached."""

    async def limits(self, model: str) -> ModelLimits:
        """What the provider library knows of a model."""
        ...


@dataclass(frozen=True)
class Limits:
    """The window of a model: its entry, else the library's figure, else assumed (DESIGN 10.19)."""

    store: Store
    provider: Provider

    def known(self, choice: ModelChoice) -> Limit:
        """What can be said without asking the provider process; assumed if it was never asked."""
        if choice.context_tokens:
            return _limit(choice, choice.context_tokens, "entry")
        if choice.model.startswith("demo/"):
            return _limit(choice, DEMO_LIMIT, "demo")
        remembered = self.store.side.model_limit(choice.model) if self.store.exists() else None
        if remembered and remembered[0]:
            return _limit(choice, remembered[0], "library")
        return _limit(choice, ASSUMED_LIMIT, "assumed")

    async def ask(self, choice: ModelChoice) -> Limit:
        """As `known`, but asks the provider library once if that is needed. That it cannot be
        asked, or its figure not be remembered, keeps nobody from sending.

        Raises:
            StoreError: the database cannot be read.
        """
        limit = await asyncio.to_thread(self.known, choice)
        if limit.source != "assumed" or await asyncio.to_thread(self._was_asked, choice.model):
            return limit
        try:
            tokens = (await self.provider.limits(choice.model)).context_tokens
        except ProviderError:
            return limit
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(self.store.side.save_model_limit, choice.model, tokens)
        return _limit(choice, tokens, "library") if tokens else limit

    def _was_asked(self, model: str) -> bool:
        return self.store.side.model_limit(model) is not None


def _limit(choice: ModelChoice, tokens: int, source: str) -> Limit:
    return Limit(tokens, source, reply_reserve(tokens, choice.reply_tokens))
