"""Saving on a new branch beside the one a session is on."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.services.checkpoints import CheckpointService, Saved


@dataclass(frozen=True)
class BesideService:
    checkpoints: CheckpointService

    def create(
        self, space: SpaceId, content: CheckpointInput, *, branch: str, start: CheckpointId | None
    ) -> Saved:
        """Opens `branch` at `start` and saves there.

        The checkpoint names no source turns: the session stays on its own branch, whose state does
        not hold them, so they go on being sent.

        Raises:
            Invalid: the content or the name cannot be used. NotFound: no such Space or checkpoint.
            Conflict: there is such a branch (code `branch_exists`).
        """
        return self.checkpoints.create_on_new_branch(space, content, branch=branch, start=start)
