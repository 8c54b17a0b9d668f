"""The models one can choose, with their windows and whether their keys are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from smriti_tui.config.models import NO_KEY
from smriti_tui.config.settings import Config
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.events import Limit
from smriti_tui.providers.names import PROVIDERS
from smriti_tui.services.chat import ChatService
from smriti_tui.services.models import ModelChoice


@dataclass(frozen=True)
class ModelEntry:
    """A model as it is offered. Never holds a key."""

    name: str
    model: str
    limit: Limit | None
    """None: it cannot be used now."""
    key: str
    """Whether a key was found, in words."""
    problem: str = ""
    """Why it cannot be used, and what to do."""


def model_entries(chat: ChatService, names: Iterable[str]) -> tuple[ModelEntry, ...]:
    """All of `names`, those that cannot be used now included."""
    return tuple(model_entry(chat, name) for name in names)


def model_entry(chat: ChatService, name: str) -> ModelEntry:
    """What is known of one name without asking anybody."""
    try:
        choice = chat.resolve(name)
        return ModelEntry(choice.name, choice.model, chat.limits.known(choice), _key(choice))
    except SmritiError as error:
        return ModelEntry(
            name, name, None, "no key" if _no_key(error) else "not usable", str(error)
        )


def _no_key(error: SmritiError) -> bool:
    return "variable" in error.details


def _key(choice: ModelChoice) -> str:
    if choice.model.startswith("demo/") or choice.api_key == NO_KEY:
        return "no key needed"
    return "key found" if choice.api_key is not None else "no key of ours"


def known_providers(config: Config) -> Mapping[str, str]:
    """The providers by name, those with a key first, and what is known of their keys."""
    found: dict[str, str] = {}
    for name, entry in PROVIDERS.items():
        there = [variable for variable in entry.key_variables if config.variables.get(variable)]
        if there:
            found[name] = f"{there[0]} is set"
        elif entry.key_variables:
            found[name] = f"needs {entry.key_variables[0]}"
        else:
            found[name] = "no key needed"
    return dict(sorted(found.items(), key=lambda each: not each[1].endswith(" is set")))


def with_key(config: Config) -> tuple[tuple[str, str], ...]:
    """Providers whose key is there, with its variable's name."""
    return tuple(
        (name, words.removesuffix(" is set"))
        for name, words in known_providers(config).items()
        if words.endswith(" is set")
    )
