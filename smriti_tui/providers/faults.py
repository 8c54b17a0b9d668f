"""From what the provider library raised to a `ProviderError` kind: status, then class, then words.

Pure functions of plain values; the library itself is not needed here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class Raised:
    """An exception of the provider library, as plain values."""

    status: int | None
    classes: tuple[str, ...]
    """Names of its class and of that one's bases."""
    text: str
    """Its message, raw."""
    causes: str = ""
    """The texts of the exceptions behind it."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of the provider's reply, names in lower case."""


_UNKNOWN_PROVIDER = re.compile(r"llm provider not provided", re.IGNORECASE)
_NO_KEY = re.compile(
    r"missing (?:\w+ )?(?:api[ _-]?key|credentials)|api_key client option must be set"
    r"|no key is set",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[_ ](?:length|window|size|limit)|maximum context|prompt is too long|too many tokens"
    r"|input (?:is|length)[^.]{0,40}(?:too long|exceed)|exceeds? the (?:available )?context"
    r"|token limit exceeded|request_too_large",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"quota|billing|credit|insufficient[ _]?(?:funds|balance)|payment", re.IGNORECASE
)
_RATE = re.compile(r"rate[ _-]?limit|too many requests", re.IGNORECASE)
_BAD_KEY = re.compile(
    r"(?:api[ _-]?key|credentials?|token)[^.]{0,40}(?:invalid|not valid|incorrect|expired)"
    r"|(?:invalid|incorrect|expired)[^.]{0,20}(?:api[ _-]?key|credentials?)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(r"model[^.]{0,80}(?:not found|does not exist|not exist)", re.IGNORECASE)
_SILENT = re.compile(r"timed? ?out|timeout", re.IGNORECASE)
_REPEATING = re.compile(r"repeating the same chunk", re.IGNORECASE)
_ENDED_EARLY = re.compile(r"ended before a finish_reason", re.IGNORECASE)
_NOT_JSON = re.compile(
    r"unterminated string|expecting (?:value|property|',' |':' )|extra data:"
    r"|invalid control character|jsondecodeerror|error parsing chunk",
    re.IGNORECASE,
)
_NO_LINE = re.compile(
    r"connection (?:error|reset|refused|aborted|closed|lost)|cannot connect|connect call failed"
    r"|server disconnected|payload is not completed|peer closed|incomplete (?:chunked )?read"
    r"|name or service not known|nodename nor servname|getaddrinfo|name resolution"
    r"|network is unreachable|no route to host|ssl|certificate|broken pipe"
    r"|connection attempts failed",
    re.IGNORECASE,
)

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "response_format": (
            r"response[_ ]?format|response_?schema|json[_ ]?(?:schema|object|mode|tool_call)"
            r"|structured[ _-]?outputs?|output_(?:format|config)|guided_json|\btool_choice\b"
            r"|\btools?\b[^.]{0,40}(?:not |un)support|support[^.]{0,20}\btool"
        )
    }
)
_BY_STATUS: Mapping[int, str] = MappingProxyType(
    {
        401: "auth",
        402: "quota",
        403: "permission",
        404: "model_not_found",
        408: "timeout",
        413: "context_too_long",
        # Told by a gateway at once; the library makes a time-out of it.
        504: "server",
    }
)
_WITHOUT_STATUS = frozenset(
    {"bad_reply", "connection", "cut", "empty", "not_configured", "repeating", "timeout"}
)
_BY_CLASS: Mapping[str, str] = MappingProxyType(
    {
        "AuthenticationError": "auth",
        "PermissionDeniedError": "permission",
        "NotFoundError": "model_not_found",
        "ContextWindowExceededError": "context_too_long",
        "RateLimitError": "rate_limited",
        "Timeout": "timeout",
        "TimeoutError": "timeout",
        "BadRequestError": "bad_request",
        "UnsupportedParamsError": "bad_request",
    }
)


def is_unknown_provider(raised: Raised) -> bool:
    """The library found no provider for the model name; nothing was sent."""
    return _UNKNOWN_PROVIDER.search(raised.text) is not None


def ended_early(raised: Raised) -> bool:
    """The stream was closed in good order, but without a finish reason."""
    return _ENDED_EARLY.search(raised.text) is not None


def has_status(raised: Raised, kind: str) -> bool:
    """Whether the status came from the provider: for broken lines the library makes one up."""
    return (
        kind not in _WITHOUT_STATUS
        and not is_unknown_provider(raised)
        and "MidStreamFallbackError" not in raised.classes
    )


def refused_parameter(raised: Raised, params: Collection[str]) -> str | None:
    """The first of `params` that the words of a refusal name, also by what it became on the way:
    of an answer's form the library makes a tool call for some providers."""
    for name in params:
        if re.search(_NAMES.get(name, rf"\b{re.escape(name)}\b"), raised.text, re.IGNORECASE):
            return name
    return None


def kind_of(raised: Raised, *, began: bool) -> str:
    """The kind of a fault; `began`: some of the answer had come.

    What the library found by itself, before it sent anything, has a made-up status: it goes first.
    """
    if is_unknown_provider(raised):
        return "model_not_found"
    if _NO_KEY.search(raised.text):
        return "not_configured"
    status = raised.status or 0
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status == 429:
        return _too_many(raised.text)
    if 400 <= status < 500:
        return _refused(raised)
    if status >= 500:
        return _broken(raised, began)
    for name in raised.classes:
        if name in _BY_CLASS:
            return _BY_CLASS[name]
    kind = _broken(raised, began)
    return kind if kind != "server" else "unknown"


def _too_many(text: str) -> str:
    # Both come as 429; waiting helps against one of them only.
    return "quota" if _QUOTA.search(text) else "rate_limited"


def _refused(raised: Raised) -> str:
    if "ContextWindowExceededError" in raised.classes or _TOO_LONG.search(raised.text):
        return "context_too_long"
    if _BAD_KEY.search(raised.text):
        return "auth"
    if _NO_MODEL.search(raised.text):
        return "model_not_found"
    return "bad_request"


def _broken(raised: Raised, began: bool) -> str:
    """What a 5xx is: the library gives that status to broken lines and broken streams too."""
    if "Timeout" in raised.classes:
        return "timeout"
    if _REPEATING.search(raised.text):
        return "repeating"
    if ended_early(raised):
        return "cut" if began else "empty"
    if _NOT_JSON.search(raised.text):
        return "cut" if began else "bad_reply"
    if "MidStreamFallbackError" in raised.classes and (kind := _told_in_stream(raised.text)):
        return kind
    if _NO_LINE.search(raised.text):
        return "cut" if began else "connection"
    if _SILENT.search(raised.text) and "APIConnectionError" in raised.classes:
        return "timeout"
    return "server"


def _told_in_stream(text: str) -> str | None:
    """An error object inside a stream has no status of its own; its words must do."""
    if _TOO_LONG.search(text):
        return "context_too_long"
    if _RATE.search(text):
        return _too_many(text)
    return None
