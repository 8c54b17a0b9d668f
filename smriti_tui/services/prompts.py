"""What was asked before: the prompts that `up` walks through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.services.caller import Caller
from smriti_tui.store import sessions
from smriti_tui.store.engine import Tx
from smriti_tui.store.prompts import questions

OWN, OF_SESSION, SESSIONS = 300, 30, 20
"""How many prompts of the open session are read, and how many of each of how many others."""
MOST_CHARACTERS = 8_000_000


@dataclass(frozen=True)
class PromptService:
    caller: Caller

    def earlier(self, session: SessionId | None, space: SpaceId | None) -> tuple[str, ...]:
        """Of the session, then of the other sessions of its Space (None: of no Space), last used
        first; each text once. Reads a bounded number."""
        if not self.caller.store.exists():
            return ()
        found: dict[str, None] = {}
        room = MOST_CHARACTERS
        with self.caller.read() as tx:
            for text in _all(tx, session, space):
                if text in found or not text.strip():
                    continue
                room -= len(text)
                if room < 0:
                    break
                found[text] = None
        return tuple(found)


def _all(tx: Tx, session: SessionId | None, space: SpaceId | None) -> Iterator[str]:
    if session is not None:
        yield from questions(tx, session, OWN)
    for other in sessions.sessions_of(tx, space, SESSIONS):
        if other.id != session:
            yield from questions(tx, other.id, OF_SESSION)
