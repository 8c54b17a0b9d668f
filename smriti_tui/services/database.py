"""The database itself: how it is, its own check, migration, backup."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from smriti_tui.services.caller import Caller
from smriti_tui.store import health
from smriti_tui.store.health import DatabaseFacts, Sqlite

__all__ = ["DatabaseFacts", "DatabaseService", "Sqlite"]


@dataclass(frozen=True)
class DatabaseService:
    caller: Caller

    def sqlite(self) -> Sqlite:
        """Which SQLite this process uses."""
        return health.sqlite()

    def facts(self) -> DatabaseFacts:
        """Never raises for a database that is broken; `fault` says so."""
        return health.facts(self.caller.store)

    def check(self) -> list[str]:
        """Faults of the file, empty when it is sound. Raises: NotFound, StoreError."""
        return health.check(self.caller.store)

    def migrate(self) -> bool:
        """Whether anything was to do. Raises: StoreError."""
        return health.migrate(self.caller.store)

    def backup(self, target: Path) -> int:
        """Size in bytes of the copy. Raises: NotFound, Conflict (it exists), StoreError."""
        return health.backup(self.caller.store, target)
