"""Bracketed pastes taken out of what the terminal sends before Textual's parser looks at it.

That parser walks through a paste sign by sign: 1.4 MB took 0.9 s of the processor (measured), and
whoever pasted waited for it. And an escape sequence in a paste comes out of it as keys, so that a
pasted text could give commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from textual._xterm_parser import XTermParser
from textual.constants import ESCAPE_DELAY
from textual.events import Paste
from textual.message import Message

SHORTEST = 3
BEGIN, END = "\x1b[200~", "\x1b[201~"


class PastingParser:
    """As `XTermParser`, with pastes of any size in no time."""

    def __init__(self, *, debug: bool = False) -> None:
        self._keys = XTermParser(debug)
        self._paste: list[str] | None = None
        """What has come of a paste whose end is not there yet."""
        self._held, self._held_at = "", 0.0
        """The beginning of what may become the sign for a paste, and when it came."""

    def feed(self, text: str) -> Iterator[Message]:
        """Keys, mouse and pastes in the order they were sent."""
        text, self._held = self._held + text, ""
        while text:
            if self._paste is None:
                keys, begun, text = text.partition(BEGIN)
                if not begun:
                    keys = self._hold(keys)
                if keys:
                    yield from self._keys.feed(keys)
                if begun:
                    self._paste = []
            else:
                # The end may be shared by two reads.
                rest = self._paste.pop() if self._paste else ""
                pasted, ended, text = (rest + text).partition(END)
                if ended:
                    whole = "".join((*self._paste, pasted))
                    self._paste = None
                    yield Paste(whole.replace("\0", ""))
                else:
                    keep = max(0, len(pasted) - len(END))
                    self._paste += [pasted[:keep], pasted[keep:]]

    def _hold(self, keys: str) -> str:
        """Keeps the end back if it may be the beginning of a paste that two reads share. A lone
        escape is not kept: it is a key."""
        for size in range(len(BEGIN) - 1, SHORTEST - 1, -1):
            if keys.endswith(BEGIN[:size]):
                self._held, self._held_at = keys[-size:], monotonic()
                return keys[:-size]
        return keys

    def tick(self) -> Iterator[Message]:
        """What was waited for and did not come."""
        if self._held and monotonic() - self._held_at > ESCAPE_DELAY:
            held, self._held = self._held, ""
            yield from self._keys.feed(held)
        yield from self._keys.tick()
