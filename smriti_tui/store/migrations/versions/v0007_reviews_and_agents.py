"""Reviews with their findings, claims and worktrees, and what those rows were before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("since", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("request", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("review_of_checkpoint", "review", ["checkpoint", "position"], unique=False)
    op.create_table(
        "finding",
        sa.Column("since", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("review", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("checkpoint", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("change", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("settled_by", sa.String(), nullable=True),
        sa.Column("settled_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("finding_of_review", "finding", ["review", "rank"], unique=False)
    op.create_index(
        "finding_open", "finding", ["space"], unique=False, sqlite_where=sa.text("outcome = 'open'")
    )
    op.create_table(
        "finding_past",
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("review", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("checkpoint", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("change", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("settled_by", sa.String(), nullable=True),
        sa.Column("settled_at", sa.String(), nullable=True),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    op.create_index("ix_finding_past_until", "finding_past", ["until"], unique=False)
    op.create_table(
        "claim",
        sa.Column("since", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("intent", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=True),
        sa.Column("branch", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=True),
        sa.Column("worktree", sa.String(), nullable=True),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("taken_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("ended_at", sa.String(), nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "claim_active", "claim", ["space"], unique=False, sqlite_where=sa.text("status = 'active'")
    )
    op.create_index("claim_of_space", "claim", ["space", "position"], unique=False)
    op.create_index("claim_of_task", "claim", ["space", "task_id", "token"], unique=False)
    op.create_table(
        "claim_past",
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("intent", sa.String(), nullable=False),
        sa.Column("task_id", sa.String(), nullable=True),
        sa.Column("branch", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=True),
        sa.Column("worktree", sa.String(), nullable=True),
        sa.Column("token", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("taken_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("ended_at", sa.String(), nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    op.create_index("ix_claim_past_until", "claim_past", ["until"], unique=False)
    op.create_table(
        "worktree",
        sa.Column("since", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("branch", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("opened_at", sa.String(), nullable=False),
        sa.Column("closed_at", sa.String(), nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("worktree_of_space", "worktree", ["space", "position"], unique=False)
    op.create_table(
        "worktree_past",
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("branch", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("opened_at", sa.String(), nullable=False),
        sa.Column("closed_at", sa.String(), nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", "since"),
    )
    op.create_index("ix_worktree_past_until", "worktree_past", ["until"], unique=False)


def downgrade() -> None:
    op.drop_table("worktree_past")
    op.drop_table("worktree")
    op.drop_table("claim_past")
    op.drop_table("claim")
    op.drop_table("finding_past")
    op.drop_table("finding")
    op.drop_table("review")
