"""The services of one moment: opened for it, and closed once nobody reads any more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from textual.dom import DOMNode

from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.services import Services

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.services.moments import Moment

T = TypeVar("T")


class OpenMoment:
    """Services that give everything as it was. Made, read and ended in threads."""

    def __init__(self, config: Config, moment: Moment) -> None:
        # Loads the services, which are there by now.
        from smriti_tui.bootstrap import open_services

        self.position = moment.position
        self.ended = False
        self._guard = threading.Lock()
        self._readers = 0
        self._stack = ExitStack()
        self.services: Services = self._stack.enter_context(open_services(config, "tui", moment))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keeps the database open while something is read.

        Raises:
            Conflict: the moment was left (code `left`).
        """
        with self._guard:
            if self.ended:
                raise Conflict("This moment was left.", "", code="left")
            self._readers += 1
        try:
            yield
        finally:
            self._read()

    def _read(self) -> None:
        with self._guard:
            self._readers -= 1
            last = self.ended and not self._readers
        if last:
            self._stack.close()

    def end(self) -> None:
        """Nothing is read from now on; closes the database, or leaves that to the last reader."""
        with self._guard:
            closing = not self.ended and not self._readers
            self.ended = True
        if closing:
            self._stack.close()


class OpenMoments:
    """All moments that are open, so that none is forgotten however one leaves."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._guard = threading.Lock()
        self._open: set[OpenMoment] = set()
        self._closed = False

    def open(self, moment: Moment) -> OpenMoment:
        """Opens one; in a thread.

        Raises:
            Conflict: one has left time travel meanwhile (code `left`).
        """
        opened = OpenMoment(self._config, moment)
        with self._guard:
            closed = self._closed
            if not closed:
                self._open.add(opened)
        if closed:
            opened.end()
            raise Conflict("Time travel was left.", "", code="left")
        return opened

    def end(self, moment: OpenMoment) -> None:
        """Ends one; in a thread, because closing waits for its turn at the database."""
        with self._guard:
            self._open.discard(moment)
        moment.end()

    def close(self) -> None:
        """Ends all, and those that are just being opened."""
        with self._guard:
            self._closed = True
            left, self._open = self._open, set()
        for moment in left:
            moment.end()


class MomentWork(Work):
    """Work on the services of a moment. Once that is left, what comes back is dropped."""

    def __init__(self, node: DOMNode, voice: Voice, moment: OpenMoment) -> None:
        super().__init__(node, voice, lambda told: voice.say(told))
        self._moment = moment

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[SmritiError], None] | None = None,
        *,
        group: str,
        reads: bool = False,
    ) -> None:
        """As for the present."""
        moment, voice = self._moment, self._voice

        def guarded() -> T:
            with moment.reading():
                return work()

        def done(value: T) -> None:
            if not moment.ended:
                then(value)

        def fault(error: SmritiError) -> None:
            if not moment.ended:
                (failed or (lambda told: voice.fail(told, group)))(error)

        super().run(guarded, done, fault, group=group, reads=reads)
