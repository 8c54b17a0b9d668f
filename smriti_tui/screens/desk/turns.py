"""Work that is done again whenever something changed, one run at a time."""

from __future__ import annotations

from collections.abc import Callable


class Turns:
    """What is asked for while a run is on its way is done once more behind it: results never
    overtake each other, and however much is written, nothing piles up."""

    def __init__(self, start: Callable[[Callable[[], None]], None]) -> None:
        """`start` begins a run and calls what it gets when that is over, however it ended."""
        self._start = start
        self._running = self._again = False

    def ask(self) -> None:
        """A run that begins from now on."""
        if self._running:
            self._again = True
            return
        self._running = True
        self._start(self._over)

    def _over(self) -> None:
        self._running = False
        if self._again:
            self._again = False
            self.ask()
