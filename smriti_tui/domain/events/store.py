"""The store itself, and what is done to its log as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.events.base import Event


@dataclass(frozen=True)
class StoreCreated(Event):
    TYPE: ClassVar[str] = "store.created"
    origin: str


@dataclass(frozen=True)
class LogMerged(Event):
    """Events of another store came in, each as it was."""

    TYPE: ClassVar[str] = "log.merged"
    origin: str
    """Of the other store; empty where an export does not tell."""
    events: int
    tails: tuple[str, ...] = ()
    """Streams that grew apart and were begun by it."""


@dataclass(frozen=True)
class Redacted:
    """An event whose payload holds marks in the place of a text, and the hash of it as it is now.
    Its own hash in the log stays that of what was written."""

    event_id: str
    sha256: str


@dataclass(frozen=True)
class EventRedacted(Event):
    """A text was taken out of earlier events of the same stream (DESIGN section 4)."""

    TYPE: ClassVar[str] = "event.redacted"
    events: tuple[Redacted, ...]
