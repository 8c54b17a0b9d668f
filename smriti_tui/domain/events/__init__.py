"""Every fact the product records: one frozen dataclass per event type (DESIGN 10.4 to 10.18).

A payload never repeats the id of its own stream. Type names are stable; no type changes its
meaning. Open streams carry any type with any JSON object and have no class here.
"""

from __future__ import annotations

from smriti_tui.domain.codec import from_json
from smriti_tui.domain.events.agents import (
    ClaimChanged,
    ClaimEnded,
    ClaimExtended,
    ClaimTaken,
    WorktreeClosed,
    WorktreeOpened,
)
from smriti_tui.domain.events.base import Event
from smriti_tui.domain.events.checkpoints import CheckpointDeleted, CheckpointSaved, NoteAdded
from smriti_tui.domain.events.imports import TakenTurn, ThreadImported, TurnsImported
from smriti_tui.domain.events.requests import (
    Estimate,
    LeftOut,
    Limit,
    RequestEnded,
    RequestStored,
    Segment,
)
from smriti_tui.domain.events.reviews import FindingSettled, ReviewRecorded
from smriti_tui.domain.events.sessions import (
    AnswerChosen,
    AnswerEnded,
    AnswerReleased,
    AnswerStarted,
    LineLeft,
    LineOpened,
    LineResumed,
    Owner,
    SessionAttached,
    SessionChanged,
    SessionDeleted,
    SessionOpened,
    SessionRestored,
    TurnAdded,
)
from smriti_tui.domain.events.spaces import (
    BranchDisposed,
    BranchOpened,
    BranchRenamed,
    KnownAs,
    MadeFrom,
    SpaceChanged,
    SpaceCreated,
    SpaceDeleted,
    SpaceJoined,
)
from smriti_tui.domain.events.store import EventRedacted, LogMerged, Redacted, StoreCreated

__all__ = [
    "REGISTERED",
    "AnswerChosen",
    "AnswerEnded",
    "AnswerReleased",
    "AnswerStarted",
    "BranchDisposed",
    "BranchOpened",
    "BranchRenamed",
    "CheckpointDeleted",
    "CheckpointSaved",
    "ClaimChanged",
    "ClaimEnded",
    "ClaimExtended",
    "ClaimTaken",
    "Estimate",
    "Event",
    "EventRedacted",
    "FindingSettled",
    "KnownAs",
    "LeftOut",
    "Limit",
    "LineLeft",
    "LineOpened",
    "LineResumed",
    "LogMerged",
    "MadeFrom",
    "NoteAdded",
    "Owner",
    "Redacted",
    "RequestEnded",
    "RequestStored",
    "ReviewRecorded",
    "Segment",
    "SessionAttached",
    "SessionChanged",
    "SessionDeleted",
    "SessionOpened",
    "SessionRestored",
    "SpaceChanged",
    "SpaceCreated",
    "SpaceDeleted",
    "SpaceJoined",
    "StoreCreated",
    "TakenTurn",
    "ThreadImported",
    "TurnAdded",
    "TurnsImported",
    "WorktreeClosed",
    "WorktreeOpened",
    "decode",
    "first_number",
]

REGISTERED: dict[str, type[Event]] = {
    cls.TYPE: cls
    for cls in (
        StoreCreated,
        EventRedacted,
        LogMerged,
        SpaceCreated,
        SpaceChanged,
        SpaceDeleted,
        SpaceJoined,
        BranchOpened,
        BranchRenamed,
        BranchDisposed,
        CheckpointSaved,
        CheckpointDeleted,
        NoteAdded,
        ReviewRecorded,
        FindingSettled,
        SessionOpened,
        SessionChanged,
        SessionAttached,
        SessionDeleted,
        SessionRestored,
        LineOpened,
        LineLeft,
        LineResumed,
        TurnAdded,
        ThreadImported,
        TurnsImported,
        AnswerStarted,
        AnswerEnded,
        AnswerChosen,
        AnswerReleased,
        RequestStored,
        RequestEnded,
        ClaimTaken,
        ClaimExtended,
        ClaimChanged,
        ClaimEnded,
        WorktreeOpened,
        WorktreeClosed,
    )
}
"""Type name to class, for the product's own streams."""


def decode(type_name: str, schema_version: int, payload: dict[str, object]) -> Event | None:
    """The event of a payload; None for a type or schema version that this program does not know.

    Raises:
        Invalid: the payload does not have the fields of its type.
    """
    cls = REGISTERED.get(type_name)
    if cls is None or schema_version > cls.SCHEMA:
        return None
    return from_json(cls, payload)


def first_number(event: Event | None) -> int | None:
    """The sequence number of the turn that an event begins, or of the first of several; None where
    it begins none."""
    if isinstance(event, TurnsImported):
        return event.first
    return event.sequence_number if isinstance(event, TurnAdded | AnswerStarted) else None
