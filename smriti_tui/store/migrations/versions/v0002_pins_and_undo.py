"""What is pinned and archived, and a way to a person's newest actions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    for table, column in (("session", "pinned"), ("session", "archived"), ("space", "archived")):
        no = sa.text("0")
        op.add_column(table, sa.Column(column, sa.Boolean(), server_default=no, nullable=False))
    op.create_index(
        "event_of_actor",
        "event",
        ["actor", "type", "position"],
        unique=False,
        sqlite_where=sa.text("door = 'tui'"),
    )


def downgrade() -> None:
    raise RuntimeError("an older program cannot read what was archived; use the copy made before")
