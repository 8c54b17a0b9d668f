"""Of rows that change with every turn the pasts lie by their key, without a second index: they took
a quarter more room than they hold."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

OFTEN = ("branch", "line_run", "session", "space")


def upgrade() -> None:
    bind = op.get_bind()
    for name in OFTEN:
        table = f"{name}_past"
        told = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
        shape = bind.exec_driver_sql(told, (table,)).scalar_one()
        bind.exec_driver_sql(f"CREATE TABLE moved AS SELECT * FROM {table}")
        bind.exec_driver_sql(f"DROP TABLE {table}")
        bind.exec_driver_sql(f"{shape} WITHOUT ROWID")
        bind.exec_driver_sql(f"INSERT INTO {table} SELECT * FROM moved")
        bind.exec_driver_sql("DROP TABLE moved")


def downgrade() -> None:
    raise RuntimeError("an older program does not know these tables; use the copy made before")
