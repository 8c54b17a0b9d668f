"""Reviews of checkpoints and what became of their findings."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain import events as e
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.projectors.shared import Projector, as_json
from smriti_tui.store.statements import Tables


def _review_recorded(tables: Tables, stored: StoredEvent, event: e.ReviewRecorded) -> None:
    own = {"checkpoint": event.checkpoint, "space": stored.owner_id}
    tables.insert(
        "review",
        {
            **own,
            "id": event.review,
            "request": event.request,
            "model": event.model,
            "actor": stored.actor,
            "recorded_at": stored.recorded_at,
            "position": stored.position,
        },
    )
    for rank, finding in enumerate(event.findings):
        tables.insert(
            "finding",
            {
                **own,
                "id": finding.id,
                "review": event.review,
                "rank": rank,
                "content": as_json(finding),
                "outcome": "open",
                "change": None,
                "reason": None,
                "settled_by": None,
                "settled_at": None,
            },
        )


def finding_settled(tables: Tables, stored: StoredEvent, event: e.FindingSettled) -> None:
    settled = event.outcome != "open"
    tables.update(
        "finding",
        {"id": event.finding},
        {
            "outcome": event.outcome,
            "change": as_json(event.change),
            "reason": event.reason,
            "settled_by": stored.actor if settled else None,
            "settled_at": stored.recorded_at if settled else None,
        },
    )


PROJECTORS: Mapping[type[e.Event], Projector] = {
    e.ReviewRecorded: _review_recorded,
    e.FindingSettled: finding_settled,
}
