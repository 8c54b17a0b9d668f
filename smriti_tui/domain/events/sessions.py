"""Sessions, lines and turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from smriti_tui.domain.events.base import Event
from smriti_tui.domain.ids import BranchId, CheckpointId, RequestId, SessionId, SpaceId
from smriti_tui.domain.model import (
    CopiedFrom,
    Cost,
    Fault,
    Role,
    TurnAttachment,
    TurnStatus,
    Usage,
)


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
