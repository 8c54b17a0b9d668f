"""The settings of one run: read once, frozen, handed to everything else.

Order: flags, environment, env file, `config.toml`, default; a blank value counts as unset. This
module loads pydantic-settings, so the app imports it behind the first frame; `light` serves
that one.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from smriti_tui.config.layers import (
    Layer,
    flag_layer,
    merge,
    problem,
    toml_layer,
    variable_layer,
)
from smriti_tui.config.light import (
    EnvFile,
    config_path,
    env_file_path,
    expand,
    read_env_file,
    read_toml,
    user_home,
)
from smriti_tui.config.models import (
    OwnPlace,
    Purpose,
    ResolvedModel,
    no_model,
    resolve,
)
from smriti_tui.config.schema import SETTINGS, ModelEntry, Settings, UiGroup
from smriti_tui.domain.errors import Invalid
from smriti_tui.providers import names

__all__ = ["Config", "ModelEntry", "Purpose", "ResolvedModel", "Variables", "load_config"]


@dataclass(frozen=True)
class Variables:
    """The environment, then the env file. A blank value counts as unset; its repr shows none."""

    environ: Mapping[str, str] = field(repr=False)
    env_file: EnvFile = field(repr=False)

    def get(self, name: str) -> str | None:
        """The value without surrounding white space, or None."""
        found = self.environ.get(name, "").strip() or self.env_file.values.get(name, "").strip()
        return found or None

    def origin(self, name: str) -> str | None:
        """Where `get` finds it."""
        if self.environ.get(name, "").strip():
            return f"{name} in the environment"
        return f"{name} in {self.env_file.path}" if self.get(name) else None


@dataclass(frozen=True)
class Config:
    """All settings, checked. No repr of it shows a key or the password of a database URL."""

    home: Path
    """Folder of database, backups, logs and worktrees; made, for its owner alone, by who writes."""
    config_file: Path
    """Where `config.toml` is or would be."""
    database_url: str = field(repr=False)
    """An absolute file path, or a URL."""
    actor: str
    space: str | None
    """The Space when none is named: `SMRITI_SPACE`, before any `.smriti.json`."""
    chat_model: str | None
    background_model: str | None
    models: tuple[ModelEntry, ...]
    timeout_s: float
    retries: int
    ui: UiGroup
    log_level: str
    keys: Mapping[str, str]
    """Action id to key."""
    own_place: OwnPlace = field(repr=False)
    variables: Variables = field(repr=False)
    origins: Mapping[str, str] = field(repr=False)
    """Dotted key to where its value stands; a key that is missing has its default."""
    problems: tuple[Invalid, ...] = ()
    """What was left out because it is wrong; only with `tolerant`."""
    warnings: tuple[str, ...] = ()

    def resolve_model(self, name: str | None = None, *, for_: Purpose = "chat") -> ResolvedModel:
        """The model `name`, or the one that is set for the purpose, with its place and key.

        Call it before anything is stored (DESIGN 10.12).

        Raises:
            ProviderError: kind `not_configured`; the hint names the variable to set.
            Ambiguous: several entries of `[[models]]` have this model.
        """
        chosen = (name or "").strip() or (
            self.chat_model if for_ == "chat" else self.background_model
        )
        if chosen is None:
            raise no_model(for_)
        return resolve(chosen, entries=self.models, own=self.own_place, lookup=self.variables.get)

    def model_names(self) -> tuple[str, ...]:
        """Every name that can be chosen without knowing litellm's list: entries, settings, demo."""
        own = [entry.name for entry in self.models]
        chosen = [names.resolve(name) for name in (self.chat_model, self.background_model) if name]
        return tuple(dict.fromkeys([*own, *chosen, *names.DEMO_NAMES]))


def load_config(
    flags: Mapping[str, object] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    tolerant: bool = False,
) -> Config:
    """Reads everything anew. `flags` has values by dotted key (`database.url`), None if not given.

    With `tolerant` (the app) a faulty value or file is left out and stands in `problems`; the next
    layer or the default counts instead.

    Raises:
        Invalid: without `tolerant`, for the first fault, naming setting and file or variable.
    """
    env = dict(os.environ if environ is None else environ)
    variables = Variables(env, read_env_file(env_file_path(env)))
    layers, problems = _layers(flags or {}, variables)
    settings, faulty = merge(layers)
    models, twice = _unique(settings.models, config_path(env))
    problems = [*problems, *sorted(faulty, key=lambda fault: fault.field or ""), *twice]
    if problems and not tolerant:
        raise problems[0]
    return _freeze(settings, models, layers, variables, tuple(problems))


def _layers(
    flags: Mapping[str, object], variables: Variables
) -> tuple[tuple[Layer, ...], list[Invalid]]:
    toml = read_toml(config_path(variables.environ))
    in_file, problems = toml_layer(toml)
    for file in (toml, variables.env_file):
        if file.fault is not None:
            problems.insert(0, _unreadable(file.path, file.fault))
    layers = (
        flag_layer(flags),
        variable_layer(variables.environ, "the environment"),
        variable_layer(variables.env_file.values, str(variables.env_file.path)),
        in_file,
    )
    return layers, problems


def _unreadable(path: Path, fault: str) -> Invalid:
    return Invalid(
        f"The settings in {path} cannot be used: {fault}.", "Mend the file, or move it away."
    )


def _unique(
    entries: Sequence[ModelEntry], path: Path
) -> tuple[tuple[ModelEntry, ...], list[Invalid]]:
    """The entries whose name is not taken by an earlier one."""
    first: dict[str, ModelEntry] = {}
    problems: list[Invalid] = []
    for number, entry in enumerate(entries, 1):
        if entry.name in first:
            key = f"[[models]] entry {number} alias"
            problems.append(problem(key, str(path), "an earlier entry has the same name"))
        else:
            first[entry.name] = entry
    return tuple(first.values()), problems


def _freeze(
    settings: Settings,
    models: tuple[ModelEntry, ...],
    layers: Sequence[Layer],
    variables: Variables,
    problems: tuple[Invalid, ...],
) -> Config:
    env = variables.environ
    home = expand(settings.home, env).absolute() if settings.home else user_home(env) / ".smriti"
    origins = _origins(layers)
    ui = settings.ui
    if ui.motion and env.get("TEXTUAL_ANIMATIONS", "").strip().lower() == "none":
        ui = ui.model_copy(update={"motion": False})
        origins["ui.motion"] = "TEXTUAL_ANIMATIONS in the environment"
    return Config(
        home=home,
        config_file=config_path(env),
        database_url=_database(settings.database.url, layers, home, env),
        actor=(settings.actor or "").strip() or _login_name(),
        space=settings.space,
        chat_model=settings.chat.model,
        background_model=settings.background.model,
        models=models,
        timeout_s=settings.provider.timeout_s,
        retries=settings.provider.retries,
        ui=ui,
        log_level=settings.log.level,
        keys=MappingProxyType(dict(settings.keys)),
        own_place=OwnPlace(
            settings.api_base, settings.api_key.get_secret_value() if settings.api_key else None
        ),
        variables=variables,
        origins=MappingProxyType(origins),
        problems=problems,
        warnings=_warnings(variables),
    )


def _origins(layers: Sequence[Layer]) -> dict[str, str]:
    found: dict[str, str] = {}
    for layer in reversed(layers):
        for spec in SETTINGS:
            if layer.holds(tuple(spec.key.split("."))):
                found[spec.key] = layer.origin(spec.key)
    return found


def _database(text: str | None, layers: Sequence[Layer], home: Path, env: Mapping[str, str]) -> str:
    """A relative path in `config.toml` counts from its folder, any other from the current one."""
    if text is None:
        return str(home / "smriti.db")
    if "://" in text:
        return text
    path = expand(text, env)
    if path.is_absolute():
        return str(path)
    in_file = not any(layer.holds(("database", "url")) for layer in layers[:-1])
    try:
        return str((config_path(env).parent / path if in_file else path).absolute())
    except OSError as error:
        raise Invalid(
            "The current folder does not exist any more.",
            "Change to another one, or give the database's whole path.",
        ) from error


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no such user, as in some containers
        return "unknown"


def _warnings(variables: Variables) -> tuple[str, ...]:
    """Not wrong enough to stop for, but the person should know."""
    file = variables.env_file
    found: list[str] = []
    if file.values and os.name == "posix" and _open_to_others(file.path):
        found.append(f"{file.path} can be read by others. Run: chmod 600 {file.path}")
    if file.bad_lines:
        lines = ", ".join(map(str, file.bad_lines))
        found.append(f"{file.path} has lines that are not NAME=value and do not count: {lines}")
    named = {"SMRITI_CONFIG": config_path(variables.environ), "SMRITI_ENV_FILE": file.path}
    for variable, path in named.items():
        if variables.environ.get(variable, "").strip() and not path.exists():
            found.append(f"{variable} names {path}, which does not exist")
    return tuple(found)


def _open_to_others(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & 0o044)
    except OSError:
        return False
