"""Which model answers, where it is, which key goes there. Pure: reads no file, no environment.

The rule for keys: a key goes to the place it was given for. An entry's key goes to the entry's
`api_base`; `SMRITI_API_KEY` goes with `SMRITI_API_BASE`; a provider's usual key goes to the
provider's usual place. A place of one's own without a key of its own gets `NO_KEY`, so that the
provider library cannot pick another key from its environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from types import MappingProxyType
from typing import Final, Literal
from urllib.parse import urlsplit

from smriti_tui.config.schema import ModelEntry
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Ambiguous, ProviderError
from smriti_tui.providers import names
from smriti_tui.providers.keys import usable_key

Purpose = Literal["chat", "background"]
Lookup = Callable[[str], str | None]
"""Value of an environment variable, from the environment or the env file; None where blank."""

NO_KEY: Final = "not-needed"
OWN_CREDENTIALS: Final = frozenset({"bedrock", "sagemaker", "vertex_ai"})
"""Providers whose library finds a machine's credentials by itself."""
_Found = tuple[str | None, str | None]
"""(variable, key); (None, None) where none is needed."""


@dataclass(frozen=True)
class ResolvedModel:
    """Everything that a call needs to reach a model. Its repr shows no key."""

    name: str
    """As shown: the alias where there is one."""
    model: str
    """litellm's name, or `demo/scripted`, `demo/contrarian`."""
    api_base: str | None = field(default=None, repr=False)
    """None: the provider's own place."""
    api_key: str | None = field(default=None, repr=False)
    """None: none is needed, or the provider library finds a machine's credentials by itself."""
    key_variable: str | None = None
    """The variable that `api_key` came from."""
    context_tokens: int | None = None
    reply_tokens: int | None = None
    params: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def is_demo(self) -> bool:
        return names.is_demo(self.model)


@dataclass(frozen=True)
class OwnPlace:
    """`SMRITI_API_BASE` and `SMRITI_API_KEY`: for models that have no entry."""

    api_base: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)


def is_local(api_base: str | None) -> bool:
    """Whether the server is on this machine, where no key is needed."""
    if api_base is None:
        return False
    try:
        host = urlsplit(api_base).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:  # a name, or no URL at all
        return False


def resolve(
    name: str, *, entries: Sequence[ModelEntry], own: OwnPlace, lookup: Lookup
) -> ResolvedModel:
    """The model that `name` (an alias, an entry's model, a demo model, litellm's name) means.

    Raises:
        ProviderError: kind `not_configured`: the name has no provider or its key is missing; the
            hint names the variable to set.
        Ambiguous: several entries have this model and none has it as its alias.
    """
    name = names.resolve(name)
    if names.is_demo(name):
        return ResolvedModel(name=name, model=name)
    entry = _find_entry(name, entries)
    if entry is None:
        return _resolve_plain(name, own, lookup)
    return _resolve_entry(entry, lookup)


def _find_entry(name: str, entries: Sequence[ModelEntry]) -> ModelEntry | None:
    for entry in entries:
        if entry.alias == name:
            return entry
    same = [entry for entry in entries if entry.model == name]
    if len(same) > 1:
        aliases = [entry.name for entry in same]
        raise Ambiguous(
            f"Several entries of [[models]] have the model {clean_line(name)}.",
            f"Name one by its alias: {', '.join(aliases)}.",
            details={"candidates": aliases},
        )
    return same[0] if same else None


def _resolve_entry(entry: ModelEntry, lookup: Lookup) -> ResolvedModel:
    _refuse_without_provider(entry.model)
    base = entry.api_base
    found: _Found = (None, None)
    if entry.api_key_env is not None:
        found = (entry.api_key_env, _usable(entry.api_key_env, lookup(entry.api_key_env)))
        if found[1] is None and not is_local(base):
            raise missing_key(entry.name, (entry.api_key_env,))
    elif base is None:
        base = _usual_base(entry.model, lookup)
        found = _usual_key(entry.name, entry.model, base, lookup)
    return ResolvedModel(
        name=entry.name,
        model=entry.model,
        api_base=base,
        api_key=_sendable(entry.model, found[1], base),
        key_variable=found[0] if found[1] is not None else None,
        context_tokens=entry.context_tokens,
        reply_tokens=entry.reply_tokens,
        params=MappingProxyType(dict(entry.params)),
    )


def _resolve_plain(model: str, own: OwnPlace, lookup: Lookup) -> ResolvedModel:
    _refuse_without_provider(model)
    base = own.api_base or _usual_base(model, lookup)
    found: _Found = (None, None)
    if own.api_key is not None:
        found = ("SMRITI_API_KEY", _usable("SMRITI_API_KEY", own.api_key))
    elif own.api_base is None:
        found = _usual_key(model, model, base, lookup)
    elif not is_local(base):
        raise missing_key(model, ("SMRITI_API_KEY",), ", which goes with SMRITI_API_BASE,")
    return ResolvedModel(
        name=model,
        model=model,
        api_base=base,
        api_key=_sendable(model, found[1], base),
        key_variable=found[0],
    )


def _usual_base(model: str, lookup: Lookup) -> str | None:
    return next((base for name in names.base_variables(model) if (base := lookup(name))), None)


def _usual_key(name: str, model: str, base: str | None, lookup: Lookup) -> _Found:
    variables = names.key_variables(model)
    for variable in variables:
        key = _usable(variable, lookup(variable))
        if key is not None:
            return variable, key
    if names.needs_key(model) and not is_local(base):
        raise missing_key(name, variables)
    return None, None


def _usable(variable: str, text: str | None) -> str | None:
    try:
        return usable_key(text)
    except ValueError as error:
        raise ProviderError(
            f"The value of {variable} cannot be a key: {error}.",
            "Copy the key again, whole and alone.",
            kind="not_configured",
            details={"variable": variable},
        ) from None


def _sendable(model: str, key: str | None, base: str | None) -> str | None:
    if key is None and base is not None and names.provider_of(model) not in OWN_CREDENTIALS:
        return NO_KEY
    return key


def _refuse_without_provider(model: str) -> None:
    if names.provider_of(model) == "demo":
        raise ProviderError(
            f"{clean_line(model)} is no model: there are demo/scripted and demo/contrarian, and "
            "[[models]] cannot rename them.",
            "Name one of them, or PROVIDER/MODEL, for example openai/gpt-4o.",
            kind="not_configured",
            details={"model": model},
        )
    if names.provider_of(model) == "":
        raise ProviderError(
            f"{clean_line(model)} is neither a model alias nor a model name with its provider.",
            "Write PROVIDER/MODEL, for example openai/gpt-4o, or give it an alias in [[models]].",
            kind="not_configured",
            details={"model": model},
        )


def missing_key(name: str, variables: tuple[str, ...], why: str = "") -> ProviderError:
    """No key for the model: nothing was sent, nothing was stored."""
    first, *others = variables
    also = f" (or {', '.join(others)})" if others else ""
    return ProviderError(
        f"There is no key for the model {clean_line(name)}.",
        f"Set {first}{also}{why} in the environment or in the env file.",
        kind="not_configured",
        details={"model": name, "variable": first},
    )


def no_model(purpose: Purpose) -> ProviderError:
    """No model is chosen for this purpose; the other purpose's is never taken instead."""
    variable = f"SMRITI_{purpose.upper()}_MODEL"
    return ProviderError(
        f"No {purpose} model is set.",
        f"Set {variable} (or {purpose}.model in config.toml) to, say, openai/gpt-4o or demo.",
        kind="not_configured",
        details={"variable": variable},
    )
