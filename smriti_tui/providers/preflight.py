"""What can be refused before a call leaves the program: its key and its parameters."""

from __future__ import annotations

from dataclasses import replace

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers import names, wording
from smriti_tui.providers.base import ModelCall
from smriti_tui.providers.keys import usable_key
from smriti_tui.providers.wording import Asked

# Decided by the call itself, by our own policy, or able to fake an answer or to run code.
RESERVED = frozenset(
    {
        "api_base", "api_key", "base_url", "cache", "callbacks", "client", "failure_callback",
        "fallbacks", "input_callback", "logger_fn", "max_completion_tokens", "max_retries",
        "max_tokens", "messages", "mock_response", "mock_timeout", "mock_tool_calls", "model", "n",
        "num_retries", "request_timeout", "stream", "stream_options", "stream_timeout",
        "success_callback", "timeout",
    }
)  # fmt: skip


def checked(call: ModelCall) -> ModelCall:
    """`call` with its name resolved and its key trimmed.

    Raises:
        ProviderError: `not_configured` (no key where one is needed and no base URL is given),
            `auth` (a key that cannot be one), `bad_request` (a parameter not for an entry to set).
    """
    asked = Asked(call.model, call.api_base, call.timeout_s, call.setting)
    try:
        key = usable_key(call.api_key)
    except ValueError as error:
        raise ProviderError(
            f"The key for {asked.provider} cannot be sent for {asked.shown}: {error}.",
            wording.hint("auth", asked),
            kind="auth",
        ) from None
    if key is None and not call.api_base and names.needs_key(call.model):
        raise ProviderError(
            wording.message("not_configured", asked),
            wording.hint("not_configured", asked),
            kind="not_configured",
        )
    if taken := sorted(RESERVED.intersection(call.params)):
        raise ProviderError(
            f"The parameter {clean_line(taken[0])} of {asked.shown} is not one to set.",
            "Remove it from params of the model's [[models]] entry.",
            kind="bad_request",
        )
    return replace(call, model=names.resolve(call.model), api_key=key)
