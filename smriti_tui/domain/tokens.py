"""The one estimate of tokens: pure, versioned, the same for every provider (DESIGN 10.19)."""

from __future__ import annotations

from collections.abc import Iterable

from smriti_tui.domain.model import Message

VERSION = "estimate/1"
PER_MESSAGE = 8
ASSUMED_LIMIT = 8192
"""Window of a model whose size nobody knows; shown as assumed."""


def text_tokens(text: str) -> int:
    """A token per 3.5 ASCII characters or 2 other bytes, rounded up."""
    size = len(text.encode())
    ascii_signs = size if text.isascii() else sum(sign < "\x80" for sign in text)
    return -(-(4 * ascii_signs + 7 * (size - ascii_signs)) // 14)


def message_tokens(content: str) -> int:
    return text_tokens(content) + PER_MESSAGE


def total_tokens(messages: Iterable[Message]) -> int:
    return sum(message_tokens(message.content) for message in messages)


def reply_reserve(limit: int, reply_tokens: int | None) -> int:
    """Tokens kept for the answer, which are also its `max_tokens`."""
    return reply_tokens if reply_tokens else min(4096, limit // 4)
