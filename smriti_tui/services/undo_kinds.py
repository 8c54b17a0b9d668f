"""What an event changed and how that is turned back: the words and marks of Spaces, sessions and
branches.

A kind knows its own events only: it tells the values before and after an event, those of now, what
rests on them, and the inverse event. `services.undoing` puts them together. Undo and redo are the
same here: the event of an undo is turned back like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from smriti_tui.domain import events as e
from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Branch
from smriti_tui.domain.render.action_words import changed_words, named
from smriti_tui.store import actions, sessions, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent

Values = Mapping[str, object]


@dataclass(frozen=True)
class Change:
    """One event of an action, with the values that it led from and to."""

    kind: Kind
    stored: StoredEvent
    event: Any
    """The typed event."""
    before: Values
    after: Values

    @property
    def session(self) -> SessionId:
        return SessionId(self.stored.owner_id)

    @property
    def space(self) -> SpaceId:
        return SpaceId(self.stored.owner_id)


class Kind(Protocol):
    """How events of some types are turned back. What is gone raises `NotFound`."""

    @property
    def types(self) -> tuple[str, ...]:
        """The types that change the same values."""

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        """Before and after the event, from the log alone."""

    def present(self, tx: Tx, change: Change) -> Values:
        """What is so now. Raises: NotFound."""

    def touches(self, change: Change, other: Any) -> bool:
        """Whether another event of these types changes a value that the change does."""

    def check(self, tx: Tx, change: Change) -> None:
        """Raises: Conflict when something that stays rests on the change."""

    def inverse(self, change: Change, undoes: str) -> e.Event:
        """The event that leads back to the values before."""

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        """What leads from some values to others, in words."""


# ---- fields of a Space or session --------------------------------------------------------------


@dataclass(frozen=True)
class Fields:
    """`space.changed` and `session.changed`: each field that was given is a value of its own."""

    what: str
    types: tuple[str, ...]
    begun_by: str
    """The type that gives the first values."""
    names: tuple[str, ...]
    first: Mapping[str, object] = field(default_factory=dict)
    """What fields begin with that it does not name."""

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        given = {name: getattr(event, name) for name in self.names}
        after = {name: value for name, value in given.items() if value is not None}
        before = self._before(tx, stored, set(after))
        # A dialog writes all its fields; those that stayed as they were are no part of the action.
        moved = {name: value for name, value in after.items() if value != before[name]}
        after = moved or after
        return {name: before[name] for name in after}, after

    def _before(self, tx: Tx, stored: StoredEvent, wanted: set[str]) -> dict[str, object]:
        found: dict[str, object] = {}
        kinds = (*self.types, self.begun_by)
        for earlier in actions.changes_before(tx, stored.stream, kinds, stored.version):
            body = earlier.body()
            found |= {n: body[n] for n in wanted - set(found) if body.get(n) is not None}
            if wanted <= set(found):
                return found
        return {**{name: self.first.get(name, "") for name in wanted}, **found}

    def present(self, tx: Tx, change: Change) -> Values:
        owner = self._owner(tx, change)
        return {name: _plain(getattr(owner, name)) for name in change.after}

    def _owner(self, tx: Tx, change: Change) -> Any:
        if self.what == "Space":
            return spaces.space(tx, change.space)
        return sessions.session(tx, change.session)

    def touches(self, change: Change, other: Any) -> bool:
        return any(getattr(other, name, None) is not None for name in change.after)

    def check(self, tx: Tx, change: Change) -> None:
        """Nothing rests on words and marks."""

    def inverse(self, change: Change, undoes: str) -> e.Event:
        return cast(e.Event, type(change.event)(**change.before, undoes=undoes))

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        owner = self._owner(tx, change)
        name = owner.name if self.what == "Space" else owner.title
        return changed_words(self.what, name, before, after)


def _plain(value: object) -> object:
    """No folder is an empty text in an event."""
    return "" if value is None else value


# ---- branches ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfBranch:
    """`branch.renamed` and `branch.disposed`: one value of one branch."""

    types: tuple[str, ...]
    name: str

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        return {self.name: self._before(tx, stored, event.branch)}, {
            self.name: getattr(event, self.name)
        }

    def _before(self, tx: Tx, stored: StoredEvent, branch: str) -> object:
        for earlier in actions.changes_before(tx, stored.stream, self.types, stored.version):
            body = earlier.body()
            if body["branch"] == branch:
                return body[self.name]
        opened = actions.branch_opened(tx, branch)
        first = opened.body() if opened is not None else {}
        return first.get(self.name, "active")

    def present(self, tx: Tx, change: Change) -> Values:
        return {self.name: getattr(self._branch(tx, change), self.name)}

    def _branch(self, tx: Tx, change: Change) -> Branch:
        spaces.space(tx, change.space)
        return spaces.branch(tx, change.event.branch)

    def touches(self, change: Change, other: Any) -> bool:
        return bool(other.branch == change.event.branch)

    def check(self, tx: Tx, change: Change) -> None:
        wanted = change.before.get("name")
        for branch in spaces.branches(tx, change.space) if wanted is not None else ():
            if branch.name == wanted and branch.id != change.event.branch:
                raise Conflict(
                    f"There is another branch {named(wanted)} by now.",
                    "Rename that one first.",
                    code="undo_rests",
                )

    def inverse(self, change: Change, undoes: str) -> e.Event:
        kind = type(change.event)
        return cast(e.Event, kind(branch=change.event.branch, **change.before, undoes=undoes))

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        return changed_words("branch", self._branch(tx, change).name, before, after)
