"""Settings that the first frame needs, read with the standard library alone (DESIGN 10.24).

Nothing here raises: what cannot be read leaves the default, and `config.load_config`, which runs
behind the first frame, reports it. The places and file formats are defined here once; `config` uses
them too.
"""

from __future__ import annotations

import os
import pwd
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

Glyphs = Literal["full", "ascii"]

DEFAULT_THEME: Final = "smriti-dark"
SWITCH_WORDS: Final = MappingProxyType(
    {
        "on": True, "true": True, "yes": True, "1": True,
        "off": False, "false": False, "no": False, "0": False, "none": False,
    }
)  # fmt: skip
MOST_BYTES: Final = 1 << 20
"""A settings file beyond this is none: it is not read."""
_ENV_LINE: Final = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)")


@dataclass(frozen=True)
class LightConfig:
    """How the app looks and listens, before anything heavy is loaded."""

    theme: str = DEFAULT_THEME
    """A theme's name; the app knows whether it exists."""
    glyphs: Glyphs = "full"
    motion: bool = True
    mouse: bool = True
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Action id to key, as the person wrote it."""


@dataclass(frozen=True)
class EnvFile:
    """The `NAME=value` lines of the env file, never interpolated and never executed."""

    path: Path
    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    bad_lines: tuple[int, ...] = ()
    """Numbers, from 1, of lines that are neither blank, nor comments, nor `NAME=value`."""
    fault: str | None = None
    """Why the file could not be read; None also where there is none."""


@dataclass(frozen=True)
class TomlFile:
    """`config.toml` as plain values; `fault` says why they are missing."""

    path: Path
    values: Mapping[str, object] = field(default_factory=dict, repr=False)
    fault: str | None = None


def user_home(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME", "").strip()
    if home:
        return Path(home)
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:  # a container's user without an entry in the password file
        return Path("/")


def expand(text: str, environ: Mapping[str, str]) -> Path:
    """A path as a person writes it: a leading `~` is the home folder."""
    if text == "~" or text.startswith("~/"):
        return user_home(environ) / text[2:]
    return Path(text)


def config_path(environ: Mapping[str, str]) -> Path:
    """`SMRITI_CONFIG`, else `$XDG_CONFIG_HOME/smriti/config.toml`, else the same below `~/.config`.

    A relative `XDG_CONFIG_HOME` is ignored, as its specification asks.
    """
    named = environ.get("SMRITI_CONFIG", "").strip()
    if named:
        return expand(named, environ)
    base = environ.get("XDG_CONFIG_HOME", "").strip()
    folder = Path(base) if base.startswith("/") else user_home(environ) / ".config"
    return folder / "smriti" / "config.toml"


def env_file_path(environ: Mapping[str, str]) -> Path:
    """`SMRITI_ENV_FILE`, else `env` beside `config.toml`; never a `.env` of the current folder."""
    named = environ.get("SMRITI_ENV_FILE", "").strip()
    return expand(named, environ) if named else config_path(environ).parent / "env"


def parse_env(text: str) -> tuple[dict[str, str], tuple[int, ...]]:
    """Values by name, and the numbers of the lines that are not understood.

    A value may stand in quotes; without them ` #` begins a comment. The last line of a name wins.
    """
    values: dict[str, str] = {}
    bad: list[int] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        found = _ENV_LINE.fullmatch(line)
        if found is None:
            bad.append(number)
        else:
            values[found[1]] = _unquoted(found[2].strip())
    return values, tuple(bad)


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.split(r"(?:^|\s)#", value, maxsplit=1)[0].strip()


def _read_text(path: Path) -> tuple[str, str | None]:
    try:
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        if len(found) > MOST_BYTES:
            return "", "it is larger than 1 MiB"
        return _lines(found.decode("utf-8-sig")), None
    except FileNotFoundError:
        return "", None
    except UnicodeDecodeError as error:
        return "", f"it is not UTF-8 (byte {error.start})"
    except OSError as error:
        return "", error.strerror or "it cannot be read"


def _lines(text: str) -> str:
    """As reading in text mode would give them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_env_file(path: Path) -> EnvFile:
    text, fault = _read_text(path)
    values, bad = parse_env(text)
    return EnvFile(path, values, bad, fault)


def read_toml(path: Path) -> TomlFile:
    text, fault = _read_text(path)
    if fault is not None:
        return TomlFile(path, {}, fault)
    try:
        return TomlFile(path, tomllib.loads(text))
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a plain ValueError
        return TomlFile(path, {}, f"it is not TOML: {error}")


def stamp(path: Path) -> bytes:
    """What the file holds, to tell whether it changes; nothing where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError:
        return b""


def switch(value: object) -> bool | None:
    """On or off as people write it in a file or a variable; None for anything else."""
    if isinstance(value, bool):
        return value
    return SWITCH_WORDS.get(value.strip().lower()) if isinstance(value, str) else None


def read_light(environ: Mapping[str, str] | None = None) -> LightConfig:
    """Theme, glyphs, motion, mouse and keys: environment, then env file, then `config.toml`."""
    env = os.environ if environ is None else environ
    table = read_toml(config_path(env)).values
    env_file = read_env_file(env_file_path(env)).values
    ui = _table(table, "ui")

    def chosen(name: str) -> object:
        variable = f"SMRITI_{name.upper()}"
        return env.get(variable, "").strip() or env_file.get(variable, "").strip() or ui.get(name)

    theme = chosen("theme")
    motion = switch(chosen("motion")) is not False
    return LightConfig(
        theme=theme.strip() if isinstance(theme, str) and theme.strip() else DEFAULT_THEME,
        glyphs="ascii" if chosen("glyphs") == "ascii" else "full",
        motion=motion and env.get("TEXTUAL_ANIMATIONS", "").strip().lower() != "none",
        mouse=switch(chosen("mouse")) is not False,
        keys=MappingProxyType(_texts(flat_keys(_table(table, "keys")))),
    )


def _table(values: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = values.get(name)
    return found if isinstance(found, dict) else {}


def flat_keys(table: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Action id to value: TOML reads `a.b = "o"` as a table in a table, people mean one id."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict) and value:
            flat |= flat_keys(value, f"{above}{name}.")
        else:
            flat[f"{above}{name}"] = value
    return flat


def _texts(table: Mapping[str, object]) -> dict[str, str]:
    """An empty one stays: it takes an action's key away."""
    return {name: key.strip() for name, key in table.items() if isinstance(key, str)}


def styles_dir() -> Path:
    """The folder of the stylesheets: inside an installed package, else the checkout's `styles/`."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "styles"
    return installed if installed.is_dir() else package.parent / "styles"
