"""Saving on a new branch beside the one a session is on."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.checkpoint_input import CheckpointInput, check_input
from smriti_tui.domain.errors import Conflict
from smriti_tui.domain.events import BranchOpened
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId, new_id
from smriti_tui.services.checkpoints import CheckpointService, Saved
from smriti_tui.services.spaces import check_name
from smriti_tui.store import spaces


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
            Invalid: the content or the name cannot be used. NotFound: no such Space.
            Conflict: there is such a branch (code `branch_exists`).
        """
        check_input(content)
        name = check_name(branch, "branch")
        caller = self.checkpoints.caller
        with caller.write() as scope, caller.read() as tx:
            spaces.space(tx, space)
            if any(known.name == name for known in spaces.branches(tx, space)):
                raise Conflict(
                    f"There is a branch {name!r} already.",
                    "Choose another name.",
                    code="branch_exists",
                )
            scope.append(f"space/{space}", BranchOpened(BranchId(new_id()), name, start))
        return self.checkpoints.create(space, content, branch=name, expect_head=start or "")
