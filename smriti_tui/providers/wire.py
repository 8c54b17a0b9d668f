"""The messages between a program and its provider process: JSON objects, one a line, in ASCII.

To the child: `chat`, `cancel`, `limits` (key `op`). From it: `ready`, `broken`, `text`,
`reasoning`, `finished`, `failed`, `limits` (key `type`). `id` ties the replies of a call together.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import get_args

from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import AnswerForm, Cost, Finished, FinishReason, ModelCall, Usage

WireMessage = dict[str, object]


@dataclass(frozen=True)
class ModelLimits:
    """What the provider library knows of a model; None where it knows nothing."""

    context_tokens: int | None = None
    output_tokens: int | None = None
    input_usd: str | None = None
    """Price of one input token in US dollars, a decimal string."""
    output_usd: str | None = None
    form: AnswerForm = "none"
    """What its answers can be held to; nothing for a model it does not know."""


@dataclass(frozen=True)
class Failure:
    """A call that failed, ready to be shown: no key, no raw reply in it."""

    kind: str
    message: str
    hint: str
    status: int | None = None
    retry_after_s: float | None = None
    """What the provider asked for, None if it did not."""
    refused: str | None = None
    """The parameter of the call that the provider refused by its name."""


def encode(message: WireMessage) -> bytes:
    # ASCII: lone surrogates survive, and no byte of a line can be taken for a line end.
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> WireMessage | None:
    """The message of a line; None if it is none (something else wrote to the pipe)."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def chat(number: int, call: ModelCall) -> WireMessage:
    """The order to make `call`. The only message that carries a key."""
    return {
        "op": "chat",
        "id": number,
        "model": call.model,
        "messages": [{"role": m.role, "content": m.content} for m in call.messages],
        "max_tokens": call.max_tokens,
        "api_base": call.api_base,
        "api_key": call.api_key,
        "params": call.params,
        "timeout_s": call.timeout_s,
        "setting": call.setting,
    }


def text_of(message: WireMessage, key: str) -> str:
    value = message.get(key)
    return value if isinstance(value, str) else ""


def optional_text(message: WireMessage, key: str) -> str | None:
    return text_of(message, key) or None


def whole_of(message: WireMessage, key: str) -> int | None:
    value = message.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number_of(message: WireMessage, key: str) -> float | None:
    value = message.get(key)
    return float(value) if isinstance(value, int | float) else None


def object_of(message: WireMessage, key: str) -> WireMessage:
    value = message.get(key)
    return value if isinstance(value, dict) else {}


def finished_message(
    number: int, finish: str, usage: Usage | None, cost: Cost | None
) -> WireMessage:
    return {
        "type": "finished",
        "id": number,
        "finish": finish,
        "usage": asdict(usage) if usage else None,
        "cost": asdict(cost) if cost else None,
    }


def finished(message: WireMessage) -> Finished:
    usage, cost = object_of(message, "usage"), object_of(message, "cost")
    return Finished(
        finish=_finish_reason(text_of(message, "finish")),
        usage=Usage(
            input_tokens=whole_of(usage, "input_tokens") or 0,
            output_tokens=whole_of(usage, "output_tokens") or 0,
            cached_input_tokens=whole_of(usage, "cached_input_tokens"),
            reasoning_tokens=whole_of(usage, "reasoning_tokens"),
        )
        if usage
        else None,
        cost=Cost(text_of(cost, "usd"), text_of(cost, "source")) if cost else None,
    )


def _finish_reason(word: str) -> FinishReason:
    known: dict[str, FinishReason] = {name: name for name in get_args(FinishReason)}
    return known.get(word, "unknown")


def failed_message(number: int, failure: Failure) -> WireMessage:
    return {"type": "failed", "id": number, **asdict(failure)}


def error_of(message: WireMessage) -> ProviderError:
    """The error that a `failed` message stands for."""
    details: dict[str, object] = {"status": whole_of(message, "status")}
    if (wait := number_of(message, "retry_after_s")) is not None:
        details["retry_after_s"] = wait
    if refused := optional_text(message, "refused"):
        details["refused"] = refused
    return ProviderError(
        text_of(message, "message"),
        text_of(message, "hint"),
        kind=text_of(message, "kind") or "unknown",
        details=details,
    )


def limits_message(number: int, limits: ModelLimits) -> WireMessage:
    return {"type": "limits", "id": number, **asdict(limits)}


def limits(message: WireMessage) -> ModelLimits:
    return ModelLimits(
        context_tokens=whole_of(message, "context_tokens"),
        output_tokens=whole_of(message, "output_tokens"),
        input_usd=optional_text(message, "input_usd"),
        output_usd=optional_text(message, "output_usd"),
        form=_form(text_of(message, "form")),
    )


def _form(word: str) -> AnswerForm:
    known: dict[str, AnswerForm] = {name: name for name in get_args(AnswerForm)}
    return known.get(word, "none")
