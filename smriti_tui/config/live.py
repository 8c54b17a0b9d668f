"""The settings of a running program: read again when the file changes, or was changed from here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from smriti_tui.config.light import config_path, flat_keys, read_toml, stamp
from smriti_tui.config.settings import Config, load_config
from smriti_tui.domain.errors import Conflict
from smriti_tui.providers.names import PROVIDERS

if TYPE_CHECKING:
    from smriti_tui.config.save import Value

PINNED = ("home", "database.url", "actor", "space")
"""What a running program keeps from its start; a change counts at the next one."""
UI = ("theme", "glyphs", "motion", "mouse")


class LiveConfig:
    """The current settings and the one way to change them. Usable from any thread."""

    def __init__(self, config: Config) -> None:
        """`config` is what the program was started with."""
        self._start = config
        self._lock = threading.Lock()
        self._now = config
        self._next = config
        self._seen = stamp(config.config_file)
        # Of a demo the settings file is its own; what it does not say stays as it began.
        self._demo = config.config_file != config_path(config.variables.environ)

    @property
    def now(self) -> Config:
        """What counts from now on."""
        return self._now

    @property
    def next_start(self) -> Config:
        """What would count after a restart."""
        return self._next

    @property
    def demo(self) -> bool:
        """Whether the settings go with the throw-away database."""
        return self._demo

    def reload(self) -> Config:
        """Reads files and variables anew; faulty values are left out and stand in `problems`."""
        with self._lock:
            return self._read()

    def set(self, key: str, value: Value) -> Config:
        """Writes one value into `config.toml` (None takes it out) and reads it again.

        Raises:
            Conflict: the file was changed by somebody else; it is read again, nothing is written.
            Invalid, SmritiError: as `save.save_setting`.
        """
        # Loads tomlkit, which only who writes needs.
        from smriti_tui.config.save import save_setting

        return self._write(lambda path, seen: save_setting(path, key, value, seen=seen))

    def set_model(self, name: str | None, entry: Mapping[str, object] | None) -> Config:
        """Adds, changes or takes out a `[[models]]` entry, and reads the file again.

        Raises:
            Conflict, Invalid, NotFound, SmritiError: as `set` and `save.save_model`.
        """
        from smriti_tui.config.save import save_model

        return self._write(lambda path, seen: save_model(path, name, entry, seen=seen))

    def set_aside(self) -> Path:
        """Moves a settings file that cannot be used out of the way; returns where it is now."""
        from smriti_tui.config.save import set_aside

        with self._lock:
            aside = set_aside(self._start.config_file)
            self._read()
            return aside

    def fault(self) -> str | None:
        """Why the settings file as a whole cannot be used; None where it can."""
        return read_toml(self._start.config_file).fault

    def keys_by_file(self) -> Mapping[str, str]:
        """The action ids that the file gives keys to."""
        found = read_toml(self._start.config_file).values.get("keys")
        flat = flat_keys(found) if isinstance(found, dict) else {}
        return {name: key for name, key in flat.items() if isinstance(key, str)}

    def secrets(self) -> Iterator[str]:
        """Every key that settings and variables hold, for taking them out of words."""
        config = self._now
        names = [name for entry in PROVIDERS.values() for name in entry.key_variables]
        names += [entry.api_key_env for entry in config.models if entry.api_key_env]
        found = (config.variables.get(name) for name in dict.fromkeys([*names, "SMRITI_API_KEY"]))
        yield from (key for key in (*found, config.own_place.api_key) if key)

    def _write(self, write: Callable[[Path, bytes], None]) -> Config:
        with self._lock:
            try:
                write(self._start.config_file, self._seen)
            except Conflict:
                self._read()
                raise
            return self._read()

    def _read(self) -> Config:
        start = self._start
        environ = dict(start.variables.environ)
        if self._demo:
            environ["SMRITI_CONFIG"] = str(start.config_file)
            environ["SMRITI_ENV_FILE"] = str(start.variables.env_file.path)
        self._seen = stamp(start.config_file)
        found = load_config(environ=environ, tolerant=True)
        if self._demo:
            found = self._like_the_demo(found)
        origins = {key: origin for key, origin in found.origins.items() if key not in PINNED}
        kept = {key: start.origins[key] for key in PINNED if key in start.origins}
        self._next = found
        self._now = replace(
            found,
            home=start.home,
            config_file=start.config_file,
            database_url=start.database_url,
            actor=start.actor,
            space=start.space,
            variables=replace(found.variables, environ=start.variables.environ),
            origins=MappingProxyType(origins | kept),
        )
        return self._now

    def _like_the_demo(self, found: Config) -> Config:
        start = self._start
        ui = {name: getattr(start.ui, name) for name in UI if f"ui.{name}" not in found.origins}
        return replace(
            found,
            chat_model=found.chat_model if "chat.model" in found.origins else start.chat_model,
            background_model=found.background_model or start.background_model,
            ui=found.ui.model_copy(update=ui),
            models=found.models or start.models,
        )
