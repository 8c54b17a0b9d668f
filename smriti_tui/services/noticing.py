"""Likely secrets are noticed when they are recorded, through whatever door; nothing is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.likely_secrets import fields_with, may_hold
from smriti_tui.store.envelope import StoredEvent

PASSED_OVER = frozenset({"request.stored", "event.redacted"})
"""What repeats texts that were recorded before."""
KEPT = 20
SHOWN = 3
"""Fields of one event that are named."""


@dataclass(frozen=True)
class Notice:
    """Fields of an event that may hold a secret; never its value."""

    fields: tuple[str, ...]
    kind: str
    type: str
    position: int

    @property
    def words(self) -> str:
        named = ", ".join(f"`{clean_line(field)}`" for field in self.fields[:SHOWN])
        return (
            f"{named} of event {self.position} ({clean_line(self.type)}) may "
            f"hold a secret: it looks like {self.kind}. It is recorded; "
            "`smriti redact --text -` takes it out of everything"
        )


class Noticing:
    """What was noticed in this process. Safe from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._found: list[Notice] = []
        self._told: Callable[[Notice], object] | None = None

    def look(self, events: Sequence[StoredEvent]) -> None:
        """Looks at what was just committed. A payload is read only where its text has a sign of
        one."""
        for event in events:
            if event.type in PASSED_OVER or not may_hold(event.payload):
                continue
            body = event.body()
            if body.get("copied_from") is None:
                found: dict[str, list[str]] = {}
                for field, kind in fields_with(body):
                    found.setdefault(kind, []).append(field)
                for kind, fields in found.items():
                    self._note(Notice(tuple(fields), kind, event.type, event.position))

    def _note(self, notice: Notice) -> None:
        with self._guard:
            told = self._told
            if told is None and len(self._found) < KEPT:
                self._found.append(notice)
        if told is not None:
            told(notice)

    def take(self) -> list[Notice]:
        """What was noticed since the last call, at most `KEPT`."""
        with self._guard:
            taken, self._found = self._found, []
        return taken

    def tell(self, told: Callable[[Notice], object] | None) -> None:
        """From now on `told` gets each at once, in the thread that wrote; None ends that."""
        with self._guard:
            self._told = told
