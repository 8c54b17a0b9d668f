"""The sentence and the hint of a failed model call: plain words that name provider and model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from smriti_tui.domain.clean import clean_line
from smriti_tui.providers import names

_CAUSES = (
    (r"refused|connect call failed", "nothing listens there"),
    (r"name or service|nodename|getaddrinfo|name resolution", "its name cannot be resolved"),
    (r"wrong.version.number|record layer failure", "it does not speak https"),
    (r"certificate|ssl.{0,20}(?:error|fail)", "its certificate was not accepted"),
    (r"unreachable|no route", "the network is unreachable"),
    (r"timed? ?out", "it took too long"),
    (r"disconnected|reset|peer closed|not completed|broken pipe", "it closed the connection"),
)


@dataclass(frozen=True)
class Asked:
    """What was asked of whom; everything that a sentence about it may name."""

    model: str
    api_base: str | None = None
    timeout_s: float = 60.0
    setting: str = "chat.model"
    """By which another model is chosen."""

    @property
    def shown(self) -> str:
        return clean_line(self.model) or "(no name)"

    @property
    def provider(self) -> str:
        return clean_line(names.provider_of(self.model)) or "the provider"

    @property
    def address(self) -> str:
        """Scheme, host and port of the base URL: the rest may hold a password."""
        try:
            url = urlsplit(self.api_base or "")
            port = f":{url.port}" if url.port else ""
        except ValueError:
            return ""
        return clean_line(f"{url.scheme}://{url.hostname}{port}") if url.hostname else ""

    @property
    def place(self) -> str:
        return f"{self.provider} at {self.address}" if self.address else self.provider


def message(
    kind: str, asked: Asked, said: str = "", *, causes: str = "", began: bool = False
) -> str:
    """One sentence about a fault of `kind`; `said`: the provider's words, already without keys."""
    write = _SENTENCES.get(kind, _unknown)
    return write(asked, f": {said}" if said else "", _cause(causes), began)


def _cause(text: str) -> str:
    for pattern, words in _CAUSES:
        if re.search(pattern, text, re.IGNORECASE):
            return f" ({words})"
    return ""


Sentence = Callable[[Asked, str, str, bool], str]


def _plain(template: str) -> Sentence:
    def write(asked: Asked, said: str, cause: str, began: bool) -> str:
        return template.format(
            provider=asked.provider,
            model=asked.shown,
            place=asked.place,
            said=said,
            cause=cause,
            silence=f"{asked.timeout_s:g}",
            when="while it was answering" if began else "before the answer began",
        )

    return write


_unknown = _plain("The call of {model} at {provider} failed{said}.")
_SENTENCES: dict[str, Sentence] = {
    "not_configured": _plain("No key is set for {provider}, and {model} needs one."),
    "auth": _plain("{provider} refused the key for {model}{said}."),
    "permission": _plain("{provider} does not let this key use {model}{said}."),
    "model_not_found": _plain("{provider} has no model {model}{said}."),
    "unknown_provider": _plain("No provider is known for the model name {model}."),
    "bad_request": _plain("{provider} refused the request for {model}{said}."),
    "context_too_long": _plain("{provider} says that the context is too long for {model}{said}."),
    "rate_limited": _plain("{provider} limits the rate of calls to {model}{said}."),
    "quota": _plain("The quota or credit at {provider} does not cover {model}{said}."),
    "server": _plain("{place} had a fault of its own with {model}{said}."),
    "connection": _plain("There is no connection to {place} for {model}{cause}."),
    "timeout": _plain("{place} was silent for {silence} s with {model}, {when}."),
    "cut": _plain("The connection to {place} broke off while {model} was answering."),
    "empty": _plain("{place} ended the answer of {model} without a single word{said}."),
    "not_a_stream": _plain(
        "{place} answered the call of {model} with nothing that reads as a chat answer."
    ),
    "bad_reply": _plain("{place} sent an answer for {model} that cannot be read."),
    "repeating": _plain("{model} at {provider} repeated itself without end and was stopped."),
}


def hint(kind: str, asked: Asked, retry_after_s: float | None = None) -> str:
    """What to do next, naming the setting to change and the wait that the provider asked for."""
    if kind == "rate_limited" and retry_after_s:
        return f"Wait {retry_after_s:g} s and send again, or {_other(asked)}."
    if kind in ("not_configured", "auth"):
        return _key_hint(asked)
    told = _HINTS.get(kind, "Send again; if it stays, {other}.")
    return told.replace("{other}", _other(asked)).replace("{setting}", asked.setting)


def _other(asked: Asked) -> str:
    return f"choose another model ({asked.setting})"


def _key_hint(asked: Asked) -> str:
    variables = names.key_variables(asked.model)
    own = "SMRITI_API_KEY, or api_key_env in the model's [[models]] entry"
    where = f"{variables[0]} ({own})" if variables else own
    return f"Set {where}, or {_other(asked)}."


_BASE = "Check the base URL (SMRITI_API_BASE, or api_base in the model's [[models]] entry)"
_HINTS: dict[str, str] = {  # `{other}` and `{setting}` are filled in
    "permission": "Use a key that may (api_key_env), or {other}.",
    "model_not_found": (
        "Check the model name ({setting}, or model in its [[models]] entry) "
        "and the base URL (api_base)."
    ),
    "unknown_provider": (
        "Set {setting} to PROVIDER/MODEL, such as openai/gpt-4o, an alias of yours, or demo."
    ),
    "bad_request": "Check the params of the model's [[models]] entry, or choose another model.",
    "context_too_long": (
        "Save a checkpoint to start a fresh window, or lower context_tokens "
        "in the model's [[models]] entry."
    ),
    "rate_limited": "Wait a little and send again, or {other}.",
    "quota": "Check the account at the provider, or {other}.",
    "server": "Send again in a while, or {other}.",
    "connection": f"{_BASE} and the network, then send again.",
    "timeout": "Send again, or allow more silence (SMRITI_TIMEOUT_S).",
    "cut": "What came is kept; ask again for a whole answer.",
    "empty": "Ask again; if it stays, {other} or a larger reply_tokens.",
    "not_a_stream": f"{_BASE}; a sign-in page of the network answers like this too.",
    "bad_reply": f"{_BASE}: it must speak the protocol that the model name says.",
    "repeating": "What came is kept; ask again, or {other}.",
}
