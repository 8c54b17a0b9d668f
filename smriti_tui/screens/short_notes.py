"""Short notes that need no answer: a few at the same time, each for a few seconds.

This module is part of the first frame: it imports Textual and the standard library alone.
"""

from __future__ import annotations

from time import monotonic
from typing import Any, NamedTuple

from textual.screen import Screen

SAID_S = 3.0
SAID_MOST = 2
"""How long a short note stays, and how many stand at the same time."""


class Said(NamedTuple):
    """A short note that is shown."""

    words: str
    until: float


class ShortNotes:
    """Shows them, the newest in place of the oldest."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._said: tuple[Said, ...] = ()

    def say(self, words: str) -> None:
        """Shows a note."""
        fresh = [note for note in self._said if note.until > monotonic()]
        notify = self._screen.notify
        if len(fresh) >= SAID_MOST:
            # Behind those that are on their way to the app.
            self._screen.app.call_later(self._screen.app.clear_notifications)
            fresh = fresh[1 - SAID_MOST :]
            for note in fresh:
                notify(note.words, markup=False, timeout=note.until - monotonic())
        notify(words, markup=False, timeout=SAID_S)
        self._said = (*fresh, Said(words, monotonic() + SAID_S))
