"""Streams that grew apart in two stores, and what a branch is called in the other one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "tail",
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("parent", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("stream"),
    )
    op.create_index("ix_tail_family", "tail", ["family"])
    op.create_index("ix_tail_subject", "tail", ["subject"])
    op.create_table(
        "branch_alias",
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("branch", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("alias"),
    )
    op.create_table(
        "deletion",
        sa.Column("checkpoint", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("checkpoint"),
    )
    op.execute("INSERT INTO deletion (checkpoint) SELECT id FROM checkpoint WHERE deleted")


def downgrade() -> None:
    op.drop_table("deletion")
    op.drop_table("branch_alias")
    op.drop_table("tail")
