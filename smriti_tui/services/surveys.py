"""What people ask about a whole Space: where it is, and how it is worked in. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.current_view import MOST_ACTIVITY, MOST_MILESTONES, CurrentView
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.metrics import Metrics, metrics
from smriti_tui.services.caller import Caller
from smriti_tui.services.state import StateService
from smriti_tui.store import checkpoints, claims, spaces, surveys


@dataclass(frozen=True)
class SurveyService:
    caller: Caller
    state: StateService

    def current(self, space: SpaceId) -> CurrentView:
        """Raises: NotFound."""
        state = self.state.view(space)
        with self.caller.read() as tx:
            newest = checkpoints.summaries(tx, space, limit=MOST_ACTIVITY)
            return CurrentView(
                state,
                agents=surveys.authors(tx, space),
                milestones=tuple(surveys.milestones(tx, space, MOST_MILESTONES)),
                milestone_count=surveys.note_counts(tx, space).get("milestone", 0),
                activity=tuple(newest),
                marked=frozenset(surveys.with_milestone(tx, [each.id for each in newest])),
            )

    def metrics(self, space: SpaceId) -> Metrics:
        """Raises: NotFound."""
        with self.caller.read() as tx:
            spaces.space(tx, space)
            return metrics(
                surveys.checkpoint_facts(tx, space),
                claims.of_space(tx, space),
                spaces.branches(tx, space),
                surveys.note_counts(tx, space),
            )
