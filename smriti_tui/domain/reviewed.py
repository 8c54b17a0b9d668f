"""A review as it is recorded, and what became of its findings since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from smriti_tui.domain.findings import Change, Finding, FindingKind, SettledFinding
from smriti_tui.domain.ids import CheckpointId, RequestId
from smriti_tui.domain.items import KINDS, LETTERS, comparison_key, item_list
from smriti_tui.domain.model import CheckpointBody, Cost, Item, Task, Usage

MODEL_KINDS: tuple[FindingKind, ...] = (
    "contradiction", "hidden_assumption", "resolved_question", "unused_entity", "other",
)  # fmt: skip
"""What a model may call a finding; whatever else it says is "other"."""
_WORDED = ("add", "reword", "objective")
ENTITY = "E"
"""Letter of an entity's label. Entities have no id: the label counts their list."""


@dataclass(frozen=True)
class Review:
    """One `review.recorded`."""

    id: str
    checkpoint: CheckpointId
    actor: str
    recorded_at: str
    position: int
    request: RequestId | None = None
    model: str | None = None
    """As the settings name it; None for a review by rules alone."""


@dataclass(frozen=True)
class Reviewed:
    """The newest review of a checkpoint, with what became of the findings of all of them.

    What a person settled in an earlier review stays settled where it is found again; what they
    accepted there and is not found again stands at the end, so that no follow-up loses it.
    """

    review: Review
    findings: tuple[SettledFinding, ...]
    """Those of the model first, then those of the rules, each in the order they were found."""
    usage: Usage | None = None
    cost: Cost | None = None
    problems: tuple[str, ...] = ()
    """What of the model's answer could not be used. Told once: they are not stored."""

    @property
    def open(self) -> tuple[SettledFinding, ...]:
        return tuple(each for each in self.findings if each.outcome == "open")

    @property
    def taken(self) -> tuple[SettledFinding, ...]:
        """Those that the follow-up makes a change for."""
        return tuple(each for each in self.findings if each.taken is not None)


def joined(
    newest: Sequence[SettledFinding], earlier: Sequence[SettledFinding]
) -> tuple[SettledFinding, ...]:
    """The findings of the newest review in the light of earlier ones (the newest of them last)."""
    settled = {same_as(each.finding): each for each in earlier if each.outcome != "open"}
    found: list[SettledFinding] = []
    for each in newest:
        before = settled.pop(same_as(each.finding), None)
        found.append(before if before is not None and each.outcome == "open" else each)
    left = [each for each in settled.values() if each.taken is not None]
    return (*found, *left)


def same_as(finding: Finding) -> tuple[str, ...]:
    """What two findings of different reviews have in common when they say the same.

    A model words a finding differently each time: what it points at counts. Where it points at
    nothing that tells it from others, its words do.
    """
    change = finding.suggestion
    words = ""
    if finding.origin == "check":
        words = finding.text
    elif finding.kind in ("hidden_assumption", "other") or not finding.items:
        words = comparison_key((change.text if change else None) or finding.text)
    return (finding.origin, finding.kind, *sorted(finding.items), words)


def with_words(finding: Finding, text: str) -> Change | None:
    """The change that a finding suggests, in a person's own words; where it suggests none and
    points at one item, or at the objective, that reads so. None where words are not what it is
    about."""
    change = finding.suggestion
    if change is not None:
        return replace(change, text=text) if change.change in _WORDED else None
    if finding.kind == "empty_objective":
        return Change("objective", text=text)
    return Change("reword", finding.items[0], text=text) if len(finding.items) == 1 else None


def labels_of(body: CheckpointBody) -> dict[str, str]:
    """Uid to the label that counts its list, D1, A1, T1, Q1; an artifact's id to its own label."""
    items = {
        item.uid: f"{LETTERS[kind]}{number}"
        for kind in KINDS
        for number, item in enumerate(item_list(body, kind), 1)
    }
    return {**{each.id: f'artifact "{each.label}"' for each in body.artifacts}, **items}


def parts_of(body: CheckpointBody) -> Mapping[str, tuple[str, Item | Task]]:
    """Uid to the kind and the item."""
    return {item.uid: (kind, item) for kind in KINDS for item in item_list(body, kind)}
