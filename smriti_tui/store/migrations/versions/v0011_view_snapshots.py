"""Snapshots of views and what their files held: side tables, no part of the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "view_snapshot",
        sa.Column("view", sa.String(), nullable=False),
        sa.Column("projector", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("versions", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("saved_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("view", "projector", "position"),
    )
    op.create_table(
        "view_file",
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("view", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("path"),
    )


def downgrade() -> None:
    op.drop_table("view_file")
    op.drop_table("view_snapshot")
