"""What the chunks of a streamed answer say. Nothing about their shape is taken for granted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from smriti_tui.providers.base import Usage

_FINISHES = {"function_call": "tool_calls"}


@dataclass
class Tally:
    """What has come of one answer so far."""

    words: bool = False
    """Text or reasoning has come."""
    tools: bool = False
    finish: str = "unknown"
    usage: object | None = None
    """The library's own object of the last usage that was told."""

    @property
    def empty(self) -> bool:
        return not self.words and not self.tools

    def take(self, chunk: object) -> Iterator[tuple[str, str]]:
        """Notes what `chunk` tells and yields its deltas as (`text` or `reasoning`, words)."""
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            self.usage = usage
        for choice in getattr(chunk, "choices", None) or ():
            if getattr(choice, "index", 0) not in (0, None):
                continue
            self._note_finish(getattr(choice, "finish_reason", None))
            yield from self._deltas(getattr(choice, "delta", None))

    def _note_finish(self, reason: object) -> None:
        if isinstance(reason, str) and reason:
            self.finish = _FINISHES.get(reason, reason)

    def _deltas(self, delta: object) -> Iterator[tuple[str, str]]:
        if getattr(delta, "tool_calls", None):
            self.tools = True
        for kind, name in (("reasoning", "reasoning_content"), ("text", "content")):
            words = getattr(delta, name, None)
            if isinstance(words, str) and words:
                self.words = True
                yield kind, words


def told_usage(chunks: Iterable[object]) -> object | None:
    """The last usage that the provider itself told; None if the library would have to guess."""
    told = [usage for c in chunks if (usage := getattr(c, "usage", None)) is not None]
    return told[-1] if told else None


def closing_usage(chunks: Iterable[object]) -> object | None:
    """The usage of a chunk without choices, which providers send after the last word."""
    return told_usage(c for c in chunks if not getattr(c, "choices", None))


def usage_of(told: object | None) -> Usage | None:
    """Our own form of the library's usage object."""
    if told is None:
        return None
    return Usage(
        input_tokens=_count(told, "prompt_tokens") or 0,
        output_tokens=_count(told, "completion_tokens") or 0,
        cached_input_tokens=_count(getattr(told, "prompt_tokens_details", None), "cached_tokens"),
        reasoning_tokens=_count(
            getattr(told, "completion_tokens_details", None), "reasoning_tokens"
        ),
    )


def _count(holder: object, name: str) -> int | None:
    value = getattr(holder, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def usd(value: object) -> str | None:
    """A number of dollars as a decimal string without an exponent; None if it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    exact = Decimal(str(value))
    if not exact.is_finite() or exact < 0:
        return None
    text = f"{exact:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
