"""Which form of an answer a model can be held to, remembered beside its window."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("model_limit", sa.Column("form", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("model_limit", "form")
