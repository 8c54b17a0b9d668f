"""Settings, database and services: imported and run in a thread behind the first frame."""

from __future__ import annotations

import importlib
import logging
import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from smriti_tui.config.light import env_file_path, read_env_file
from smriti_tui.domain.errors import ProviderError, SmritiError
from smriti_tui.worker import LOGGER

if TYPE_CHECKING:
    from smriti_tui.app import Start
    from smriti_tui.config.settings import Config
    from smriti_tui.domain.ids import SessionId, SpaceId
    from smriti_tui.services import Services

SCREENS = (
    "help", "palette", "context", "checkpoint_view", "checkpoint_form", "search",
    "draft.screen",
    "dialogs.model_picker", "dialogs.confirm",
)  # fmt: skip
"""What the first keys of most people open; loaded while they read."""


@dataclass(frozen=True)
class Opened:
    """What the screens work with, and what must be closed at the end."""

    services: Services
    config: Config
    demo: bool = False
    place: tuple[SpaceId, SessionId] | None = None
    """Where a demo begins."""
    stack: ExitStack = field(default_factory=ExitStack, repr=False)

    def close(self) -> None:
        """Ends the provider process and closes the database."""
        self.stack.close()


@runtime_checkable
class Warmable(Protocol):
    """A provider that can load ahead."""

    def warm(self, model: str) -> None:
        """Starts loading, without waiting."""


def open_all(start: Start) -> Opened:
    """Reads the settings and opens the services.

    Raises:
        SmritiError: the database of the settings cannot be used at all.
    """
    from smriti_tui.bootstrap import open_services
    from smriti_tui.config.settings import load_config

    flags = {"database.url": start.database, "actor": start.actor}
    config = load_config(flags, tolerant=True)
    stack = ExitStack()
    if start.demo:
        from smriti_tui.services.demo import open_demo

        demo = stack.enter_context(open_demo(open_services, config))
        place = (demo.place.space, demo.place.session)
        return Opened(demo.services, demo.config, demo=True, place=place, stack=stack)
    _log_to_file(config)
    return Opened(stack.enter_context(open_services(config, "tui")), config, stack=stack)


def _log_to_file(config: Config) -> None:
    """Faults of the program go to a file: the screen is no place for a traceback."""
    from smriti_tui.services.crash import LogFile

    logger = logging.getLogger(LOGGER)
    if not logger.handlers:
        env_file = read_env_file(env_file_path(os.environ)).values
        logger.addHandler(LogFile(config.home, (os.environ, env_file)))
        logger.propagate = False


def warm_up(opened: Opened) -> None:
    """Loads what the first keys open, and starts the provider process when a real model is
    configured."""
    for name in SCREENS:
        importlib.import_module(f"smriti_tui.screens.{name}")
    provider = opened.services.chat.provider
    try:
        model = opened.services.chat.resolve(None).model
    except ProviderError:
        return
    if isinstance(provider, Warmable):
        try:
            provider.warm(model)
        except SmritiError as error:
            # The next send tells it in full; a warm-up that failed is no news by itself.
            logging.getLogger(LOGGER).warning("%s", error)
