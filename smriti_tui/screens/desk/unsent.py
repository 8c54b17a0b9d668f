"""Unsent text on its way into the side tables: the newest of each thing, one write at a time."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.timer import Timer

    from smriti_tui.services import Services
    from smriti_tui.services.unsent import Held

DEBOUNCE_S = 0.4
NO_SESSION = "prompt/none"


def thing(session: str | None) -> str:
    """What unsent text belongs to."""
    return NO_SESSION if session is None else f"prompt/{session}"


class UnsentKeeper:
    """Keeps what was typed; a write that fails is made up by the next one."""

    def __init__(self, node: DOMNode, services: Services) -> None:
        self._node = node
        self._caller = services.caller
        self._guard = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: dict[str, str] = {}
        self._timer: Timer | None = None

    def later(self, name: str, text: str) -> None:
        """Keeps `text` soon."""
        with self._guard:
            self._waiting[name] = text
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._node.set_timer(DEBOUNCE_S, self.now)

    def now(self) -> None:
        """Keeps what waits, in a thread."""
        self._node.run_worker(self.write, group="unsent", thread=True, exit_on_error=False)

    async def finish(self) -> None:
        """Keeps what waits and returns when it is kept."""
        await asyncio.to_thread(self.write)

    def write_now(self) -> bool:
        """Keeps what waits on this very thread; False if something could not be written."""
        self.write()
        with self._guard:
            return not self._waiting

    def write(self) -> None:
        """Writes the newest text of everything that waits; called in a thread."""
        from smriti_tui.services.unsent import UnsentService

        service = UnsentService(self._caller)
        with self._writing:
            while (found := self._next()) is not None:
                name, text = found
                try:
                    service.keep(name, text)
                except SmritiError:
                    with self._guard:
                        self._waiting.setdefault(name, text)
                    return

    def take(self, name: str) -> Held:
        """The text of a thing, after what waits was written; called in a thread."""
        from smriti_tui.services.unsent import UnsentService

        self.write()
        return UnsentService(self._caller).take(name)

    def _next(self) -> tuple[str, str] | None:
        with self._guard:
            return self._waiting.popitem() if self._waiting else None
