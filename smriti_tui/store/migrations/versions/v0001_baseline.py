"""The first schema: the log, its tables, the side tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_FORBID = (
    "CREATE TRIGGER event_never_{lower} BEFORE {upper} ON event "
    "BEGIN SELECT RAISE(ABORT, 'events never change'); END"
)


def upgrade() -> None:
    op.create_table(
        "branch",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("start", sa.String(), nullable=True),
        sa.Column("head", sa.String(), nullable=True),
        sa.Column("disposition", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("space", "name"),
    )
    op.create_table(
        "checkpoint",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("branch", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("first_parent", sa.String(), nullable=True),
        sa.Column("source_session", sa.String(), nullable=True),
        sa.Column("source_line", sa.Integer(), nullable=True),
        sa.Column("source_first", sa.Integer(), nullable=True),
        sa.Column("source_last", sa.Integer(), nullable=True),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("assumptions", sa.Integer(), nullable=False),
        sa.Column("tasks", sa.Integer(), nullable=False),
        sa.Column("open_tasks", sa.Integer(), nullable=False),
        sa.Column("open_questions", sa.Integer(), nullable=False),
        sa.Column("artifacts", sa.Integer(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("checkpoint_of_branch", "checkpoint", ["branch", "position"], unique=False)
    op.create_index(
        "checkpoint_of_line",
        "checkpoint",
        ["source_session", "source_line", "position"],
        unique=False,
    )
    op.create_index("checkpoint_of_space", "checkpoint", ["space", "position"], unique=False)
    op.create_table(
        "checkpoint_parent",
        sa.Column("checkpoint", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("parent", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("checkpoint", "rank"),
    )
    op.create_index(
        op.f("ix_checkpoint_parent_parent"), "checkpoint_parent", ["parent"], unique=False
    )
    op.create_table(
        "event",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("door", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("correlation_id", sa.String(), nullable=False),
        sa.Column("causation_id", sa.String(), nullable=True),
        sa.Column("payload_sha256", sa.String(), nullable=False),
        sa.Column("chain_sha256", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("position"),
        sa.UniqueConstraint("event_id"),
        sa.UniqueConstraint("stream", "version"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "line",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=True),
        sa.Column("history_base_seq", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session", "line"),
    )
    op.create_index(op.f("ix_line_anchor"), "line", ["anchor"], unique=False)
    op.create_table(
        "line_run",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session", "first"),
    )
    op.create_table(
        "model_limit",
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=True),
        sa.Column("asked_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("model"),
    )
    op.create_table(
        "note",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_note_checkpoint"), "note", ["checkpoint"], unique=False)
    op.create_table(
        "partial",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("sequence_number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("reasoning", sa.String(), nullable=False),
        sa.Column("beat_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "sequence_number"),
    )
    op.create_table(
        "request",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=True),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("context_sha256", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=True),
        sa.Column("branch", sa.String(), nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("current_line", sa.Integer(), nullable=False),
        sa.Column("last_line", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("fork_checkpoint", sa.String(), nullable=True),
        sa.Column("fork_session", sa.String(), nullable=True),
        sa.Column("fork_turn", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.Column("changed_position", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_session_branch"), "session", ["branch"], unique=False)
    op.create_index(
        op.f("ix_session_fork_checkpoint"), "session", ["fork_checkpoint"], unique=False
    )
    op.create_index("session_of_space", "session", ["space", "changed_position"], unique=False)
    op.create_table(
        "space",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("project_root", sa.String(), nullable=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.Column("changed_position", sa.Integer(), nullable=False),
        sa.Column("checkpoints", sa.Integer(), nullable=False),
        sa.Column("sessions", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_space_changed_position"), "space", ["changed_position"], unique=False)
    op.create_index(op.f("ix_space_name"), "space", ["name"], unique=False)
    op.create_table(
        "stream_head",
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("chain_sha256", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("stream"),
    )
    op.create_table(
        "stream_text",
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("stream", "sha256"),
    )
    op.create_table(
        "turn",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("sequence_number", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("ended_at", sa.String(), nullable=True),
        sa.Column("question", sa.Integer(), nullable=True),
        sa.Column("chosen", sa.Integer(), nullable=True),
        sa.Column("request", sa.String(), nullable=True),
        sa.Column("context_sha256", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("reasoning", sa.String(), nullable=True),
        sa.Column("finish", sa.String(), nullable=True),
        sa.Column("usage", sa.String(), nullable=True),
        sa.Column("cost", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("copied_from", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("session", "sequence_number"),
    )
    op.create_index("turn_of_line", "turn", ["session", "line", "sequence_number"], unique=False)
    op.create_index(
        "turn_running",
        "turn",
        ["session", "status"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
    )
    op.create_table(
        "unsent",
        sa.Column("thing", sa.String(), nullable=False),
        sa.Column("process", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("thing", "process"),
    )
    op.execute(_FORBID.format(lower="update", upper="UPDATE"))
    op.execute(_FORBID.format(lower="delete", upper="DELETE"))


def downgrade() -> None:
    raise RuntimeError("the first schema has nothing before it")
