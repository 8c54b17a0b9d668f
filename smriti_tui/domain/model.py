"""The words of the product as frozen values (DESIGN section 2). Times are UTC text (DESIGN
10.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from smriti_tui.domain.ids import BranchId, CheckpointId, RequestId, SessionId, SpaceId

Role = Literal["user", "assistant", "system"]
TurnStatus = Literal["complete", "running", "stopped", "cut", "failed"]
Mode = Literal["FRESH", "HEAD", "RESTORED", "FORKED"]
Disposition = Literal["active", "integrated", "abandoned"]
Door = Literal["tui", "cli", "mcp", "import", "system"]
ItemState = Literal["live", "retired"]
TaskStatus = Literal["open", "done"]
Intent = Literal["implement", "review", "investigate", "docs", "test"]
EvidenceCheck = Literal["found", "assistant_only", "outside_window", "not_found"]
NoteKind = Literal["note", "milestone", "noise"]
Purpose = Literal["chat", "draft", "extract", "review", "title", "explain"]
ClaimStatus = Literal["active", "done", "abandoned"]

_DEFAULT_TITLE = re.compile(r"Session \d{4}-\d\d-\d\d \d\d:\d\d")
MAIN = "main"
"""Name of the branch that every Space has."""


@dataclass(frozen=True)
class Space:
    id: SpaceId
    name: str
    description: str
    project_root: str | None
    created_at: str
    changed_at: str
    checkpoints: int = 0
    sessions: int = 0
    archived: bool = False


@dataclass(frozen=True)
class Branch:
    """A chain of checkpoints; `start` is what a fork began from, `head` its newest own
    checkpoint."""

    id: BranchId
    space: SpaceId
    name: str
    start: CheckpointId | None
    head: CheckpointId | None
    disposition: Disposition

    @property
    def tip(self) -> CheckpointId | None:
        """What a HEAD line is anchored on: the head, else where the branch began."""
        return self.head or self.start


@dataclass(frozen=True)
class Session:
    id: SessionId
    space: SpaceId | None
    branch: BranchId | None
    title: str
    current_line: int
    last_seq: int
    """Highest sequence number given out so far, 0 for none."""
    created_at: str
    changed_at: str
    branch_name: str | None = None
    fork_checkpoint: CheckpointId | None = None
    fork_session: SessionId | None = None
    fork_turn: int | None = None
    model: str | None = None
    """Model of the newest answer."""
    pinned: bool = False
    archived: bool = False
    beginning: str = ""
    """How the first question begins, where nobody has named the session."""

    @property
    def label(self) -> str:
        """What lists call it: its title; while nobody named it, its first words."""
        return " ".join(self.beginning.split()) or self.title


def default_title(moment: str) -> str:
    """The title of a session that is opened without one, at a time (UTC text)."""
    return f"Session {moment[:10]} {moment[11:16]}"


def is_default_title(title: str) -> bool:
    """Whether nobody gave this title."""
    return _DEFAULT_TITLE.fullmatch(title) is not None


@dataclass(frozen=True)
class Usage:
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True)
class Cost:
    usd: str
    """Decimal text."""
    source: str


@dataclass(frozen=True)
class Message:
    """One chat message as litellm gets it."""

    role: Role
    content: str


@dataclass(frozen=True)
class Fault:
    """Why an answer ended badly."""

    kind: str
    message: str


@dataclass(frozen=True)
class Turn:
    """One message. An answer has `question`, `request`, `status`; a user turn is always
    complete."""

    session: SessionId
    sequence_number: int
    line: int
    role: Role
    text: str
    """What was typed or received."""
    content: str
    """What a model gets of it."""
    status: TurnStatus
    recorded_at: str
    question: int | None = None
    chosen: int | None = None
    """On a question: the answer that a person chose, if one was named."""
    request: RequestId | None = None
    model: str | None = None
    reasoning: str | None = None
    finish: str | None = None
    usage: Usage | None = None
    cost: Cost | None = None
    attempts: int = 0
    error: Fault | None = None
    copied_from: CopiedFrom | None = None
    context_sha256: str | None = None
    ended_at: str | None = None
    said_at: str | None = None
    """When it was said in the tool that it was imported from."""
    details: int | None = None
    """How many reasonings, tool calls, files stand beside the words of an imported turn; None for
    one that was said here."""


@dataclass(frozen=True)
class CopiedFrom:
    session: SessionId
    sequence_number: int


@dataclass(frozen=True)
class TurnAttachment:
    """What a message refers to with `@`, as it was sent with it."""

    kind: Literal["file", "checkpoint", "item", "artifact"]
    name: str
    """As it was mentioned."""
    sha256: str
    """Of the bytes that were sent of it."""
    size_bytes: int
    """Of the whole."""
    sent_bytes: int
    path: str | None = None
    """Of a file, relative to the Space's project root."""
    checkpoint: CheckpointId | None = None
    """The checkpoint that it is, or was taken from."""
    uid: str | None = None
    """Of an item or artifact."""


@dataclass(frozen=True)
class Line:
    """An isolated stretch of a session; line 1 is the HEAD line (DESIGN 10.7)."""

    session: SessionId
    line: int
    anchor: CheckpointId | None
    history_base_seq: int


@dataclass(frozen=True)
class LineRun:
    """Consecutive turns of a session on one line."""

    first: int
    last: int
    line: int


# ---- checkpoints (DESIGN 10.15, 10.16) ---------------------------------------------------------


@dataclass(frozen=True)
class Evidence:
    quote: str
    check: EvidenceCheck
    session: SessionId | None = None
    turn: int | None = None
    document_sha256: str | None = None
    lines: tuple[int, ...] = ()
    kept_by: str | None = None


@dataclass(frozen=True)
class Item:
    """A decision, assumption or open question."""

    uid: str
    text: str
    state: ItemState = "live"
    retired_by: str | None = None
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Task:
    uid: str
    text: str
    id: str | None = None
    intent_hint: Intent | None = None
    blocked_by: tuple[str, ...] = ()
    status: TaskStatus = "open"
    state: ItemState = "live"
    retired_by: str | None = None
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Artifact:
    id: str
    type: str
    label: str
    content: str


@dataclass(frozen=True)
class Source:
    """The turns that a checkpoint was made from."""

    session: SessionId
    line: int
    first: int | None
    last: int | None


@dataclass(frozen=True)
class GitState:
    """Where the author's checkout stood."""

    head: str | None = None
    branch: str | None = None


@dataclass(frozen=True)
class CheckpointBody:
    """All that a checkpoint's id is derived from."""

    space: SpaceId
    parents: tuple[CheckpointId, ...]
    title: str
    author: str
    created_at: str
    objective: str = ""
    summary: str = ""
    decisions: tuple[Item, ...] = ()
    assumptions: tuple[Item, ...] = ()
    tasks: tuple[Task, ...] = ()
    open_questions: tuple[Item, ...] = ()
    entities: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    project_root: str | None = None
    git: GitState | None = None
    source: Source | None = None
    draft_request: RequestId | None = None


@dataclass(frozen=True)
class Checkpoint:
    id: CheckpointId
    branch: BranchId
    body: CheckpointBody
    position: int
    branch_name: str = MAIN
    source_session: SessionId | None = None
    """Another session than the one it names, which holds the turns of its source in this store."""

    @property
    def title(self) -> str:
        return self.body.title

    @property
    def source(self) -> Source | None:
        """The turns that it was made from, where this store has them: those of a session that came
        apart are in another session than the one that was written down."""
        source = self.body.source
        if source is None or self.source_session is None:
            return source
        return replace(source, session=self.source_session)


@dataclass(frozen=True)
class CheckpointSummary:
    """A row of a list: no texts but the title."""

    id: CheckpointId
    space: SpaceId
    branch: BranchId
    branch_name: str
    title: str
    author: str
    created_at: str
    parents: tuple[CheckpointId, ...]
    decisions: int
    assumptions: int
    tasks: int
    open_tasks: int
    open_questions: int
    artifacts: int
    position: int


@dataclass(frozen=True)
class Note:
    id: str
    checkpoint: CheckpointId
    kind: NoteKind
    text: str
    actor: str
    recorded_at: str
