"""Writes that wait for their turn: who wants to know of it, and the word to give up.

Nothing is done, and nothing costs anything, while no write waits: a wait itself looks up now and
then whether it was cancelled (DESIGN 10.23), and that is when it is told of.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType

from smriti_tui.domain.errors import StoreBusy

TOLD_AFTER_S = 0.5


class Waits:
    """The waits of one process on one database. Safe from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._told: list[Callable[[bool], object]] = []
        self._long = 0
        self._round = 0

    def on_wait(self, told: Callable[[bool], object]) -> Callable[[], None]:
        """Calls `told(True)` once a write has waited for half a second, and `told(False)` when none
        does any more, in the waiting thread; the result ends that."""
        self._told.append(told)

        def forget() -> None:
            if told in self._told:
                self._told.remove(told)

        return forget

    def give_up(self) -> None:
        """All that wait now write nothing and say so."""
        self._round += 1

    def turn(self, cancelled: Callable[[], bool] = lambda: False) -> Turn:
        """One wait: a context whose value tells the wait whether to end."""
        return Turn(self, cancelled)

    @property
    def round(self) -> int:
        """A number that changes when everybody is to give up."""
        return self._round

    def count(self, by: int) -> None:
        """One more, or one less, has waited for long."""
        with self._guard:
            before, self._long = self._long, self._long + by
            after = self._long
        if bool(before) != bool(after):
            for told in tuple(self._told):
                told(bool(after))


class Turn:
    """See `Waits.turn`. Leaving it with `StoreBusy` after one gave up says that.

    Raises:
        StoreBusy: code `database_given_up`.
    """

    def __init__(self, waits: Waits, cancelled: Callable[[], bool]) -> None:
        self._waits = waits
        self._cancelled = cancelled
        self._round = waits.round
        self._long = False
        self._began = 0.0

    def __enter__(self) -> Callable[[], bool]:
        return self._ends

    def _ends(self) -> bool:
        now = time.monotonic()
        # The first look comes a step after the beginning; what is short is no news.
        self._began = self._began or now
        if not self._long and now - self._began >= TOLD_AFTER_S:
            self._long = True
            self._waits.count(1)
        return self._given_up or self._cancelled()

    @property
    def _given_up(self) -> bool:
        return self._round != self._waits.round

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._long:
            self._waits.count(-1)
        if isinstance(error, StoreBusy) and self._given_up:
            raise StoreBusy(
                "The wait for the database was given up.",
                "Nothing was written; try again.",
                code="database_given_up",
            ) from error
