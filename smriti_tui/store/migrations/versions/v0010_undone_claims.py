"""What became of a claim is found as fast as other changes that a person may undo."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_CHANGES = (
    "type IN ('answer.chosen', 'answer.released', 'branch.disposed', 'branch.renamed', "
    "'checkpoint.deleted', 'claim.changed', 'claim.ended', 'claim.extended', 'claim.taken', "
    "'finding.settled', 'line.left', 'line.opened', 'line.resumed', "
    "'session.changed', 'session.deleted', 'session.opened', 'session.restored', "
    "'space.changed', 'space.created', 'space.deleted')"
)


def upgrade() -> None:
    op.drop_index("event_of_change", "event")
    op.create_index(
        "event_of_change",
        "event",
        ["stream", "type", "version"],
        unique=False,
        sqlite_where=sa.text(_CHANGES),
    )


def downgrade() -> None:
    raise RuntimeError("an older program does not find its changes by this index; use the copy")
