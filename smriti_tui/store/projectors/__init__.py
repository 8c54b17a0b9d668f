"""Inline projectors: what each event does to the tables, a module for each concept.

Pure functions of the event and the rows it names: no clock, no randomness, no files, O(1) each. The
same functions fill the shadow tables of verify and rebuild.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from smriti_tui.domain.events import Event
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors import (
    agents,
    checkpoints,
    requests,
    reviews,
    sessions,
    spaces,
    turns,
)
from smriti_tui.store.projectors.shared import Projector
from smriti_tui.store.projectors.tails import IN_TAILS
from smriti_tui.store.search_index import index_event
from smriti_tui.store.statements import Tables

PROJECTORS: Final[Mapping[type[Event], Projector]] = {
    **spaces.PROJECTORS,
    **checkpoints.PROJECTORS,
    **reviews.PROJECTORS,
    **sessions.PROJECTORS,
    **turns.PROJECTORS,
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
