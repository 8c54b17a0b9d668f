"""How the settling of a finding is turned back: accepting, editing, dismissing and opening it.

A follow-up that was written in the meantime stays as it is: it is a checkpoint like any other, and
what was accepted for it stands in there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from smriti_tui.domain import events as e
from smriti_tui.domain.findings import SettledFinding
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.action_words import named
from smriti_tui.services.undo_kinds import Change, Values
from smriti_tui.store import actions, checkpoints, reviews
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent

_WORDS = {"accepted": "accepted", "edited": "edited and accepted", "dismissed": "dismissed"}


@dataclass(frozen=True)
class OfFinding:
    """`finding.settled`: what was made of one finding, as one value."""

    types: tuple[str, ...] = (e.FindingSettled.TYPE,)

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        return self._before(tx, stored, event.finding), _values(event)

    def _before(self, tx: Tx, stored: StoredEvent, finding: str) -> Values:
        """The event before it about this finding; it stands after the review, if there is one."""
        known, _ = reviews.finding(tx, finding)
        begun = reviews.review(tx, known.review).position
        for earlier in actions.changes_before(tx, stored.stream, self.types, stored.version):
            if earlier.position < begun:
                break
            other = earlier.event()
            if isinstance(other, e.FindingSettled) and other.finding == finding:
                return _values(other)
        return {"outcome": "open", "change": None, "reason": None}

    def present(self, tx: Tx, change: Change) -> Values:
        return _values(self._finding(tx, change))

    def _finding(self, tx: Tx, change: Change) -> SettledFinding:
        """Raises: NotFound, the checkpoint is deleted by now."""
        found, checkpoint = reviews.finding(tx, change.event.finding)
        checkpoints.checkpoint(tx, checkpoint)
        return found

    def touches(self, change: Change, other: Any) -> bool:
        return bool(other.finding == change.event.finding)

    def check(self, tx: Tx, change: Change) -> None:
        """A checkpoint that was written from it does not change with it."""

    def inverse(self, change: Change, undoes: str) -> e.Event:
        return e.FindingSettled(change.event.finding, **change.before, undoes=undoes)  # type: ignore[arg-type]

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        found, checkpoint = reviews.finding(tx, change.event.finding)
        did = _WORDS.get(str(after["outcome"]), "opened")
        return f"{did} {named(found.finding.text)} in the review of {short(checkpoint)}"


def _values(of: e.FindingSettled | SettledFinding) -> Values:
    return {"outcome": of.outcome, "change": of.change, "reason": of.reason}
