"""What a review finds in a checkpoint, and what it suggests to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.model import Evidence

FindingKind = Literal[
    "contradiction",
    "hidden_assumption",
    "resolved_question",
    "unused_entity",
    "other",
    "unverified_evidence",
    "missing_blocker",
    "dead_link",
    "duplicate",
    "empty_objective",
    "broken_chain",
]
"""The first five come from a model, the others from rules that need none."""
Origin = Literal["model", "check"]
Settlement = Literal["open", "accepted", "edited", "dismissed"]
ChangeKind = Literal[
    "retire", "reword", "add", "rest_on", "cite", "block", "drop_entity", "objective"
]


@dataclass(frozen=True)
class Change:
    """One step from the reviewed checkpoint to the one that follows it.

    retire: the item `uid`, replaced by `by` if that is given. reword: `uid` says `text`. add: a new
    item `text` of `kind`, on which the items `links` rest. rest_on: `uid` rests on `links`, and on
    nothing else. cite: `uid` has the evidence `evidence`. block: the task `uid` waits for `links`.
    drop_entity: the entity `text` goes. objective: it reads `text`.
    """

    change: ChangeKind
    uid: str | None = None
    kind: str | None = None
    text: str | None = None
    by: str | None = None
    links: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Finding:
    """One thing that a review says. `items` are the uids (or ids of artifacts) it points at."""

    id: str
    kind: FindingKind
    origin: Origin
    text: str
    items: tuple[str, ...] = ()
    why: str = ""
    """The model's own reason, or what the rule looked at."""
    suggestion: Change | None = None


@dataclass(frozen=True)
class SettledFinding:
    """A finding and what a person made of it; `change` is what goes into the follow-up."""

    review: str
    finding: Finding
    outcome: Settlement = "open"
    change: Change | None = None
    """As it was edited; None takes the suggestion as it is."""
    reason: str | None = None
    settled_by: str | None = None
    settled_at: str | None = None

    @property
    def taken(self) -> Change | None:
        """The change that the follow-up makes; None unless it was accepted."""
        if self.outcome not in ("accepted", "edited"):
            return None
        return self.change or self.finding.suggestion
