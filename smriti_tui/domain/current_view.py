"""Where a project is now, for people: direction, attention, work, milestones, activity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.items import LETTERS
from smriti_tui.domain.model import CheckpointSummary, Note
from smriti_tui.domain.state_view import StateView
from smriti_tui.domain.tasks import TaskView

INTENT_ORDER = ("implement", "review", "test", "docs", "investigate", "other")
MOST_QUESTIONS = 6
MOST_TASKS = 8
MOST_MILESTONES = 5
MOST_ACTIVITY = 8

Level = Literal["info", "warn"]


@dataclass(frozen=True)
class Attention:
    """One thing that somebody should look at."""

    kind: Literal["open_question", "divergence", "overlap", "active_work"]
    level: Level
    text: str
    ref: str | None = None
    """Id of the checkpoint or claim it is about."""


@dataclass(frozen=True)
class CurrentView:
    state: StateView
    agents: int
    milestones: tuple[Note, ...]
    """The newest, at most `MOST_MILESTONES`."""
    milestone_count: int
    activity: tuple[CheckpointSummary, ...]
    """The newest checkpoints of all branches."""
    marked: frozenset[str] = frozenset()
    """Those of them with a milestone."""

    @property
    def attention(self) -> list[Attention]:
        return list(_attention(self.state))

    @property
    def tasks(self) -> dict[str, Sequence[TaskView]]:
        """Open tasks by intent, in the order of `INTENT_ORDER`; groups without any are left out."""
        groups: dict[str, list[TaskView]] = {name: [] for name in INTENT_ORDER}
        for view in self.state.tasks:
            groups[view.task.intent_hint or "other"].append(view)
        return {name: found for name, found in groups.items() if found}


def _attention(state: StateView) -> Iterator[Attention]:
    head = state.head
    if head is not None:
        live = [
            (number, item)
            for number, item in enumerate(head.body.open_questions, 1)
            if item.state == "live"
        ]
        for number, item in live[:MOST_QUESTIONS]:
            label = f"{LETTERS['open_questions']}{number}"
            yield Attention("open_question", "info", f"{label} {item.text}", head.id)
    for apart in state.divergences:
        text = f"{apart.branch.name} ({apart.head.id[:7]}) has settled something else than main"
        yield Attention("divergence", "warn", text, apart.head.id)
    for each in state.overlaps:
        text = f"{each.one.agent} and {each.other.agent}: {each.why}"
        yield Attention("overlap", "warn", text, each.other.id)
    for claim in state.claims:
        text = f"{claim.agent} [{claim.intent}]: {claim.scope}"
        yield Attention("active_work", "info", text, claim.id)
