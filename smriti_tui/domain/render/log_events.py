"""Events of the log as documents, and where appended ones ended up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, Protocol

from smriti_tui.domain.render.documents import Document

ENVELOPE: Final = (
    "position", "event_id", "origin", "stream", "version", "type", "schema_version", "payload",
    "actor", "door", "recorded_at", "correlation_id", "causation_id", "payload_sha256",
    "chain_sha256",
)  # fmt: skip


class Placed(Protocol):
    """An event that has its place in a stream and in the log."""

    @property
    def event_id(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def position(self) -> int: ...


def appended_document(stream: str, events: Sequence[Placed]) -> Document:
    """Where appended events ended up; version and position are those of the last."""
    return {
        "stream": stream,
        "version": events[-1].version,
        "position": events[-1].position,
        "events": [
            {"event_id": each.event_id, "version": each.version, "position": each.position}
            for each in events
        ],
    }


def event_document(event: object) -> Document:
    """The envelope of a stored event; of one that cannot be read (it has a `reason`) what is known,
    and why under `damaged`."""
    document = {key: getattr(event, key, None) for key in ENVELOPE}
    reason = getattr(event, "reason", None)
    if reason is None:
        document["payload"] = json.loads(str(document["payload"]))
    return {**document, "damaged": reason}


def appended_text(stream: str, events: Sequence[Placed]) -> str:
    return f"{stream} version {events[-1].version}, position {events[-1].position}"
