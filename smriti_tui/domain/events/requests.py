"""What was sent to a model, stored before it is sent (DESIGN 10.18)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.ids import CheckpointId, RequestId
from smriti_tui.domain.model import (
    Cost,
    Fault,
    Purpose,
    Role,
    TurnStatus,
    Usage,
)


@dataclass(frozen=True)
class Segment:
    """A part of a request: a text by its hash, or the turns `first` to `last` of the session, all
    of them sent."""

    kind: str
    """`text` or `turns`."""
    role: Role | None = None
    sha256: str | None = None
    what: str = ""
    checkpoint: CheckpointId | None = None
    first: int | None = None
    last: int | None = None
    tokens: int = 0


@dataclass(frozen=True)
class LeftOut:
    """Something that was not sent and why. `what` is turns, artifact, checkpoint, tasks, items,
    entities; `kept` and `of` count characters of a clipped artifact."""

    what: str
    reason: str
    first: int | None = None
    last: int | None = None
    label: str | None = None
    checkpoint: CheckpointId | None = None
    count: int | None = None
    kept: int | None = None
    of: int | None = None


@dataclass(frozen=True)
class Limit:
    """The model's window in tokens, who says so (entry, library, assumed, demo), and the
    reserve."""

    tokens: int
    source: str
    reserve: int


@dataclass(frozen=True)
class Estimate:
    version: str
    tokens: int


@dataclass(frozen=True)
class RequestStored(Event):
    TYPE: ClassVar[str] = "request.stored"
    request: RequestId
    purpose: Purpose
    model: str
    limit: Limit
    estimate: Estimate
    template: str
    segments: tuple[Segment, ...]
    left_out: tuple[LeftOut, ...]
    context_sha256: str
    line: int | None = None
    anchors: tuple[CheckpointId, ...] = ()
    scope: int = 1
    params: dict[str, object] = field(default_factory=dict)
    texts: dict[str, object] = field(default_factory=dict)
    """SHA-256 to text, for those that the stream did not hold yet."""


@dataclass(frozen=True)
class RequestEnded(Event):
    TYPE: ClassVar[str] = "request.ended"
    request: RequestId
    status: TurnStatus
    text: str
    usage: Usage | None = None
    cost: Cost | None = None
    error: Fault | None = None
