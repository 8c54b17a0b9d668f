"""Conversations of other tools."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    zero = sa.text("0")
    op.create_table(
        "imported_thread",
        sa.Column("since", sa.Integer(), server_default=zero, nullable=False),
        *_thread(),
        sa.PrimaryKeyConstraint("session", "tool", "source_id"),
    )
    op.create_index("imported_thread_of_tool", "imported_thread", ["tool", "source_id"])
    op.create_table(
        "imported_thread_past",
        sa.Column("since", sa.Integer(), nullable=False),
        *_thread(),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session", "tool", "source_id", "since"),
    )
    op.create_index("ix_imported_thread_past_until", "imported_thread_past", ["until"])
    op.create_table(
        "imported_turn",
        sa.Column("since", sa.Integer(), server_default=zero, nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("sequence_number", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("text_sha256", sa.String(), nullable=False),
        sa.Column("said_at", sa.String(), nullable=True),
        sa.Column("detail_count", sa.Integer(), nullable=False),
        sa.Column("details", sa.String(), nullable=False),
        sa.Column("flags", sa.String(), nullable=False),
        sa.Column("original_role", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("session", "sequence_number"),
    )
    op.create_index("ix_imported_turn_source_id", "imported_turn", ["source_id"])


def _thread() -> list[sa.Column[Any]]:
    names = ("session", "tool", "source_id", "title", "file")
    optional = ("created_at", "updated_at", "project", "branch")
    return [
        *(sa.Column(name, sa.String(), nullable=False) for name in names),
        *(sa.Column(name, sa.String(), nullable=True) for name in optional),
    ]


def downgrade() -> None:
    raise RuntimeError("an older program does not read imported turns; use the copy")
