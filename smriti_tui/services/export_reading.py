"""What a selection holds, read from one consistent state, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import (
    MAIN,
    Branch,
    Checkpoint,
    CheckpointSummary,
    Line,
    Note,
    Session,
    Space,
    Turn,
)
from smriti_tui.store import checkpoints, exports, sessions, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import COLUMNS, StoredEvent
from smriti_tui.store.exports import EventScope
from smriti_tui.store.readlog import StreamInfo

TURNS = 200
"""Turns held at a time."""


@dataclass(frozen=True)
class Selection:
    """What to export; made by `ExportService.select`."""

    space: Space | None
    """None with `everything`, and for a session in no Space."""
    everything: bool = False
    branch: Branch | None = None
    checkpoint: CheckpointId | None = None
    session: SessionId | None = None
    turns: bool = True

    def record(self) -> dict[str, object]:
        """As it stands in an export, so that a reader knows what it does not hold."""
        return {
            "all": self.everything,
            "space": self.space.id if self.space else None,
            "branch": self.branch.id if self.branch else None,
            "checkpoint": self.checkpoint,
            "session": self.session,
            "turns": self.turns,
        }


class Reading:
    """One export's view of the store; lives as long as the transaction that it is given."""

    def __init__(self, tx: Tx, selection: Selection) -> None:
        self.tx = tx
        self.selection = selection

    def spaces(self) -> list[Space]:
        """Oldest first."""
        if self.selection.everything:
            found = spaces.all_spaces(self.tx)
        else:
            found = [self.selection.space] if self.selection.space else []
        return sorted(found, key=lambda space: (space.created_at, space.id))

    def branches(self, space: Space) -> list[Branch]:
        found = spaces.branches(self.tx, space.id)
        chosen = self.selection.branch
        return [branch for branch in found if chosen is None or branch.id == chosen.id]

    def head(self, space: Space) -> CheckpointId | None:
        """What stands for the Space as a whole: the tip of the chosen branch, or of main."""
        name = self.selection.branch.name if self.selection.branch else MAIN
        return next((b.tip for b in self.branches(space) if b.name == name), None)

    def summaries(self, space: Space) -> list[CheckpointSummary]:
        """The selected checkpoints, newest first."""
        chosen = self.selection
        if chosen.session is not None:
            return []
        branch = chosen.branch.id if chosen.branch else None
        found = checkpoints.summaries(self.tx, space.id, branch=branch)
        return [row for row in found if chosen.checkpoint in (None, row.id)]

    def checkpoint(self, wanted: CheckpointId) -> tuple[Checkpoint, list[Note]]:
        found = checkpoints.checkpoint(self.tx, wanted)
        return found, checkpoints.notes(self.tx, wanted)

    def checkpoints(self, space: Space) -> Iterator[tuple[Checkpoint, list[Note]]]:
        """The selected checkpoints in full, oldest first."""
        for row in reversed(self.summaries(space)):
            yield self.checkpoint(row.id)

    def sessions(self, space: SpaceId | None) -> list[Session]:
        """The selected sessions of a Space (None: of no Space), oldest first."""
        chosen = self.selection
        if chosen.session is not None:
            found = [sessions.session(self.tx, chosen.session)]
        elif chosen.checkpoint is not None or (space is None and not chosen.everything):
            found = []
        else:
            found = sessions.sessions_of(self.tx, space)
        return sorted(
            (
                session
                for session in found
                if session.space == space
                and (chosen.branch is None or session.branch == chosen.branch.id)
            ),
            key=lambda session: (session.created_at, session.id),
        )

    def lines(self, session: Session) -> list[Line]:
        return exports.lines(self.tx, session.id)

    def turns(self, session: Session) -> Iterator[Turn]:
        """All turns of a session, ascending."""
        for first in range(1, session.last_seq + 1, TURNS):
            yield from sessions.turns_between(self.tx, session.id, first, first + TURNS - 1)

    def open_streams(self) -> list[StreamInfo]:
        return exports.open_streams(self.tx) if self.selection.everything else []

    def session_spaces(self) -> dict[str, str | None]:
        return exports.session_spaces(self.tx)

    def event_records(self) -> Iterator[dict[str, object]]:
        """The events of the selection: their envelopes without `position`, plus `order`.

        The store's own stream stays out: it names this store, and another one has its own. So do,
        without turns, all session streams; what is left is whole and can be verified.

        Raises:
            StoreBroken: a payload cannot be read.
        """
        concerned = _Concerned(self.selection)
        order = 0
        for event in exports.events(self.tx, self._scope()):
            record = _event_record(event)
            if concerned.by(event, record["payload"]):
                order += 1
                record["order"] = order
                yield record

    def _scope(self) -> EventScope:
        chosen = self.selection
        with_sessions = chosen.turns and chosen.checkpoint is None
        if chosen.session is not None and with_sessions:
            return EventScope(session=chosen.session)
        return EventScope(
            space=chosen.space.id if chosen.space else None,
            branch=chosen.branch.id if chosen.branch else None,
            with_space=chosen.session is None,
            with_sessions=with_sessions,
        )


class _Concerned:
    """Which events of a Space's stream belong to one branch or checkpoint."""

    def __init__(self, selection: Selection) -> None:
        self._branch = selection.branch.id if selection.branch else None
        chosen = selection.checkpoint
        self._checkpoints: set[object] = {chosen} if chosen else set()
        self._none = selection.session is not None and not selection.turns
        self._all = selection.branch is None and selection.checkpoint is None

    def by(self, event: StoredEvent, payload: object) -> bool:
        if self._none:
            return False
        if self._all or event.stream.startswith("session/"):
            return True
        if not event.stream.startswith("space/") or not isinstance(payload, dict):
            return False
        if self._branch is not None and payload.get("branch") == self._branch:
            if event.type == "checkpoint.saved":
                self._checkpoints.add(payload.get("id"))
            return True
        if event.type.startswith("checkpoint."):
            return payload.get("id") in self._checkpoints
        return payload.get("checkpoint") in self._checkpoints


def _event_record(event: StoredEvent) -> dict[str, object]:
    record: dict[str, object] = {
        name: getattr(event, name) for name in COLUMNS if name not in ("position", "payload")
    }
    try:
        record["payload"] = event.body()
    except ValueError as error:
        raise StoreBroken(
            f"Event {event.version} of {event.stream} is damaged: {error}.",
            "`smriti log verify` tells more; a backup may hold it.",
            code="database_damaged",
        ) from error
    return record
