"""What every way of appending has in common."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path

STREAM = "tracker"
PAYLOAD_BYTES = 300


class Way(ABC):
    """One writer's hold on a store. `synchronous=FULL`: what returned survives a power cut."""

    def __init__(self, database: Path, writer: int) -> None:
        self.database = database
        self.writer = writer

    @abstractmethod
    def setup(self) -> None:
        """Makes the store; called once, in a process of its own."""

    @abstractmethod
    def write(self, number: int) -> int:
        """The writer's write `number`; the version that it was given."""

    @abstractmethod
    def stored(self) -> list[int]:
        """The versions of all writes that stand in the store, ascending."""

    def close(self) -> None:  # noqa: B027 (a way that keeps nothing open has nothing to do)
        """Ends the writer."""


def payload(writer: int, number: int) -> dict[str, object]:
    """About 300 bytes of JSON, as a claim or a tracker item would be."""
    value: dict[str, object] = {
        "id": f"{writer}-{number}",
        "title": "Use per-stream gapless versions for the event log",
        "lane": "proposed",
        "status": "todo",
        "intent": "implement",
        "blocked_by": ["7f3a", "91bc"],
        "branch": "agent/555d3005",
        "note": "",
    }
    room = PAYLOAD_BYTES - len(json.dumps(value))
    text = "assumption: the frontend owns history_base_seq; decision locked. "
    value["note"] = (text * (room // len(text) + 1))[:room]
    return value
