"""Alembic's scripts and the one way to run them. Imported only by what migrates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.command import upgrade as run_upgrade
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from smriti_tui.store.engine import driver


def upgrade(connection: Any, revision: str) -> None:
    """Runs all scripts up to `revision` on a driver connection, in one transaction."""
    engine = create_engine(
        "sqlite://", module=driver(), creator=lambda: connection, poolclass=StaticPool
    )

    @event.listens_for(engine, "begin")
    def begin(opened: Any) -> None:
        opened.exec_driver_sql("BEGIN IMMEDIATE")

    _run(engine, revision)


def upgrade_server(connection: Any, revision: str) -> None:
    """The same on a connection to a PostgreSQL server, whose lock the caller holds."""
    from smriti_tui.store.backends.postgres_schema import ours

    connection.autocommit = False
    engine = ours(
        create_engine(
            "postgresql+psycopg://",
            creator=lambda: connection,
            poolclass=StaticPool,
            use_native_hstore=False,
        )
    )
    _run(engine, revision)


def _run(engine: Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with engine.connect() as opened:
        config.attributes["connection"] = opened
        run_upgrade(config, revision)
