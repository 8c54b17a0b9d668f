"""What rows were before: every row says since which event it is so, and what it was until then is
kept beside its table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlmodel import Session

revision = "0004"
down_revision = "0003"

DATED = (
    "branch",
    "checkpoint",
    "checkpoint_parent",
    "line",
    "line_run",
    "note",
    "request",
    "session",
    "space",
    "stream_text",
    "turn",
)


def upgrade() -> None:
    for table in DATED:
        zero = sa.text("0")
        op.add_column(table, sa.Column("since", sa.Integer(), server_default=zero, nullable=False))
    _past(
        "branch",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("start", sa.String(), nullable=True),
        sa.Column("head", sa.String(), nullable=True),
        sa.Column("disposition", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    _past(
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
        sa.PrimaryKeyConstraint("id", "since"),
    )
    _past(
        "line_run",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session", "first", "since"),
    )
    _past(
        "request",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=True),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("context_sha256", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    _past(
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
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    _past(
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
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    _past(
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
        sa.PrimaryKeyConstraint("session", "sequence_number", "since"),
    )
    # Refolding uses the projectors of today: it stands in the newest migration that needs one.
    from smriti_tui.store.rebuild import refold

    bind = op.get_bind()
    refold(Session(bind), bind.connection.cursor())


def _past(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        f"{name}_past",
        sa.Column("since", sa.Integer(), nullable=False),
        *columns,
        sa.Column("until", sa.Integer(), nullable=False),
    )
    op.create_index(f"ix_{name}_past_until", f"{name}_past", ["until"], unique=False)


def downgrade() -> None:
    raise RuntimeError("an older program does not keep what was; use the copy made before")
