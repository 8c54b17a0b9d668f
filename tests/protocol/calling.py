"""Making a call and keeping all that came of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import (
    Chunk,
    Finished,
    Message,
    ModelCall,
    ReasoningDelta,
    Retrying,
    TextDelta,
)
from tests.fakes.llm_server import FakeLLMServer

Wire = Literal["openai", "anthropic"]
WIRES: tuple[Wire, ...] = ("openai", "anthropic")
KEY = "sk-test-Zq81mPv0xLkT42"


class Streaming(Protocol):
    def stream(self, call: ModelCall) -> AsyncIterator[Chunk]: ...


@dataclass
class Outcome:
    """What came of one call."""

    chunks: list[Chunk] = field(default_factory=list)
    error: ProviderError | None = None
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return "".join(c.text for c in self.chunks if isinstance(c, TextDelta))

    @property
    def reasoning(self) -> str:
        return "".join(c.text for c in self.chunks if isinstance(c, ReasoningDelta))

    @property
    def retries(self) -> list[Retrying]:
        return [c for c in self.chunks if isinstance(c, Retrying)]

    @property
    def finished(self) -> Finished:
        last = self.chunks[-1]
        assert isinstance(last, Finished), self.error or last
        return last

    @property
    def kind(self) -> str:
        return self.error.kind if self.error else "ok"

    @property
    def told(self) -> str:
        """Every word that a person or a log gets to see of the fault."""
        assert self.error is not None
        return f"{self.error} {self.error!r} {self.error.details}"


def base_of(server: FakeLLMServer, wire: Wire) -> str:
    return server.openai_base if wire == "openai" else server.anthropic_base


def call_of(
    server: FakeLLMServer,
    wire: Wire,
    scenario: str,
    text: str = "hello there",
    *,
    key: str | None = KEY,
    timeout_s: float = 10.0,
    retries: int = 0,
    params: dict[str, object] | None = None,
) -> ModelCall:
    return ModelCall(
        model=f"{wire}/{scenario}",
        messages=(Message("system", "You are terse."), Message("user", text)),
        max_tokens=123,
        api_base=base_of(server, wire),
        api_key=key,
        params=params or {},
        timeout_s=timeout_s,
        retries=retries,
    )


async def outcome_of(model: Streaming, call: ModelCall) -> Outcome:
    outcome = Outcome()
    began = time.monotonic()
    try:
        async for chunk in model.stream(call):
            outcome.chunks.append(chunk)
    except ProviderError as error:
        outcome.error = error
    outcome.seconds = time.monotonic() - began
    return outcome
