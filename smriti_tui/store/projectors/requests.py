"""What was sent to a model."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector
from smriti_tui.store.statements import Tables


def _request_stored(tables: Tables, stored: StoredEvent, event: e.RequestStored) -> None:
    for digest, text in event.texts.items():
        row = {"stream": stored.stream, "sha256": digest, "text": text}
        tables.insert_missing("stream_text", row)
    tables.insert(
        "request",
        {
            "id": event.request,
            "stream": stored.stream,
            "version": stored.version,
            "answer": None,
            "purpose": event.purpose,
            "model": event.model,
            "context_sha256": event.context_sha256,
            "status": None,
        },
    )


def _request_ended(tables: Tables, stored: StoredEvent, event: e.RequestEnded) -> None:
    tables.update("request", {"id": event.request}, {"status": event.status})


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.RequestStored: _request_stored,
    e.RequestEnded: _request_ended,
}
