"""The search: an index of words, what each of its rows is, both filled from the log.

The log is read, not the tables: names that were given before are part of the index as well, so that
it is the same whether it grew with the log or came later.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from smriti_tui.store.dialect import SQLITE
from smriti_tui.store.search_index import refill

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "search_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=True),
        sa.Column("session", sa.String(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("ref", sa.String(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.Column("live", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "search_of_owner",
        "search_entry",
        ["owner"],
        unique=False,
        sqlite_where=sa.text("owner IS NOT NULL"),
    )
    op.execute(
        "CREATE VIRTUAL TABLE search_index USING fts5(words, parts, content='', tokenize='ascii')"
    )
    op.execute("CREATE VIRTUAL TABLE search_word USING fts5vocab(search_index, instance)")
    refill(op.get_bind().connection.cursor(), SQLITE, forgiving=True)


def downgrade() -> None:
    raise RuntimeError("an older program does not keep the index; use the copy made before")
