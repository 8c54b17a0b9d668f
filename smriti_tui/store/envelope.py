"""The envelope of an event and the hashes that chain a stream (DESIGN section 4)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from smriti_tui.domain.events import Event, decode
from smriti_tui.domain.ids import family, kind_and_owner
from smriti_tui.domain.values import canonical

COLUMNS = (
    "position",
    "event_id",
    "origin",
    "stream",
    "version",
    "type",
    "schema_version",
    "payload",
    "actor",
    "door",
    "recorded_at",
    "correlation_id",
    "causation_id",
    "payload_sha256",
    "chain_sha256",
)
SELECT = f"SELECT {', '.join(COLUMNS)} FROM event"
_TEXTS = tuple(name for name in COLUMNS if name not in ("position", "version", "schema_version"))


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it stands in the log. `payload` is its canonical JSON text."""

    position: int
    event_id: str
    origin: str
    stream: str
    version: int
    type: str
    schema_version: int
    payload: str
    actor: str
    door: str
    recorded_at: str
    correlation_id: str
    causation_id: str | None
    payload_sha256: str
    chain_sha256: str

    def body(self) -> dict[str, object]:
        """The payload as an object.

        Raises:
            ValueError: the stored text is no JSON object (a damaged row).
        """
        value = json.loads(self.payload)
        if not isinstance(value, dict):
            raise ValueError("the payload is no object")
        return value

    def event(self) -> Event | None:
        """The typed event; None for a type of an open stream or of a newer program."""
        return decode(self.type, self.schema_version, self.body())

    def fault(self) -> str | None:
        """Which column holds no value of its type, as only damage or another hand leaves behind;
        bytes that are no text come as bytes."""
        for name in _TEXTS:
            if type(value := getattr(self, name)) is not str and (
                value is not None or name != "causation_id"
            ):
                return f"its {name} is no text"
        return None

    @property
    def owner_id(self) -> str:
        """The id of what the stream is about (`session/<id>`), else the name."""
        kind, owner = kind_and_owner(self.stream)
        return owner or kind

    @property
    def is_tail(self) -> bool:
        """Whether its stream grew apart from another one of the same name, in another store."""
        return "~" in self.stream


def chain_sha256(before: str, event: tuple[object, ...], payload_sha256: str) -> str:
    """Links an event to the one before it in its stream.

    `event` holds event_id, origin, stream, version, type, schema_version, actor, door, recorded_at,
    correlation_id, causation_id; `before` is "" for the first event. Of a tail the stream is the
    one that it grew from: an event keeps its hash, whichever store calls its stream what.
    """
    return hashlib.sha256(canonical([before, *event, payload_sha256]).encode()).hexdigest()


def expected_chain(before: str, event: StoredEvent) -> str:
    """What `event.chain_sha256` must be after `before`."""
    return chain_sha256(
        before,
        (
            event.event_id,
            event.origin,
            family(event.stream),
            event.version,
            event.type,
            event.schema_version,
            event.actor,
            event.door,
            event.recorded_at,
            event.correlation_id,
            event.causation_id,
        ),
        event.payload_sha256,
    )
