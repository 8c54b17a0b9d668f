"""Cleaning text that arrives in pieces, so that together they are the cleaned whole."""

from __future__ import annotations

from smriti_tui.domain.clean import clean

_OPEN = ("\r", "\u200d")
"""What such a sign becomes depends on the one behind it, which may come with the next piece."""


class PieceCleaner:
    """Holds back a sign at the end of a piece that cannot be judged yet."""

    def __init__(self) -> None:
        self._held = ""
        self._before = ""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        text = self._held + piece
        self._held = text[-1] if text.endswith(_OPEN) else ""
        text = text[: len(text) - len(self._held)]
        if not text:
            return ""
        before, self._before = self._before, text[-1]
        if text[0] != "\u200d":
            return clean(text)
        # A joiner is judged by both its neighbours.
        return clean(before + text)[len(clean(before)) :]

    def finish(self) -> str:
        """What was held back, as the last of all."""
        held, self._held = self._held, ""
        return clean(held)
