"""The layers of settings (flags, environment, env file, `config.toml`) and their merge.

pydantic-settings merges and checks; a layer knows where each of its values came from, so that an
error can name variable or file and `smriti config` the origin. No message ever holds a value: it
may be a key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource

from smriti_tui.config.light import TomlFile, flat_keys, switch
from smriti_tui.config.schema import SETTINGS, Settings, Spec, from_text
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid

Loc = tuple[str | int, ...]


@dataclass(frozen=True)
class Layer:
    """Nested values of one source, in a copy of its own: `merge` takes faulty values out of it."""

    values: dict[str, object] = field(repr=False)
    origin: Callable[[str], str] = field(repr=False)
    """Dotted key to the words for where its value stands."""

    def holds(self, loc: Loc) -> bool:
        first, *rest = loc
        inner = self.values.get(str(first))
        if rest and isinstance(inner, tuple):
            return int(rest[0]) < len(inner)
        if rest and isinstance(inner, dict):
            return rest[0] in inner
        return not rest and str(first) in self.values

    def take_out(self, loc: Loc) -> None:
        """Forget the value at `loc`, which `holds` confirmed: `(key,)`, `(group, key or index)`."""
        first, *rest = loc
        inner = self.values[str(first)]
        if rest and isinstance(inner, tuple):
            self.values[str(first)] = inner[: int(rest[0])] + inner[int(rest[0]) + 1 :]
        elif rest and isinstance(inner, dict):
            del inner[rest[0]]
        else:
            del self.values[str(first)]


def flag_layer(flags: Mapping[str, object]) -> Layer:
    """Values by dotted key, as parsed from the command line; None and blank text count as unset."""
    values: dict[str, object] = {}
    for key, value in flags.items():
        if value is not None and not _blank(value):
            _put(values, key, _copy(value))
    return Layer(values, lambda _key: "flag")


def variable_layer(variables: Mapping[str, str], place: str) -> Layer:
    """The `SMRITI_*` variables of the environment or of an env file."""
    values: dict[str, object] = {}
    names: dict[str, str] = {}
    for spec in SETTINGS:
        text = variables.get(spec.variable, "").strip() if spec.variable else ""
        if text and spec.variable:
            _put(values, spec.key, from_text(spec.kind, text))
            names[spec.key] = f"{spec.variable} in {place}"
    return Layer(values, lambda key: names.get(key, place))


def toml_layer(file: TomlFile) -> tuple[Layer, list[Invalid]]:
    """What may stand in `config.toml`, and a problem for each top-level key that may not."""
    problems: list[Invalid] = []
    values: dict[str, object] = {}
    allowed = {spec.key.partition(".")[0] for spec in SETTINGS if spec.in_file} | {"models", "keys"}
    for key, value in file.values.items():
        if key in allowed:
            if not _blank(value):
                values[key] = _copy(value)
        else:
            problems.append(_not_here(key, file))
    groups = {spec.key.partition(".")[0] for spec in SETTINGS if "." in spec.key}
    for key in groups & values.keys():
        if not isinstance(values[key], dict):
            del values[key]
            problems.append(problem(key, str(file.path), "should be a table", f"Write [{key}]."))
    for spec in SETTINGS:
        _adapt(values, spec)
    keys = values.get("keys")
    if isinstance(keys, dict):
        values["keys"] = flat_keys(keys)
    models = values.get("models")
    if isinstance(models, list):
        values["models"] = tuple(models)
    return Layer(values, lambda _key: str(file.path)), problems


def _not_here(key: str, file: TomlFile) -> Invalid:
    variable = next((spec.variable for spec in SETTINGS if spec.key == key), None)
    hint = f"Set {variable} instead." if variable else "Check its spelling."
    return problem(key, str(file.path), "it is not a setting of this file", hint)


def _adapt(values: dict[str, object], spec: Spec) -> None:
    """Switch words become switches, blank text becomes unset; other values stay for the check."""
    group, dot, name = spec.key.partition(".")
    table = values.get(group)
    if not dot or not isinstance(table, dict) or name not in table:
        return
    if _blank(table[name]):
        del table[name]
    elif spec.kind == "switch":
        found = switch(table[name])
        table[name] = table[name] if found is None else found


def _blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


def _copy(value: object) -> object:
    """A deep copy without blank texts: everywhere in the file they count as unset."""
    if isinstance(value, dict):
        return {str(key): _copy(inner) for key, inner in value.items() if not _blank(inner)}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value


def _put(values: dict[str, object], key: str, value: object) -> None:
    group, dot, name = key.partition(".")
    if not dot:
        values[key] = value
        return
    table = values.setdefault(group, {})
    assert isinstance(table, dict)
    table[name] = value


def merge(layers: Sequence[Layer]) -> tuple[Settings, list[Invalid]]:
    """The checked settings, first layer first, and a problem for each value that was left out.

    A faulty value is taken out of its layer, so that the next layer or the default counts instead;
    of `[[models]]` the whole faulty entry.
    """
    problems: list[Invalid] = []
    while True:
        try:
            return _check(layers), problems
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False, include_input=False)
        found = {fault["loc"][:2]: fault for fault in reversed(faults)}
        for place in sorted(found, key=lambda loc: (str(loc[0]), *loc[1:]), reverse=True):
            owner = next(layer for layer in layers if layer.holds(place))
            owner.take_out(place)
            problems.append(_explain(found[place], owner))


def _check(layers: Sequence[Layer]) -> Settings:
    class Merged(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return tuple(InitSettingsSource(settings_cls, layer.values) for layer in layers)

    return Merged()


def _explain(fault: ErrorDetails, owner: Layer) -> Invalid:
    loc = fault["loc"]
    key = ".".join(str(part) for part in loc)
    if loc[0] == "models" and len(loc) > 1:
        key = " ".join(["[[models]] entry", str(int(loc[1]) + 1), *map(str, loc[2:])])
    if fault["type"] == "extra_forbidden":
        secret = loc[-1] == "api_key"
        hint = "Name the key's variable in api_key_env." if secret else "Check its spelling."
        return problem(key, owner.origin(key), "there is no such setting", hint)
    why = fault["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return problem(key, owner.origin(key), why[:1].lower() + why[1:])


def problem(key: str, place: str, why: str, hint: str = "Mend it there.") -> Invalid:
    """A fault of the setting `key` that stands at `place`."""
    return Invalid(
        f"The setting {clean_line(key)} ({clean_line(place)}) is wrong: {why}.", hint, field=key
    )
