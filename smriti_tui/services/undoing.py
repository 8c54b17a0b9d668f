"""Undo and redo of what a person did in the app, as events of their own (DESIGN 10.20).

The stack is the log: what this actor did through the door tui, one action for each command, newest
first. So it is the same in every window, and after a restart. An undo appends the inverse events
with `undoes: <the action's correlation id>`, and each names the event that it turns back as its
cause; a redo undoes the undo. An action that was undone is passed over until it is done again.

What is undone is the newest action that can be:

- Sends, checkpoints, notes, reviews, deletions, new Spaces and new branches are never undone. They
  are passed over, and so are actions on what is deleted by now.
- Nothing is undone that they rest on. A line that was gone to, and an answer that was chosen, stay
  once a question was asked in that session or a checkpoint saved from that line: what the model was
  told follows from them. A session that was opened stays once it holds a turn, a checkpoint or
  unsent text. That is said (code `undo_rests`), and nothing older is undone in its place.
- Nothing is undone that somebody else, or the same person through another door, has changed since:
  that write is named and stays (code `undo_foreign`).

A redo is possible until something new was done, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from smriti_tui.domain import events as e
from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import SessionId, kind_and_owner
from smriti_tui.domain.render.action_words import stands_in_the_way
from smriti_tui.services.caller import Caller
from smriti_tui.services.undo_claims import OfClaim, OfClaimWords
from smriti_tui.services.undo_findings import OfFinding
from smriti_tui.services.undo_kinds import Change, Fields, Kind, OfBranch
from smriti_tui.services.undo_session import Choices, Lines, Openings
from smriti_tui.store import actions
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.scope import WriteScope

DOOR = "tui"
_ALL: tuple[Kind, ...] = (
    Fields(
        "Space",
        (e.SpaceChanged.TYPE,),
        e.SpaceCreated.TYPE,
        ("name", "description", "project_root", "archived"),
        {"archived": False},
    ),
    Fields(
        "session",
        (e.SessionChanged.TYPE,),
        e.SessionOpened.TYPE,
        ("title", "pinned", "archived"),
        {"pinned": False, "archived": False},
    ),
    OfBranch((e.BranchRenamed.TYPE,), "name"),
    OfBranch((e.BranchDisposed.TYPE,), "disposition"),
    OfFinding(),
    OfClaim(),
    OfClaimWords(),
    Lines(),
    Choices(),
    Openings(),
)
KINDS: Mapping[str, Kind] = {name: kind for kind in _ALL for name in kind.types}
"""By the type of event."""


@dataclass(frozen=True)
class Undone:
    """What was undone or, with `again`, done once more."""

    what: str
    """In words for a sentence: `mounted 4c1e9a0`."""
    again: bool
    session: SessionId | None
    """The session that it was about."""
    there: bool | None
    """Whether that session came or went by it; None for neither."""


@dataclass(frozen=True)
class UndoService:
    caller: Caller

    def undo(self, *, command_id: str | None = None) -> Undone | None:
        """Undoes the newest action that can be; None when there is none.

        Raises:
            Conflict: somebody else wrote there since (code `undo_foreign`: `details` has actor,
                door, recorded_at, what), something that stays rests on it (`undo_rests`), or it is
                not so any more (`undo_moved`). Nothing is written then.
        """
        return self._turn_back(False, command_id)

    def redo(self, *, command_id: str | None = None) -> Undone | None:
        """Does the action once more that was undone last; None when there is none, or something new
        was done since.

        Raises:
            Conflict: as `undo`.
        """
        return self._turn_back(True, command_id)

    def _turn_back(self, again: bool, command_id: str | None) -> Undone | None:
        if self.caller.door != DOOR:
            raise Invalid("Only what was done in the app can be undone.", "Open smriti-tui.")
        if not self.caller.store.exists():  # A write would make it.
            return None
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier():
                return _repeated(tx, earlier, again)
            actor = scope.actor
            for events in _redoable(tx, actor) if again else _undoable(tx, actor):
                changes = [change for event in events if (change := change_of(tx, event))]
                if all(change.before == change.after for change in changes):
                    continue  # It left all as it was.
                try:
                    told = _told(tx, changes, again, back=again)
                    _refuse(tx, changes, told, actor, self.caller.store.now())
                except NotFound:  # It is deleted by now.
                    continue
                _write(scope, changes)
                return told
        return None


def change_of(tx: Tx, stored: StoredEvent) -> Change | None:
    """The change that an event made; None for a type that no kind knows."""
    kind = KINDS.get(stored.type)
    event = stored.event()
    if kind is None or event is None:
        return None
    before, after = kind.values(tx, stored, event)
    return Change(kind, stored, event, before, after)


# ---- the stack ---------------------------------------------------------------------------------


def _undoable(tx: Tx, actor: str) -> Iterator[list[StoredEvent]]:
    """The events of each action that stands, newest first."""
    undone: set[str] = set()
    for mark in actions.stack(tx, actor):
        if mark.correlation_id in undone:
            continue
        if mark.undoes is not None:
            undone.add(mark.undoes)
        elif _is_whole(events := actions.events_of(tx, mark)):
            yield events


def _redoable(tx: Tx, actor: str) -> Iterator[list[StoredEvent]]:
    """The events of each undo that stands, newest first, down to the newest other action."""
    done_again: set[str] = set()
    for mark in actions.stack(tx, actor):
        if mark.correlation_id in done_again:
            continue
        events = actions.events_of(tx, mark)
        if mark.undoes is None:
            if any(event.type == e.AnswerEnded.TYPE for event in events):
                continue  # A new answer became the chosen one by itself.
            return
        done_again.add(mark.undoes)
        if not events or not _is_undo(tx, events[0]):
            continue
        if actions.acted_after(tx, actor, mark.position):
            return
        yield events


def _is_whole(events: Sequence[StoredEvent]) -> bool:
    """Whether all that the command did can be turned back."""
    kinds = {event.type for event in events}
    return bool(events) and kinds <= set(actions.UNDOABLE) and e.SessionDeleted.TYPE not in kinds


def _is_undo(tx: Tx, event: StoredEvent) -> bool:
    """Whether an event that undoes something undid an action, not an undo."""
    cause = actions.caused_by(tx, event)
    return cause is not None and cause.body().get("undoes") is None


# ---- rules, under the lock ---------------------------------------------------------------------


def _refuse(tx: Tx, changes: Sequence[Change], told: Undone, actor: str, now: str) -> None:
    """Raises: Conflict when the changes cannot be turned back; NotFound when all is gone."""
    for change in changes:
        present = change.kind.present(tx, change)
        try:
            if not isinstance(change.kind, Openings):
                _refuse_foreign(tx, change, _since(tx, change, actor), now)
            change.kind.check(tx, change)
            if isinstance(change.kind, Openings):
                stored = change.stored
                late = actions.not_on_stack(tx, stored.stream, stored.version, actor)
                _refuse_foreign(tx, change, late, now)
        except Conflict as error:
            raise _not_done(told, error) from error
        if present != change.after:
            hint = "Look at it, then change it by hand."
            moved = Conflict("It is not as this left it any more.", hint, code="undo_moved")
            raise _not_done(told, moved)


def _since(tx: Tx, change: Change, actor: str) -> StoredEvent | None:
    """The newest write by anybody else on the same value after the change."""
    stored = change.stored
    for other in actions.changes_after(tx, stored.stream, change.kind.types, stored.version):
        mine = (other.actor, other.door) == (actor, DOOR)
        if not mine and change.kind.touches(change, other.event()):
            return other
    return None


def _refuse_foreign(tx: Tx, change: Change, late: StoredEvent | None, now: str) -> None:
    if late is None:
        return
    did = f"wrote {late.type} there"
    if (other := change_of(tx, late)) is not None:
        did = other.kind.words(tx, other, other.before, other.after)
    raise Conflict(
        stands_in_the_way(late.actor, late.door, did, late.recorded_at, now),
        "Undo does not reach over what others wrote; change it by hand.",
        code="undo_foreign",
        details={
            "actor": late.actor,
            "door": late.door,
            "recorded_at": late.recorded_at,
            "what": did,
        },
    )


def _not_done(told: Undone, error: Conflict) -> Conflict:
    lead = "Not done again" if told.again else "Not undone"
    return Conflict(
        f"{lead}: {told.what}. {error.message}",
        error.hint,
        code=error.code,
        details=error.details,
    )


# ---- writing and telling -----------------------------------------------------------------------


def _write(scope: WriteScope, changes: Sequence[Change]) -> None:
    for change in reversed(changes):
        stored = change.stored
        inverse = change.kind.inverse(change, stored.correlation_id)
        scope.append(stored.stream, inverse, causation_id=stored.event_id)


def _told(tx: Tx, changes: Sequence[Change], again: bool, *, back: bool) -> Undone:
    """What the action was; `back` when the changes are those of its undo, the last one first."""
    words = []
    for change in reversed(changes) if back else changes:
        ends = (change.after, change.before) if back else (change.before, change.after)
        words.append(change.kind.words(tx, change, *ends))
    first = changes[0]
    kind, owner = kind_and_owner(first.stored.stream)
    return Undone(
        what=" and ".join(words),
        again=again,
        session=SessionId(owner) if kind == "session" else None,
        there=again if isinstance(first.kind, Openings) else None,
    )


def _repeated(tx: Tx, earlier: Sequence[StoredEvent], again: bool) -> Undone:
    """What a command that comes a second time has done.

    Raises:
        Conflict: its id was used for another command.
    """
    changes = [change for event in earlier if (change := change_of(tx, event))]
    undid = [change for change in changes if getattr(change.event, "undoes", None) is not None]
    if len(undid) != len(earlier) or _is_undo(tx, earlier[0]) == again:
        raise Conflict(
            f"The command id was used for another command ({earlier[0].type}).",
            "Give a new command a new id; nothing was written.",
            code="command_id",
        )
    return _told(tx, undid, again, back=not again)
