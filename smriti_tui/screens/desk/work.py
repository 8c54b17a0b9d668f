"""The way into threads and back. What comes back may be late: callers drop what is not wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from textual.dom import DOMNode

from smriti_tui.domain.errors import NotFound, SmritiError, StoreError
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.worker import hop

T = TypeVar("T")


class Work:
    """Runs work off the event loop. An error that was told goes once its group succeeds again."""

    def __init__(self, node: DOMNode, voice: Voice, gone: Callable[[str], None]) -> None:
        """`gone` is called with a sentence when what was read is not there any more."""
        self._node = node
        self._voice = voice
        self._gone = gone
        self.offline = False
        """Whether the database is known to be away: failing reads are no news then."""

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[SmritiError], None] | None = None,
        *,
        group: str,
    ) -> None:
        """Work whose errors are told unless `failed` takes them."""

        def done(value: T) -> None:
            self._voice.settle(group)
            then(value)

        def tell(error: SmritiError) -> None:
            self._voice.fail(error, group)

        hop(self._node, work, done, failed or tell, group=group)

    def read(self, work: Callable[[], T], then: Callable[[T], None], *, group: str) -> None:
        """A read of what is open."""
        self.run(work, then, lambda error: self.read_failed(error, group), group=group)

    def read_failed(self, error: SmritiError, group: str) -> None:
        """A read failed: what is gone is left, anything else is told."""
        if isinstance(error, NotFound):
            self._gone(error.message)
        elif not (isinstance(error, StoreError) and self.offline):
            self._voice.fail(error, group)
