"""What a person makes of a finding, checked before it is written."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import FindingSettled
from smriti_tui.domain.findings import Change, Finding, Settlement
from smriti_tui.domain.follow_up import problem
from smriti_tui.domain.model import CheckpointBody
from smriti_tui.domain.values import repair_text

MOST_REASON = 2_000


@dataclass(frozen=True)
class Settling:
    """What a person makes of one finding."""

    finding: str
    outcome: Settlement
    change: Change | None = None
    """With `edited`: what is done in the place of the suggestion."""
    reason: str | None = None


def settled_event(finding: Finding, body: CheckpointBody, given: Settling) -> FindingSettled:
    """The event that settles a finding on a checkpoint.

    Raises:
        Invalid: there is no change to make (code `no_suggestion`) or it cannot be made, or a
            dismissal has no reason; `field` names which.
    """
    reason = _reason(given)
    if given.outcome == "dismissed" and reason is None:
        raise Invalid(
            "To dismiss a finding needs a reason.", "A few words will do.", field="reason"
        )
    change = _change(finding, given)
    if change is not None and (why := problem(change, body)):
        raise Invalid(why, "Edit the change, or dismiss the finding.", field="change")
    own = change if given.outcome == "edited" else None
    return FindingSettled(finding.id, given.outcome, own, reason)


def _reason(given: Settling) -> str | None:
    reason = repair_text(given.reason or "")[0].strip()
    if len(reason) > MOST_REASON:
        raise Invalid(
            f"The reason has {len(reason):,} characters; at most {MOST_REASON:,} are kept.",
            "Say it in fewer.",
            field="reason",
        )
    return reason or None


def _change(finding: Finding, given: Settling) -> Change | None:
    """The change that the follow-up will make."""
    if given.outcome == "accepted" and finding.suggestion is None:
        raise Invalid(
            "This finding suggests no change.",
            "Say what is to be changed in its place, or dismiss it with a reason.",
            code="no_suggestion",
            field="suggestion",
        )
    if given.outcome == "edited" and given.change is None:
        raise Invalid("An edited finding needs its change.", "Say what it is.", field="change")
    if given.outcome == "edited":
        return given.change
    return finding.suggestion if given.outcome == "accepted" else None
