"""What a chat model is to the rest of the program, whoever answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from smriti_tui.domain.model import Cost, Message, Usage

__all__ = [
    "AnswerForm",
    "ChatModel",
    "Chunk",
    "Cost",
    "FinishReason",
    "Finished",
    "Loading",
    "Message",
    "ModelCall",
    "ReasoningDelta",
    "Retrying",
    "TextDelta",
    "Usage",
]

FinishReason = Literal["stop", "length", "content_filter", "tool_calls", "unknown"]
AnswerForm = Literal["schema", "json", "none"]
"""What a model's answer can be held to: a JSON schema, some JSON object, or nothing."""


@dataclass(frozen=True)
class ModelCall:
    """One request: everything that decides what goes over the wire."""

    model: str
    """litellm's name of the model (`openai/gpt-4o`, `anthropic/...`) or `demo/scripted`,
    `demo/contrarian`."""
    messages: tuple[Message, ...]
    max_tokens: int
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    params: dict[str, object] = field(default_factory=dict)
    """Extra litellm parameters of the model's entry (temperature, response_format, ...)."""
    timeout_s: float = 60.0
    """Silence allowed before the first and between two chunks."""
    retries: int = 2
    """Further tries on rate limits, overload and connection faults, before the first token only."""
    setting: str = "chat.model"
    """By which setting another model is chosen; errors name it."""


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True)
class Retrying:
    """A try failed and another follows after `wait_s`; shown to the person."""

    attempt: int
    """Number of the try that failed, from 1."""
    of: int
    wait_s: float
    kind: str
    message: str


@dataclass(frozen=True)
class Loading:
    """The provider library is being loaded; `elapsed_s` since the child was started."""

    elapsed_s: float
    ready: bool = False
    """True in the last one: from now on the provider itself is waited for."""


@dataclass(frozen=True)
class Finished:
    """Last chunk of an answer that ended by itself. `attempts` counts the tries, 1 without a
    retry."""

    finish: FinishReason
    usage: Usage | None
    cost: Cost | None
    attempts: int = 1


Chunk = TextDelta | ReasoningDelta | Retrying | Loading | Finished


class ChatModel(Protocol):
    """Something that answers.

    `stream` yields chunks and ends with `Finished`; raises `ProviderError` otherwise (text that
    came before stays with the caller). Closing the generator or cancelling the task closes the
    connection to the provider.
    """

    def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]: ...
