"""What is done to the log as a whole."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector
from smriti_tui.store.statements import Tables


def _event_redacted(tables: Tables, stored: StoredEvent, event: e.EventRedacted) -> None:
    """Of a text that is taken out of an event again the newest says what it holds now."""
    for each in event.events:
        row = {"sha256": each.sha256, "by_event": stored.event_id}
        key = {"event_id": each.event_id}
        tables.insert_missing("redacted", {**key, **row})
        tables.update("redacted", key, row)


PROJECTORS: Mapping[type[e.Event], Projector] = {e.EventRedacted: _event_redacted}
