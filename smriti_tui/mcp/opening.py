"""The tools and the services behind them, loaded beside the protocol.

A host waits for the answer of `initialize`, and the database's library takes as long to load as the
protocol's. So the server answers that first, and the first call waits for what is still loading.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mcp.server.mcpserver.tools import Tool

    from smriti_tui.services import Services
    from smriti_tui.services.moments import Moment
    from smriti_tui.services.noticing import Notice

LOGGER = "smriti_tui.mcp"
T = TypeVar("T")


class Opening:
    """Tools and services that are there once they have loaded. Safe from several threads."""

    def __init__(self, flags: Mapping[str, object], loaded: Callable[[], None]) -> None:
        """`loaded` is called once, when nobody waits for anything that loads any more."""
        self._flags, self._loaded = flags, loaded
        self._stack = ExitStack()
        self._tools: Future[list[Tool]] = Future()
        self._found: Future[Services] = Future()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to load, once, on a thread that keeps nobody from ending."""
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._load, name="opening", daemon=True)
                self._thread.start()

    def tools(self) -> list[Tool]:
        """Waits for them."""
        self.start()
        return self._tools.result()

    def services(self) -> Services:
        """Waits for them. Raises: SmritiError: a setting is wrong; every call says so."""
        self.start()
        return self._found.result()

    def notices(self) -> list[Notice]:
        """Likely secrets that were recorded since the last call."""
        if not self._found.done() or self._found.exception() is not None:
            return []
        return self._found.result().caller.noticed.take()

    @contextmanager
    def services_at(self, moment: Moment) -> Iterator[Services]:
        """The services on the state of an earlier moment."""
        from smriti_tui.bootstrap import open_services

        with open_services(self.services().settings.now, "mcp", moment) as then:
            yield then

    def close(self) -> None:
        if self._found.done():
            self._stack.close()

    def _load(self) -> None:
        _keep(self._tools, self._made)
        _keep(self._found, self._opened)
        self._loaded()

    def _made(self) -> list[Tool]:
        from smriti_tui.mcp.tools import tools

        return tools(self)

    def _opened(self) -> Services:
        from smriti_tui.bootstrap import open_services
        from smriti_tui.config.settings import load_config

        config = load_config(self._flags)
        set_level(config.log_level)
        for warning in config.warnings:
            logging.getLogger(LOGGER).warning(warning)
        return self._stack.enter_context(open_services(config, "mcp"))


def _keep(future: Future[T], made: Callable[[], T]) -> None:
    """Gives whoever waits the result, or what was raised."""
    try:
        future.set_result(made())
    except BaseException as error:  # noqa: BLE001 (it is raised where it is waited for)
        future.set_exception(error)


def set_level(level: str) -> None:
    """Logs from `level` (a word of `log.level`) up, those of libraries from warnings up, or all
    while debugging."""
    own = logging.getLevelNamesMapping()[level.upper()]
    others = own if own == logging.DEBUG else max(own, logging.WARNING)
    logging.getLogger().setLevel(others)
    logging.getLogger("smriti_tui").setLevel(own)
