"""Inline projectors: what each event does to the tables, a module for each concept.

Pure functions of the event and the rows it names: no clock, no randomness, no files, O(1) each. The
same functions fill the shadow tables of verify and rebuild.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import Event, EventRedacted
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors import (
    agents,
    checkpoints,
    imports,
    requests,
    reviews,
    sessions,
    spaces,
    store,
    turns,
)
from smriti_tui.store.projectors.shared import Projector
from smriti_tui.store.projectors.tails import IN_TAILS
from smriti_tui.store.search_index import index_event
from smriti_tui.store.statements import Tables

PROJECTORS: Final[Mapping[type[Event], Projector]] = {
    **spaces.PROJECTORS,
    **store.PROJECTORS,
    **checkpoints.PROJECTORS,
    **reviews.PROJECTORS,
    **sessions.PROJECTORS,
    **turns.PROJECTORS,
    **imports.PROJECTORS,
    **requests.PROJECTORS,
    **agents.PROJECTORS,
}


def project(tables: Tables, stored: StoredEvent, event: Event) -> None:
    """Applies the event to the tables; types without a projector change none."""
    tables.position = stored.position
    projector = PROJECTORS.get(type(event))
    if stored.is_tail:
        projector = IN_TAILS.get(type(event), projector)
    if projector is not None:
        projector(tables, stored, event)
    index_event(tables, stored, event)


def project_open(tables: Tables, stored: StoredEvent) -> None:
    """What an event of an open stream does to the tables: only one that tells of a redaction does
    anything, and one that somebody else called so does not."""
    if stored.type == EventRedacted.TYPE:
        with suppress(ValueError, Invalid):
            if (event := stored.event()) is not None:
                project(tables, stored, event)
