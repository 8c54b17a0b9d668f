"""Deleting checkpoints: what depends on them stands in the way, or goes too (DESIGN 10.17)."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.events import CheckpointDeleted
from smriti_tui.domain.ids import CheckpointId, SessionId, short
from smriti_tui.domain.model import Checkpoint, Session
from smriti_tui.services.caller import Caller
from smriti_tui.store import checkpoints, sessions
from smriti_tui.store.engine import Tx


@dataclass(frozen=True)
class Dependants:
    """What would be touched if a checkpoint went."""

    checkpoint: Checkpoint
    descendants: tuple[Checkpoint, ...]
    """Newest first: all that have it among their ancestors."""
    forks: tuple[Session, ...]
    """Sessions that were forked from it or from a descendant."""
    mounted: tuple[Session, ...]
    """Sessions that stand on one of them now."""

    @property
    def blocked(self) -> bool:
        return bool(self.descendants or self.forks or self.mounted)


@dataclass(frozen=True)
class DeleteService:
    caller: Caller

    def dependants(self, checkpoint: CheckpointId) -> Dependants:
        """Raises: NotFound."""
        with self.caller.read() as tx:
            return _dependants(tx, checkpoint)

    def delete(
        self, checkpoint: CheckpointId, *, cascade: bool = False, command_id: str | None = None
    ) -> tuple[CheckpointId, ...]:
        """Deletes a checkpoint; with `cascade` its descendants too, newest first.

        Sessions and turns stay, forked and mounted ones included: their line then stands on
        nothing and says so. Events stay in the log until they are redacted.

        Raises:
            NotFound: no such checkpoint.
            Conflict: something depends on it (code `dependants`, listed in the details).
        """
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(CheckpointDeleted):
                return tuple(CheckpointId(str(each.body()["id"])) for each in earlier)
            found = _dependants(tx, checkpoint)
            if found.blocked and not cascade:
                raise _refusal(found)
            gone = tuple(each.id for each in (*found.descendants, found.checkpoint))
            for each in gone:
                scope.append(f"space/{found.checkpoint.body.space}", CheckpointDeleted(each))
            return gone


def _dependants(tx: Tx, checkpoint: CheckpointId) -> Dependants:
    found = checkpoints.checkpoint(tx, checkpoint)
    known: dict[CheckpointId, Checkpoint] = {}
    waiting = [checkpoint]
    while waiting:
        for child in checkpoints.children(tx, waiting.pop()):
            if child not in known:
                known[child] = checkpoints.checkpoint(tx, child)
                waiting.append(child)
    descendants = sorted(known.values(), key=lambda each: -each.position)
    touched = [checkpoint, *known]
    forks = [each for one in touched for each in sessions.forked_sessions(tx, one)]
    mounted = [each for one in touched for each in sessions.mounted_sessions(tx, one)]
    return Dependants(found, tuple(descendants), _sessions(tx, forks), _sessions(tx, mounted))


def _sessions(tx: Tx, ids: list[SessionId]) -> tuple[Session, ...]:
    return tuple(sessions.session(tx, each) for each in dict.fromkeys(ids))


def _refusal(found: Dependants) -> Conflict:
    counts = [
        (len(found.descendants), "later checkpoints"),
        (len(found.forks), "forked sessions"),
        (len(found.mounted), "sessions that stand on it"),
    ]
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    return Conflict(
        f"Checkpoint {short(found.checkpoint.id)} is in use: {told}.",
        "--cascade deletes it with its later checkpoints; no session and no turn goes.",
        code="dependants",
        details={
            "children": [{"id": each.id, "title": each.title} for each in found.descendants],
            "forks": [{"id": each.id, "title": each.title} for each in found.forks],
            "mounted": [{"id": each.id, "title": each.title} for each in found.mounted],
        },
    )
