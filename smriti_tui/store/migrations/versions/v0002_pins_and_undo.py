"""What is pinned and archived, and a way to a person's newest actions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_CHANGES = (
    "type IN ('answer.chosen', 'answer.released', 'branch.disposed', 'branch.renamed', "
    "'checkpoint.deleted', 'line.left', 'line.opened', 'line.resumed', 'session.changed', "
    "'session.deleted', 'session.opened', 'session.restored', 'space.changed', 'space.created', "
    "'space.deleted')"
)
"""What changes a value that an earlier event of the same stream gave."""


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
    op.create_index(
        "event_of_change",
        "event",
        ["stream", "type", "version"],
        unique=False,
        sqlite_where=sa.text(_CHANGES),
    )


def downgrade() -> None:
    raise RuntimeError("an older program cannot read what was archived; use the copy made before")
