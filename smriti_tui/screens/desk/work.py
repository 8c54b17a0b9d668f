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
        self._begun = 0
        self._taken: dict[str, int] = {}
        """Number of the newest read of each group whose answer was taken."""

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[SmritiError], None] | None = None,
        *,
        group: str,
        reads: bool = False,
    ) -> None:
        """Work whose errors are told unless `failed` takes them. Of what only `reads`, an answer
        that comes after that of a later one of its group is dropped: it is older than what is
        shown."""
        self._begun += 1
        number = self._begun

        def done(value: T) -> None:
            if reads and number < self._taken.get(group, 0):
                return
            self._taken[group] = number
            self._voice.settle(group)
            then(value)

        def tell(error: SmritiError) -> None:
            self._voice.fail(error, group)

        hop(self._node, work, done, failed or tell, group=group)

    def read(self, work: Callable[[], T], then: Callable[[T], None], *, group: str) -> None:
        """A read of what is open."""

        def failed(error: SmritiError) -> None:
            self.read_failed(error, group)

        self.run(work, then, failed, group=group, reads=True)

    def read_failed(self, error: SmritiError, group: str) -> None:
        """A read failed: what is gone is left, anything else is told."""
        if isinstance(error, NotFound):
            self._gone(error.message)
        elif not (isinstance(error, StoreError) and self.offline):
            self._voice.fail(error, group)
