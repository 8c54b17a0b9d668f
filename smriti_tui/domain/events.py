"""Every fact the product records: one frozen dataclass per event type (DESIGN 10.4 to 10.18).

A payload never repeats the id of its own stream. Type names are stable; no type changes its
meaning. Open streams carry any type with any JSON object and have no class here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.ids import BranchId, CheckpointId, RequestId, SessionId, SpaceId
from smriti_tui.domain.model import (
    CheckpointBody,
    CopiedFrom,
    Cost,
    Disposition,
    Fault,
    NoteKind,
    Purpose,
    Role,
    TurnAttachment,
    TurnStatus,
    Usage,
)


@dataclass(frozen=True)
class Event:
    """Base: `TYPE` and `SCHEMA` name the fact, the fields are its payload."""

    TYPE: ClassVar[str]
    SCHEMA: ClassVar[int] = 1

    def payload(self) -> dict[str, object]:
        plain: dict[str, object] = to_json(self)
        return plain


# ---- store, space, branch ----------------------------------------------------------------------


@dataclass(frozen=True)
class StoreCreated(Event):
    TYPE: ClassVar[str] = "store.created"
    origin: str


@dataclass(frozen=True)
class SpaceCreated(Event):
    TYPE: ClassVar[str] = "space.created"
    name: str
    description: str = ""
    project_root: str | None = None


@dataclass(frozen=True)
class SpaceChanged(Event):
    """Only the fields that are not None change; an empty `project_root` clears it."""

    TYPE: ClassVar[str] = "space.changed"
    name: str | None = None
    description: str | None = None
    project_root: str | None = None
    undoes: str | None = None
    archived: bool | None = None


@dataclass(frozen=True)
class SpaceDeleted(Event):
    TYPE: ClassVar[str] = "space.deleted"
    checkpoints: int = 0


@dataclass(frozen=True)
class BranchOpened(Event):
    TYPE: ClassVar[str] = "branch.opened"
    branch: BranchId
    name: str
    start: CheckpointId | None = None


@dataclass(frozen=True)
class BranchRenamed(Event):
    TYPE: ClassVar[str] = "branch.renamed"
    branch: BranchId
    name: str
    undoes: str | None = None


@dataclass(frozen=True)
class BranchDisposed(Event):
    TYPE: ClassVar[str] = "branch.disposed"
    branch: BranchId
    disposition: Disposition
    undoes: str | None = None


# ---- checkpoints -------------------------------------------------------------------------------


@dataclass(frozen=True)
class CheckpointSaved(Event):
    TYPE: ClassVar[str] = "checkpoint.saved"
    id: CheckpointId
    branch: BranchId
    body: CheckpointBody


@dataclass(frozen=True)
class CheckpointDeleted(Event):
    TYPE: ClassVar[str] = "checkpoint.deleted"
    id: CheckpointId


@dataclass(frozen=True)
class NoteAdded(Event):
    TYPE: ClassVar[str] = "note.added"
    note: str
    checkpoint: CheckpointId
    text: str
    kind: NoteKind = "note"


# ---- sessions, lines, turns --------------------------------------------------------------------


@dataclass(frozen=True)
class SessionOpened(Event):
    """Opens line 1, the HEAD line, with it."""

    TYPE: ClassVar[str] = "session.opened"
    title: str
    space: SpaceId | None = None
    branch: BranchId | None = None
    fork_checkpoint: CheckpointId | None = None
    fork_session: SessionId | None = None
    fork_turn: int | None = None


@dataclass(frozen=True)
class SessionChanged(Event):
    """Only the fields that are not None change."""

    TYPE: ClassVar[str] = "session.changed"
    title: str | None = None
    undoes: str | None = None
    pinned: bool | None = None
    archived: bool | None = None


@dataclass(frozen=True)
class SessionAttached(Event):
    TYPE: ClassVar[str] = "session.attached"
    space: SpaceId
    branch: BranchId


@dataclass(frozen=True)
class SessionDeleted(Event):
    TYPE: ClassVar[str] = "session.deleted"
    undoes: str | None = None


@dataclass(frozen=True)
class SessionRestored(Event):
    """The session that an undo deleted is there again."""

    TYPE: ClassVar[str] = "session.restored"
    undoes: str | None = None


@dataclass(frozen=True)
class LineOpened(Event):
    TYPE: ClassVar[str] = "line.opened"
    line: int
    anchor: CheckpointId
    history_base_seq: int
    undoes: str | None = None


@dataclass(frozen=True)
class LineLeft(Event):
    TYPE: ClassVar[str] = "line.left"
    line: int
    undoes: str | None = None


@dataclass(frozen=True)
class LineResumed(Event):
    """Back to a mounted line that was left: its anchor, its boundary and its turns are those that
    it had."""

    TYPE: ClassVar[str] = "line.resumed"
    line: int
    undoes: str | None = None


@dataclass(frozen=True)
class TurnAdded(Event):
    """A turn that is whole from the start: the person's, a copy, or one that was imported."""

    TYPE: ClassVar[str] = "turn.added"
    sequence_number: int
    line: int
    role: Role
    text: str
    content: str
    question: int | None = None
    model: str | None = None
    copied_from: CopiedFrom | None = None
    attachments: tuple[TurnAttachment, ...] = ()
    """What the text mentions, as it was sent with it."""

    def payload(self) -> dict[str, object]:
        """Without the attachments where there are none."""
        plain = super().payload()
        if not self.attachments:
            del plain["attachments"]
        return plain


@dataclass(frozen=True)
class Owner:
    """The process that receives an answer (DESIGN 10.13)."""

    host: str
    pid: int
    started: str
    """When the process started, in a form only compared for equality."""


@dataclass(frozen=True)
class AnswerStarted(Event):
    TYPE: ClassVar[str] = "answer.started"
    sequence_number: int
    line: int
    question: int
    request: RequestId
    model: str
    owner: Owner


@dataclass(frozen=True)
class AnswerEnded(Event):
    TYPE: ClassVar[str] = "answer.ended"
    sequence_number: int
    status: TurnStatus
    text: str
    reasoning: str | None = None
    finish: str | None = None
    model: str | None = None
    usage: Usage | None = None
    cost: Cost | None = None
    attempts: int = 1
    error: Fault | None = None


@dataclass(frozen=True)
class AnswerChosen(Event):
    TYPE: ClassVar[str] = "answer.chosen"
    question: int
    answer: int
    undoes: str | None = None


@dataclass(frozen=True)
class AnswerReleased(Event):
    """No answer of the question is named any more: which is sent follows from how they ended."""

    TYPE: ClassVar[str] = "answer.released"
    question: int
    undoes: str | None = None


# ---- requests (DESIGN 10.18) -------------------------------------------------------------------


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


REGISTERED: dict[str, type[Event]] = {
    cls.TYPE: cls
    for cls in (
        StoreCreated,
        SpaceCreated,
        SpaceChanged,
        SpaceDeleted,
        BranchOpened,
        BranchRenamed,
        BranchDisposed,
        CheckpointSaved,
        CheckpointDeleted,
        NoteAdded,
        SessionOpened,
        SessionChanged,
        SessionAttached,
        SessionDeleted,
        SessionRestored,
        LineOpened,
        LineLeft,
        LineResumed,
        TurnAdded,
        AnswerStarted,
        AnswerEnded,
        AnswerChosen,
        AnswerReleased,
        RequestStored,
        RequestEnded,
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
