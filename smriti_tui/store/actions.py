"""What a person did in the app, newest first, and what it changed: bounded looks into the log.

An action is the events of one command (DESIGN 10.20). They were written in one transaction, so they
stand side by side. Every query here walks one index from an end that is named and stops: two of
them were made for that (`event_of_actor`, `event_of_change`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlmodel import Session

from smriti_tui.domain import events as e
from smriti_tui.store.dialect import dialect_of
from smriti_tui.store.envelope import SELECT, StoredEvent
from smriti_tui.store.rows import BY_A_PERSON, CHANGES, BranchRow, SessionRow, SpaceRow, TailRow

UNDOABLE: tuple[str, ...] = tuple(
    kind.TYPE
    for kind in (
        e.SpaceChanged,
        e.BranchRenamed,
        e.BranchDisposed,
        e.SessionOpened,
        e.SessionChanged,
        e.SessionDeleted,
        e.SessionRestored,
        e.LineOpened,
        e.LineLeft,
        e.LineResumed,
        e.AnswerChosen,
        e.AnswerReleased,
        e.FindingSettled,
        e.ClaimTaken,
        e.ClaimExtended,
        e.ClaimChanged,
        e.ClaimEnded,
    )
)
"""Types that an action may consist of to be undone; a deletion only where it undid an opening."""
OTHER_ACTS: tuple[str, ...] = tuple(
    kind.TYPE
    for kind in (
        e.TurnAdded,
        e.ThreadImported,
        e.TurnsImported,
        e.AnswerStarted,
        e.CheckpointSaved,
        e.CheckpointDeleted,
        e.NoteAdded,
        e.ReviewRecorded,
        e.BranchOpened,
        e.SpaceCreated,
        e.SpaceDeleted,
        e.SessionAttached,
        e.WorktreeOpened,
        e.WorktreeClosed,
    )
)
"""Types by which a person does something that no undo takes back."""
ASKED: tuple[str, ...] = (e.TurnAdded.TYPE, e.AnswerStarted.TYPE)

MADE_HERE = "(stream NOT LIKE '%~%' OR stream LIKE 'session/%')"
"""Not the tail of a Space's streams: that is what the same person did in another store."""
PAGE = 50
LOOKED_AT = 2000
"""Events of the stack that are looked at: who did more since then has done something new."""
MOST_EVENTS = 64
"""Events of one action; larger ones are imports and the like, and are not undone."""


@dataclass(frozen=True)
class Mark:
    """The newest event of an action as far as the stack needs it."""

    position: int
    correlation_id: str
    undoes: str | None
    """The action that this one undid or did again."""


def stack(tx: Session, actor: str) -> Iterator[Mark]:
    """What the actor did in the app, newest first; one mark for each action."""
    undoes = dialect_of(tx).field("payload", "undoes")
    kinds = " UNION ALL ".join(
        f"SELECT * FROM (SELECT position, correlation_id, {undoes} "
        f"FROM event WHERE {BY_A_PERSON} AND actor = :actor AND type = '{name}' "
        f"AND {MADE_HERE} AND position < :before ORDER BY position DESC LIMIT :size) AS newest"
        for name in UNDOABLE
    )
    query = text(f"{kinds} ORDER BY position DESC LIMIT :size")
    before, last = 1 << 62, ""
    for _ in range(LOOKED_AT // PAGE):
        values = {"actor": actor, "before": before, "size": PAGE}
        page = tx.connection().execute(query, values).all()
        for position, correlation, undoes in page:
            if correlation != last:
                yield Mark(position, correlation, undoes)
            before, last = position, correlation
        if len(page) < PAGE:
            return


def events_of(tx: Session, mark: Mark) -> list[StoredEvent]:
    """All events of an action in their order; none if they are more than `MOST_EVENTS`."""
    around = text(
        "SELECT position, correlation_id FROM event WHERE position BETWEEN :low AND :high "
        "ORDER BY position"
    )
    reach = {"low": mark.position - MOST_EVENTS, "high": mark.position + MOST_EVENTS}
    beside = tx.connection().execute(around, reach).all()
    mine = [row[0] for row in beside if row[1] == mark.correlation_id]
    if len(mine) > MOST_EVENTS:
        return []
    query = f"{SELECT} WHERE position BETWEEN :first AND :last ORDER BY position"
    found = _events(tx, query, {"first": mine[0], "last": mine[-1]})
    return [event for event in found if event.correlation_id == mark.correlation_id]


def caused_by(tx: Session, event: StoredEvent) -> StoredEvent | None:
    """The event that an event names as its cause."""
    query = f"{SELECT} WHERE event_id = :id"
    found = _events(tx, query, {"id": event.causation_id}) if event.causation_id else []
    return found[0] if found else None


def branch_opened(tx: Session, branch: str) -> StoredEvent | None:
    """The event that opened a branch."""
    row = tx.get(BranchRow, branch)
    values = {"position": row.position if row else 0}
    found = _events(tx, f"{SELECT} WHERE position = :position", values)
    return found[0] if found else None


def title_of(tx: Session, session: str) -> str:
    """The title of a session, of a deleted one too."""
    row = tx.get(SessionRow, session)
    return row.title if row else ""


def is_taken_away(tx: Session, session: str) -> bool:
    """Whether a session is deleted while its Space is still there."""
    row = tx.get(SessionRow, session)
    space = tx.get(SpaceRow, row.space) if row and row.space else None
    return row is not None and row.deleted and not (space and space.deleted)


def holds_unsent(tx: Session, session: str) -> bool:
    """Whether somebody typed something in a session that is not sent yet."""
    query = text("SELECT 1 FROM unsent WHERE thing = :thing LIMIT 1")
    return tx.connection().execute(query, {"thing": f"prompt/{session}"}).first() is not None


def acted_after(tx: Session, actor: str, position: int) -> bool:
    """Whether the actor did something in the app after a position that no undo takes back."""
    query = text(
        f"SELECT 1 FROM event WHERE {BY_A_PERSON} AND actor = :actor "
        f"AND type IN ({_listed(OTHER_ACTS)}) AND position > :position LIMIT 1"
    )
    values = {"actor": actor, "position": position}
    return tx.connection().execute(query, values).first() is not None


def changes_before(
    tx: Session, stream: str, kinds: Sequence[str], version: int
) -> Iterator[StoredEvent]:
    """Events of some types that change values of a stream, before a version, newest first; those of
    a tail, then those of what it grew from."""
    while True:
        query = (
            f"{SELECT} WHERE {CHANGES} AND stream = :stream AND type = '{{}}' "
            "AND version < :version ORDER BY version DESC LIMIT 1"
        )
        values = {"stream": stream, "version": version}
        found = [event for kind in kinds for event in _events(tx, query.format(kind), values)]
        if not found and (tail := tx.get(TailRow, stream)) is not None:
            stream, version = tail.parent, tail.version + 1
            continue
        if not found:
            return
        newest = max(found, key=lambda event: event.version)
        yield newest
        version = newest.version


def changes_after(
    tx: Session, stream: str, kinds: Sequence[str], version: int
) -> Iterator[StoredEvent]:
    """Events of some types that change values of a stream, down to a version, newest first."""
    for event in changes_before(tx, stream, kinds, 1 << 62):
        if event.version <= version:
            return
        yield event


def not_on_stack(tx: Session, stream: str, version: int, actor: str) -> StoredEvent | None:
    """The newest event of a stream after a version that is no part of the actor's stack. For
    sessions without turns: it may look at each event."""
    query = (
        f"{SELECT} WHERE stream = :stream AND version > :version AND NOT ({BY_A_PERSON} AND "
        f"actor = :actor AND type IN ({_listed(UNDOABLE)})) ORDER BY version DESC LIMIT 1"
    )
    found = _events(tx, query, {"stream": stream, "version": version, "actor": actor})
    return found[0] if found else None


def asked_after(tx: Session, stream: str, version: int) -> StoredEvent | None:
    """The first question or answer of a session after a version: few events lie before it."""
    query = (
        f"{SELECT} WHERE stream = :stream AND version > :version "
        f"AND type IN ({_listed(ASKED)}) ORDER BY version LIMIT 1"
    )
    found = _events(tx, query, {"stream": stream, "version": version})
    return found[0] if found else None


def checkpoint_after(tx: Session, session: str, line: int, position: int) -> str | None:
    """The id of a checkpoint that was made from a line after a position and is still there."""
    query = text(
        "SELECT id FROM checkpoint WHERE source_session = :session AND source_line = :line "
        "AND position > :position AND NOT deleted ORDER BY position DESC LIMIT 1"
    )
    values = {"session": session, "line": line, "position": position}
    row = tx.connection().execute(query, values).first()
    return str(row[0]) if row else None


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _events(tx: Session, query: str, values: Mapping[str, object]) -> list[StoredEvent]:
    return [StoredEvent(*row) for row in tx.connection().execute(text(query), values)]
