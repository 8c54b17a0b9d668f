"""The database itself: how it is, its own check, migration, backup."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from smriti_tui.services.caller import Caller
from smriti_tui.store import health
from smriti_tui.store.health import DatabaseFacts, Sqlite

ADVICE = "Better: a disk of this machine, or PostgreSQL for a team; `smriti doctor` tells more."
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

    def journal_words(self) -> str | None:
        """What a person should know of a database that has no write-ahead log, or lies where other
        machines write; None where all is well, and while there is none. Raises: StoreError."""
        found = self.facts()
        if found.path is None or not found.exists or found.journal is None:
            return None
        kind = found.file_system or "its file system"
        if found.on_network:
            return f"The database lies on {kind}, which other machines may share. {ADVICE}"
        if found.journal != "wal":
            return f"{kind} has no shared memory for a write-ahead log: writers wait. {ADVICE}"
        return None

    def check(self) -> list[str]:
        """Faults of the file, empty when it is sound. Raises: NotFound, StoreError, Invalid (the
        store looks into the past)."""
        self.caller.store.present_only()
        return health.check(self.caller.store)

    def migrate(self) -> bool:
        """Whether anything was to do. Raises: StoreError."""
        return health.migrate(self.caller.store)

    def backup(self, target: Path) -> int:
        """Size in bytes of the copy. Raises: NotFound, Conflict (it exists), StoreError, Invalid
        (the store looks into the past)."""
        self.caller.store.present_only()
        return health.backup(self.caller.store, target)
