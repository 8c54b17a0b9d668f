"""A Space with a session that a person works in through the app, and others beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import Door
from smriti_tui.services import Services
from tests.support import content, opened_services

FIELDS = {
    "space": ("id", "name", "description", "project_root", "archived", "sessions", "deleted"),
    "branch": ("id", "name", "disposition"),
    "session": ("id", "title", "current_line", "pinned", "archived"),
    "turn": ("session", "sequence_number", "line", "chosen"),
}
"""What undo and redo bring back; when something was changed last is no part of it."""
THERE = {"session": " WHERE deleted = 0"}


@dataclass
class Desk:
    """The person's services and what they work on."""

    folder: Path
    mine: Services
    space: SpaceId
    session: SessionId
    checkpoints: tuple[CheckpointId, CheckpointId]

    def undo(self) -> str:
        """What was undone, in words."""
        found = self.mine.undoing.undo()
        return found.what if found else ""

    def redo(self) -> str:
        found = self.mine.undoing.redo()
        return found.what if found else ""

    def line(self) -> int:
        return self.mine.sessions.get(self.session).current_line

    @contextmanager
    def other(self, actor: str = "codex", door: Door = "cli") -> Iterator[Services]:
        """Somebody else at the same store."""
        with opened_services(self.folder, actor=actor, door=door) as services:
            yield services

    def state(self) -> dict[str, list[tuple[object, ...]]]:
        """All that an undo may change, row by row."""
        return fields_of(self.mine)


def fields_of(services: Services) -> dict[str, list[tuple[object, ...]]]:
    """The rows of the tables as far as undo is about them."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with services.caller.read() as tx:
        for table, names in FIELDS.items():
            sql = f"SELECT {', '.join(names)} FROM {table}{THERE.get(table, '')} ORDER BY 1, 2"
            found[table] = [tuple(row) for row in tx.connection().execute(text(sql))]
    return found


@contextmanager
def desk_in(folder: Path) -> Iterator[Desk]:
    """The Space, its session and two checkpoints were made through another door."""
    with opened_services(folder, actor="maker", door="cli") as maker:
        space = maker.spaces.create("alpha", description="first", project_root="/old").id
        session = maker.sessions.new(space, title="one").id
        saved = [maker.checkpoints.create(space, content(f"c{n}", f"d{n}")) for n in (1, 2)]
    ids = (saved[0].checkpoint.id, saved[1].checkpoint.id)
    with opened_services(folder, door="tui") as mine:
        yield Desk(folder, mine, space, session, ids)
