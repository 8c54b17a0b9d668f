"""Reviews of checkpoints: what was found, and what a person made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.findings import Change, Finding, Settlement
from smriti_tui.domain.ids import CheckpointId, RequestId


@dataclass(frozen=True)
class ReviewRecorded(Event):
    """`request` and `model` are null for a review by rules alone."""

    TYPE: ClassVar[str] = "review.recorded"
    review: str
    checkpoint: CheckpointId
    findings: tuple[Finding, ...] = ()
    request: RequestId | None = None
    model: str | None = None


@dataclass(frozen=True)
class FindingSettled(Event):
    """`open` takes back what was settled before."""

    TYPE: ClassVar[str] = "finding.settled"
    finding: str
    outcome: Settlement
    change: Change | None = None
    """As it was edited before it was accepted."""
    reason: str | None = None
    undoes: str | None = None
