"""Who calls the services, and the store they work on."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from smriti_tui.domain.errors import Conflict
from smriti_tui.services.noticing import Noticing
from smriti_tui.store.database import Store
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.scope import WriteScope

KEPT_COMMANDS = 500


class OwnWrites:
    """Which of the newest commands in the log are this process's own. Safe from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._ids: deque[str] = deque(maxlen=KEPT_COMMANDS)

    def note(self, events: Sequence[StoredEvent]) -> None:
        """These events are about to be committed here."""
        with self._guard:
            self._ids.extend({event.correlation_id for event in events})

    def __contains__(self, correlation_id: str) -> bool:
        with self._guard:
            return correlation_id in self._ids


@dataclass(frozen=True)
class Caller:
    """An actor at one door (tui, cli, mcp, import, system) of one store."""

    store: Store
    actor: str
    door: str
    own: OwnWrites = field(default_factory=OwnWrites, repr=False, compare=False)
    noticed: Noticing = field(default_factory=Noticing, repr=False, compare=False)
    away: Path | None = None
    """Folder for typed text while the database is away; None keeps none."""

    @contextmanager
    def write(
        self, command_id: str | None = None, cancelled: Callable[[], bool] = lambda: False
    ) -> Iterator[WriteScope]:
        """One command's transaction under the lock. Reads made inside it see the newest state,
        since nobody else can commit meanwhile."""
        with self.store.log.write(
            actor=self.actor, door=self.door, command_id=command_id, cancelled=cancelled
        ) as scope:
            yield scope
            # Before they are committed: who follows the log may see them right after.
            self.own.note(scope.appended)
        self.noticed.look(scope.appended)

    @contextmanager
    def read(self) -> Iterator[Tx]:
        with self.store.read() as tx:
            yield tx

    def earlier(self, command_id: str | None) -> list[StoredEvent]:
        """The events of a command that was carried out before, else none (DESIGN 10.21).

        For who must find what a repeated command is about after it was renamed or deleted.

        Raises:
            Invalid: the id is no UUID.
        """
        if command_id is None:
            return []
        with self.write(command_id) as scope:
            return scope.earlier()

    def repeated(self, command_id: str | None, type_name: str) -> str | None:
        """What a repeated command was about: the id in the name of its stream; None the first time.

        Raises:
            Conflict: the id was used for another kind of command, which wrote no `type_name`.
            Invalid: the id is no UUID.
        """
        events = self.earlier(command_id)
        if not events:
            return None
        if all(event.type != type_name for event in events):
            raise Conflict(
                f"The command id {command_id} was used for another command ({events[0].type}).",
                "Give a new command a new id; nothing was written.",
                code="command_id",
                details={"types": [event.type for event in events]},
            )
        return events[0].owner_id
