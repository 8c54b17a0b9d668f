"""Unfinished merges: a side table, no part of the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "merge_draft",
        sa.Column("into_branch", sa.String(), nullable=False),
        sa.Column("ours", sa.String(), nullable=False),
        sa.Column("theirs", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("base", sa.String(), nullable=True),
        sa.Column("answers", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.Column("thrown_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("into_branch", "ours", "theirs"),
    )


def downgrade() -> None:
    op.drop_table("merge_draft")
