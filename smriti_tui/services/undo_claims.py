"""How claims are turned back: one that was taken is abandoned, one that ended is active again, and
what was said of one, or its time, is as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from smriti_tui.domain import events as e
from smriti_tui.domain.claims import Claim
from smriti_tui.domain.model import ClaimStatus
from smriti_tui.domain.render.action_words import named
from smriti_tui.services.undo_kinds import Change, Values
from smriti_tui.store import actions, claims
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent


@dataclass(frozen=True)
class OfClaim:
    """`claim.taken`, `claim.extended` and `claim.ended`: whether a claim stands, and until when."""

    types: tuple[str, ...] = (e.ClaimTaken.TYPE, e.ClaimExtended.TYPE, e.ClaimEnded.TYPE)

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        if isinstance(event, e.ClaimTaken):
            now = {"status": "active", "expires_at": event.expires_at}
            return {**now, "status": "abandoned"}, now
        before = self._before(tx, stored, event.claim)
        if isinstance(event, e.ClaimEnded):
            return before, {**before, "status": event.status}
        return before, {"status": "active", "expires_at": event.expires_at}

    def _before(self, tx: Tx, stored: StoredEvent, claim: str) -> dict[str, object]:
        status: str | None = None
        for earlier in _earlier(tx, stored, claim, self.types):
            if isinstance(earlier, e.ClaimEnded):
                status = status or earlier.status
            elif isinstance(earlier, e.ClaimTaken | e.ClaimExtended):
                return {"status": status or "active", "expires_at": earlier.expires_at}
        return {"status": status or "active", "expires_at": ""}

    def present(self, tx: Tx, change: Change) -> Values:
        found = _claim(tx, change)
        return {"status": found.status, "expires_at": found.expires_at}

    def touches(self, change: Change, other: Any) -> bool:
        return bool(other.claim == change.event.claim)

    def check(self, tx: Tx, change: Change) -> None:
        """Nothing rests on a claim: it is advice."""

    def inverse(self, change: Change, undoes: str) -> e.Event:
        claim, before = change.event.claim, change.before
        if before["status"] == "active":
            return e.ClaimExtended(claim, str(before["expires_at"]), undoes=undoes)
        status = cast("ClaimStatus", before["status"])
        return e.ClaimEnded(claim, status, undoes=undoes)

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        claim = f"claim {named(_claim(tx, change).scope)}"
        if isinstance(change.event, e.ClaimTaken) and after["status"] == "active":
            return f"took {claim}"
        if after["status"] != "active":
            return f"marked {claim} as {after['status']}"
        if before["status"] != "active":
            return f"made {claim} active"
        return f"moved the deadline of {claim}"


@dataclass(frozen=True)
class OfClaimWords:
    """`claim.changed`: scope and intent."""

    types: tuple[str, ...] = (e.ClaimChanged.TYPE,)

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        given = {"scope": event.scope, "intent": event.intent}
        after = {name: value for name, value in given.items() if value is not None}
        before: dict[str, object] = {}
        kinds = (*self.types, e.ClaimTaken.TYPE)
        for earlier in _earlier(tx, stored, event.claim, kinds):
            for name in after.keys() - before.keys():
                if (value := getattr(earlier, name)) is not None:
                    before[name] = value
            if before.keys() == after.keys():
                break
        # A dialog writes both; what stayed as it was is no part of the action.
        moved = {name: value for name, value in after.items() if value != before.get(name)} or after
        return {name: before.get(name, "") for name in moved}, moved

    def present(self, tx: Tx, change: Change) -> Values:
        found = _claim(tx, change)
        return {name: getattr(found, name) for name in change.after}

    def touches(self, change: Change, other: Any) -> bool:
        same = other.claim == change.event.claim
        return same and any(getattr(other, name, None) is not None for name in change.after)

    def check(self, tx: Tx, change: Change) -> None:
        """Nothing rests on words."""

    def inverse(self, change: Change, undoes: str) -> e.Event:
        return e.ClaimChanged(change.event.claim, **change.before, undoes=undoes)  # type: ignore[arg-type]

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        what = " and ".join(after)
        return (
            f"changed the {what} of claim {named(after.get('scope') or _claim(tx, change).scope)}"
        )


def _claim(tx: Tx, change: Change) -> Claim:
    """Raises: NotFound, its Space is deleted by now."""
    return claims.claim(tx, change.event.claim)


def _earlier(tx: Tx, stored: StoredEvent, claim: str, kinds: tuple[str, ...]) -> Iterator[Any]:
    """Events of one claim before an event, the newest first, down to the one that took it."""
    for earlier in actions.changes_before(tx, stored.stream, kinds, stored.version):
        event = earlier.event()
        if getattr(event, "claim", None) == claim:
            yield event
            if isinstance(event, e.ClaimTaken):
                return
