"""Which model answers, and how large its window is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, get_args

from smriti_tui.domain.errors import ProviderError, StoreError
from smriti_tui.domain.events import Limit
from smriti_tui.domain.tokens import ASSUMED_LIMIT, reply_reserve
from smriti_tui.providers.base import AnswerForm, ChatModel
from smriti_tui.providers.wire import ModelLimits
from smriti_tui.store.database import Store

DEMO_LIMIT = 128_000
_FORMS: Mapping[str, AnswerForm] = MappingProxyType({name: name for name in get_args(AnswerForm)})


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
    """The window of a model: its entry, else the library's figure, else assumed (DESIGN 10.19); and
    the form that its answers can be held to."""

    store: Store
    provider: Provider
    _refused: set[tuple[str, str | None]] = field(default_factory=set)
    """Models whose server would not hand out the form that the library says they can, by model and
    base URL. Kept for this run alone: the next may find another server there."""

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
        known = await self._learnt(choice.model)
        tokens = known.context_tokens if known else None
        return _limit(choice, tokens, "library") if tokens else limit

    async def form(self, choice: ModelChoice) -> AnswerForm:
        """What the model's answers can be held to; the provider library is asked once. Nothing for
        a model that it does not know, for the demo's, and after the server refused.

        Raises:
            StoreError: the database cannot be read.
        """
        if choice.model.startswith("demo/") or (choice.model, choice.api_base) in self._refused:
            return "none"
        remembered = await asyncio.to_thread(self.store.side.model_form, choice.model)
        if remembered is not None and remembered in _FORMS:
            return _FORMS[remembered]
        known = await self._learnt(choice.model)
        return known.form if known else "none"

    def refused(self, choice: ModelChoice) -> None:
        """Its server takes no such parameter: it is not asked that way again."""
        self._refused.add((choice.model, choice.api_base))

    async def _learnt(self, model: str) -> ModelLimits | None:
        """What the library knows of a model, remembered; None when it cannot be asked."""
        try:
            known = await self.provider.limits(model)
        except ProviderError:
            return None
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(
                self.store.side.save_model_limit, model, known.context_tokens, known.form
            )
        return known

    def _was_asked(self, model: str) -> bool:
        return self.store.side.model_limit(model) is not None


def _limit(choice: ModelChoice, tokens: int, source: str) -> Limit:
    return Limit(tokens, source, reply_reserve(tokens, choice.reply_tokens))
