"""Telling a paste from typing where the terminal does not (no bracketed paste).

Such a terminal sends a paste as keys, and the line breaks in it as enter. Nobody types three keys
within a few thousandths of a second, so keys that come that fast are a paste: in it enter breaks
the line. One enter right behind such keys may be meant as enter (a program types for somebody, or a
slow connection let several keys go at once), so it waits a moment: it sends if nothing follows.
"""

from __future__ import annotations

FAST_S = 0.003
"""Keys of one paste lie closer together than this."""
PAUSE_S = 0.1
"""A paste that pauses for longer has ended."""
MANY = 2
"""How many fast keys in a row make a paste."""


class Burst:
    """Follows the times at which keys came, in seconds of one clock."""

    def __init__(self) -> None:
        self._last = float("-inf")
        self._fast = 0
        self.broken = False
        """Whether this paste has broken a line already: it will not send."""

    def key(self, at: float) -> bool:
        """A key came; True if it is one of a paste."""
        gap = at - self._last
        self._last = at
        if gap < FAST_S:
            self._fast += 1
        elif not (self._fast >= MANY and gap < PAUSE_S):
            self._fast, self.broken = 0, False
        return self._fast >= MANY
