"""The history of a Space: every branch, or what one branch comes from (DESIGN section 2)."""

from __future__ import annotations

from dataclasses import dataclass

from smriti_tui.domain.history import HistoryPage, TreeRow
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.services.caller import Caller
from smriti_tui.services.checkpoints import CheckpointCheck, Prover
from smriti_tui.store import checkpoints, find, history, spaces


@dataclass(frozen=True)
class HistoryService:
    caller: Caller

    def page(
        self,
        space: SpaceId,
        *,
        branch: str | None = None,
        before: int | None = None,
        limit: int,
    ) -> HistoryPage:
        """Up to `limit` checkpoints, newest first, from the position `before` on.

        With `branch` (a name or id) those that are reachable from it: its own line and all
        ancestors, over every parent.

        Raises:
            NotFound: no such Space or branch.
        """
        rows = self._rows(space, branch, before, limit + 1)
        return HistoryPage(tuple(rows[:limit]), len(rows) > limit)

    def rows(
        self, space: SpaceId, *, branch: str | None = None, limit: int | None = None
    ) -> list[TreeRow]:
        """As `page`, without end. Raises: NotFound."""
        return self._rows(space, branch, None, limit)

    def verify(self, checkpoint: CheckpointId) -> tuple[CheckpointCheck, ...]:
        """Proves a checkpoint and all that it comes from, newest first. Raises: NotFound."""
        with self.caller.read() as tx:
            space = checkpoints.checkpoint(tx, checkpoint).body.space
            rows = history.tree_rows(tx, space, behind=checkpoint)
            prover = Prover(tx)
            return tuple(prover.row(row) for row in rows)

    def _rows(
        self, space: SpaceId, branch: str | None, before: int | None, limit: int | None
    ) -> list[TreeRow]:
        with self.caller.read() as tx:
            spaces.space(tx, space)
            behind = None
            if branch is not None:
                behind = spaces.to_branch(find.branch_row(tx, space, branch)).tip
                if behind is None:
                    return []
            return history.tree_rows(tx, space, behind=behind, before=before, limit=limit)
