"""The settings as they are shown (`smriti config`, doctor, the app): no part of any key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smriti_tui.config.schema import SETTINGS, ModelEntry
from smriti_tui.config.settings import Config
from smriti_tui.config.urls import shown_url
from smriti_tui.domain.clean import clean_line
from smriti_tui.providers.names import PROVIDERS


@dataclass(frozen=True)
class Setting:
    """One line of `smriti config`; all texts are cleaned."""

    name: str
    """Dotted key, or the variable of a provider's key."""
    variable: str | None
    value: str | None
    """As shown; None where nothing is set."""
    origin: str
    """Where the value stands, or `default`."""


def describe(config: Config) -> tuple[Setting, ...]:
    """Every setting with value and origin, in the order of the manual."""
    return tuple(
        Setting(
            name=clean_line(shown.name),
            variable=shown.variable,
            value=None if shown.value is None else clean_line(shown.value),
            origin=clean_line(shown.origin),
        )
        for part in (_places, _table, _models, _keys, _provider_keys)
        for shown in part(config)
    )


def _places(config: Config) -> Iterator[Setting]:
    environ = config.variables.environ
    for name, variable, path in (
        ("config_file", "SMRITI_CONFIG", config.config_file),
        ("env_file", "SMRITI_ENV_FILE", config.variables.env_file.path),
    ):
        named = environ.get(variable, "").strip()
        yield Setting(
            name, variable, str(path), f"{variable} in the environment" if named else "default"
        )


def _table(config: Config) -> Iterator[Setting]:
    api_base = config.own_place.api_base
    values: dict[str, object] = {
        "home": config.home,
        "database.url": shown_url(config.database_url),
        "actor": config.actor,
        "space": config.space,
        "chat.model": config.chat_model,
        "background.model": config.background_model,
        "api_base": None if api_base is None else shown_url(api_base),
        "api_key": None if config.own_place.api_key is None else "set",
        "provider.timeout_s": f"{config.timeout_s:g}",
        "provider.retries": config.retries,
        "ui.theme": config.ui.theme,
        "ui.glyphs": config.ui.glyphs,
        "ui.motion": "on" if config.ui.motion else "off",
        "ui.mouse": "on" if config.ui.mouse else "off",
        "log.level": config.log_level,
    }
    for spec in SETTINGS:
        value = values[spec.key]
        yield Setting(
            spec.key,
            spec.variable,
            None if value is None else str(value),
            config.origins.get(spec.key, "default"),
        )


def _models(config: Config) -> Iterator[Setting]:
    for entry in config.models:
        yield Setting(
            f"models.{entry.name}", None, _entry_text(entry, config), str(config.config_file)
        )


def _entry_text(entry: ModelEntry, config: Config) -> str:
    parts = [entry.model]
    if entry.api_base is not None:
        parts.append(f"at {shown_url(entry.api_base)}")
    if entry.api_key_env is not None:
        there = config.variables.get(entry.api_key_env) is not None
        parts.append(f"key {entry.api_key_env} ({'set' if there else 'not set'})")
    if entry.context_tokens is not None:
        parts.append(f"context {entry.context_tokens}")
    if entry.reply_tokens is not None:
        parts.append(f"reply {entry.reply_tokens}")
    if entry.params:
        parts.append(f"params {' '.join(sorted(entry.params))}")
    return ", ".join(parts)


def _keys(config: Config) -> Iterator[Setting]:
    for action, key in sorted(config.keys.items()):
        yield Setting(f"keys.{action}", None, key, str(config.config_file))


def _provider_keys(config: Config) -> Iterator[Setting]:
    """The providers' usual variables that are set."""
    names = dict.fromkeys(name for entry in PROVIDERS.values() for name in entry.key_variables)
    for name in names:
        origin = config.variables.origin(name)
        if origin is not None:
            yield Setting(name, name, "set", origin)
