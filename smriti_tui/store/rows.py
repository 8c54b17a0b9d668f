"""The projected tables: folded from the log alone, answering every query (DESIGN section 4).

SQLModel owns the schema; `store.projectors` is the only writer. JSON columns hold canonical text.
"""

from __future__ import annotations

from typing import ClassVar, Final

from sqlalchemy import (
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

projected = registry(metadata=MetaData())


class PlainRow(SQLModel, registry=projected):
    """Base of the tables that verify and rebuild fold anew."""


class Row(PlainRow):
    """Base of those that can be read as they were at an earlier event (`store.past`)."""

    since: int = Field(sa_column_kwargs={"server_default": text("0")})
    """Position of the event that made the row what it is."""


_NO: Final = {"server_default": text("0")}
"""Of a column that came by a migration: what the rows of before have there."""


class StreamHeadRow(PlainRow, table=True):
    __tablename__: ClassVar[str] = "stream_head"
    stream: str = Field(primary_key=True)
    version: int
    chain_sha256: str
    position: int
    recorded_at: str


class TailRow(PlainRow, table=True):
    """A stream that grew apart from one of the same name in another store (`store.tails`)."""

    __tablename__: ClassVar[str] = "tail"
    stream: str = Field(primary_key=True)
    parent: str
    version: int
    """The event of the parent that its first one follows; 0 where it follows none."""
    family: str = Field(index=True)
    """The stream that all of them grew from."""
    subject: str = Field(index=True)
    """What it is about: a session of its own, or the Space."""
    position: int


class BranchAliasRow(PlainRow, table=True):
    """What another store calls a branch that has another id here (`space.joined`)."""

    __tablename__: ClassVar[str] = "branch_alias"
    alias: str = Field(primary_key=True)
    branch: str


class RedactedRow(PlainRow, table=True):
    """An event that holds marks in the place of a text, and the event that says so."""

    __tablename__: ClassVar[str] = "redacted"
    event_id: str = Field(primary_key=True)
    sha256: str
    by_event: str


class DeletionRow(PlainRow, table=True):
    """A checkpoint that somebody deleted. It is there still while another store's goes on from
    it."""

    __tablename__: ClassVar[str] = "deletion"
    checkpoint: str = Field(primary_key=True)


class SpaceRow(Row, table=True):
    __tablename__: ClassVar[str] = "space"
    id: str = Field(primary_key=True)
    name: str = Field(index=True)
    description: str
    project_root: str | None
    created_at: str
    changed_at: str
    changed_position: int = Field(index=True)
    checkpoints: int
    sessions: int
    deleted: bool
    archived: bool = Field(sa_column_kwargs=_NO)


class BranchRow(Row, table=True):
    __tablename__: ClassVar[str] = "branch"
    __table_args__ = (UniqueConstraint("space", "name"),)
    id: str = Field(primary_key=True)
    space: str
    name: str
    start: str | None
    head: str | None
    disposition: str
    position: int


class CheckpointRow(Row, table=True):
    __tablename__: ClassVar[str] = "checkpoint"
    __table_args__ = (
        Index("checkpoint_of_space", "space", "position"),
        Index("checkpoint_of_branch", "branch", "position"),
        Index("checkpoint_of_line", "source_session", "source_line", "position"),
    )
    id: str = Field(primary_key=True)
    space: str
    branch: str
    title: str
    author: str
    created_at: str
    first_parent: str | None
    source_session: str | None
    source_line: int | None
    source_first: int | None
    source_last: int | None
    decisions: int
    assumptions: int
    tasks: int
    open_tasks: int
    open_questions: int
    artifacts: int
    body: str
    position: int
    deleted: bool


class CheckpointParentRow(Row, table=True):
    __tablename__: ClassVar[str] = "checkpoint_parent"
    checkpoint: str = Field(primary_key=True)
    rank: int = Field(primary_key=True)
    parent: str = Field(index=True)


class NoteRow(Row, table=True):
    __tablename__: ClassVar[str] = "note"
    id: str = Field(primary_key=True)
    checkpoint: str = Field(index=True)
    space: str
    kind: str
    text: str
    actor: str
    recorded_at: str
    position: int


class SessionRow(Row, table=True):
    __tablename__: ClassVar[str] = "session"
    __table_args__ = (Index("session_of_space", "space", "changed_position"),)
    id: str = Field(primary_key=True)
    space: str | None
    branch: str | None = Field(index=True)
    title: str
    current_line: int
    last_line: int
    last_seq: int
    model: str | None
    fork_checkpoint: str | None = Field(index=True)
    fork_session: str | None
    fork_turn: int | None
    created_at: str
    changed_at: str
    changed_position: int
    deleted: bool
    pinned: bool = Field(sa_column_kwargs=_NO)
    archived: bool = Field(sa_column_kwargs=_NO)


class LineRow(Row, table=True):
    __tablename__: ClassVar[str] = "line"
    session: str = Field(primary_key=True)
    line: int = Field(primary_key=True)
    anchor: str | None = Field(index=True)
    history_base_seq: int


class LineRunRow(Row, table=True):
    __tablename__: ClassVar[str] = "line_run"
    session: str = Field(primary_key=True)
    first: int = Field(primary_key=True)
    last: int
    line: int


class TurnRow(Row, table=True):
    __tablename__: ClassVar[str] = "turn"
    __table_args__ = (
        Index("turn_of_line", "session", "line", "sequence_number"),
        Index("turn_running", "session", "status", sqlite_where=text("status = 'running'")),
    )
    session: str = Field(primary_key=True)
    sequence_number: int = Field(primary_key=True)
    line: int
    role: str
    text: str
    content: str
    status: str
    recorded_at: str
    ended_at: str | None
    question: int | None
    chosen: int | None
    request: str | None
    context_sha256: str | None
    model: str | None
    reasoning: str | None
    finish: str | None
    usage: str | None
    cost: str | None
    attempts: int
    error: str | None
    owner: str | None
    copied_from: str | None


class ImportedThreadRow(Row, table=True):
    __tablename__: ClassVar[str] = "imported_thread"
    __table_args__ = (Index("imported_thread_of_tool", "tool", "source_id"),)
    session: str = Field(primary_key=True)
    tool: str = Field(primary_key=True)
    source_id: str = Field(primary_key=True)
    title: str
    file: str
    created_at: str | None
    updated_at: str | None
    project: str | None
    branch: str | None


class ImportedTurnRow(Row, table=True):
    __tablename__: ClassVar[str] = "imported_turn"
    session: str = Field(primary_key=True)
    sequence_number: int = Field(primary_key=True)
    source_id: str = Field(index=True)
    text_sha256: str
    said_at: str | None
    detail_count: int
    details: str
    flags: str
    original_role: str | None


class StreamTextRow(Row, table=True):
    """Texts that the requests of a stream refer to by hash."""

    __tablename__: ClassVar[str] = "stream_text"
    stream: str = Field(primary_key=True)
    sha256: str = Field(primary_key=True)
    text: str


class RequestRow(Row, table=True):
    __tablename__: ClassVar[str] = "request"
    id: str = Field(primary_key=True)
    stream: str
    version: int
    """Where in the stream the event stands that holds the request."""
    answer: int | None
    purpose: str
    model: str
    context_sha256: str
    status: str | None


class ReviewRow(Row, table=True):
    __tablename__: ClassVar[str] = "review"
    __table_args__ = (Index("review_of_checkpoint", "checkpoint", "position"),)
    id: str = Field(primary_key=True)
    checkpoint: str
    space: str
    request: str | None
    model: str | None
    actor: str
    recorded_at: str
    position: int


class FindingRow(Row, table=True):
    __tablename__: ClassVar[str] = "finding"
    __table_args__ = (
        Index("finding_of_review", "review", "rank"),
        Index("finding_open", "space", sqlite_where=text("outcome = 'open'")),
    )
    id: str = Field(primary_key=True)
    review: str
    rank: int
    checkpoint: str
    space: str
    content: str
    """The finding as it was recorded."""
    outcome: str
    change: str | None
    reason: str | None
    settled_by: str | None
    settled_at: str | None


class ClaimRow(Row, table=True):
    __tablename__: ClassVar[str] = "claim"
    __table_args__ = (
        Index("claim_of_space", "space", "position"),
        Index("claim_active", "space", sqlite_where=text("status = 'active'")),
        Index("claim_of_task", "space", "task_id", "token"),
    )
    id: str = Field(primary_key=True)
    space: str
    agent: str
    scope: str
    intent: str
    task_id: str | None
    branch: str
    base: str | None
    worktree: str | None
    token: int
    status: str
    taken_at: str
    expires_at: str
    ended_at: str | None
    ended_by: str | None
    position: int


class WorktreeRow(Row, table=True):
    __tablename__: ClassVar[str] = "worktree"
    __table_args__ = (Index("worktree_of_space", "space", "position"),)
    id: str = Field(primary_key=True)
    space: str
    agent: str
    root: str
    path: str
    branch: str
    base: str
    status: str
    opened_at: str
    closed_at: str | None
    closed_by: str | None
    position: int


class SearchEntryRow(PlainRow, table=True):
    """What a row of the search index is (`store.search_index`); its text stands elsewhere."""

    __tablename__: ClassVar[str] = "search_entry"
    __table_args__ = (Index("search_of_owner", "owner", sqlite_where=text("owner IS NOT NULL")),)
    id: int | None = Field(default=None, primary_key=True)
    """The row's number in the index, in the order in which things were said."""
    kind: str
    space: str | None
    """Null for turns and sessions: they lie where their session lies now."""
    session: str | None
    number: int | None
    """Of a turn, or the place of an item in its list."""
    owner: str | None
    """The checkpoint that holds it, or what has this name."""
    ref: str | None
    """Of an item, artifact or note its own id; of a copied turn what it is a copy of."""
    author: str
    recorded_at: str
    live: bool


CHANGING: Final = (
    "branch", "checkpoint", "claim", "finding", "imported_thread", "line_run", "request",
    "session", "space", "turn", "worktree",
)  # fmt: skip
"""Tables whose rows events change. What a row was before stands in `<name>_past`, with the position
of the event that ended it in `until`."""
OFTEN: Final = ("branch", "line_run", "session", "space")
"""Those of them whose rows have as many pasts as there were turns or checkpoints. Each is looked up
by its key, so the key itself orders their `<name>_past`, and no second index is kept."""


def _past(name: str) -> None:
    now = projected.metadata.tables[name]
    columns = [Column(each.name, each.type, nullable=each.nullable) for each in now.columns]
    often = name in OFTEN
    until = Column("until", Integer, nullable=False, index=not often)
    key = PrimaryKeyConstraint(*(column.name for column in now.primary_key), "since")
    Table(f"{name}_past", projected.metadata, *columns, until, key, sqlite_with_rowid=not often)


for _name in CHANGING:
    _past(_name)

# ---- the log itself ----------------------------------------------------------------------------

log_registry = registry(metadata=MetaData())


BY_A_PERSON: Final = "door = 'tui'"
CHANGES: Final = (
    "type IN ('answer.chosen', 'answer.released', 'branch.disposed', 'branch.renamed', "
    "'checkpoint.deleted', 'claim.changed', 'claim.ended', 'claim.extended', 'claim.taken', "
    "'finding.settled', 'line.left', 'line.opened', 'line.resumed', "
    "'session.changed', 'session.deleted', 'session.opened', 'session.restored', "
    "'space.changed', 'space.created', 'space.deleted')"
)
"""Conditions of two indexes: SQLite takes one only for a query that has its condition word for
word. The second holds what changes a value that an earlier event of the same stream gave."""


class LogRow(SQLModel, registry=log_registry):
    """Base of the log's own table."""


class EventRow(LogRow, table=True):
    """One immutable fact. Triggers forbid UPDATE and DELETE."""

    __tablename__: ClassVar[str] = "event"
    __table_args__ = (
        UniqueConstraint("stream", "version"),
        # A person's newest actions, kind by kind; what a value was before (`store.actions`).
        Index("event_of_actor", "actor", "type", "position", sqlite_where=text(BY_A_PERSON)),
        Index("event_of_change", "stream", "type", "version", sqlite_where=text(CHANGES)),
        {"sqlite_autoincrement": True},
    )
    position: int | None = Field(default=None, primary_key=True)
    event_id: str = Field(unique=True)
    origin: str
    stream: str
    version: int
    type: str
    schema_version: int
    payload: str
    actor: str
    door: str
    recorded_at: str
    correlation_id: str
    causation_id: str | None
    payload_sha256: str
    chain_sha256: str
