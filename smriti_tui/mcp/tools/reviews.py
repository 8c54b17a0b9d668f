"""What does not hold together in a checkpoint."""

from __future__ import annotations

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.errors import NotFound, ProviderError
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.domain.render.reviews import reviewed_document, reviewed_text
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import answer
from smriti_tui.mcp.asking import last_step
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made
from smriti_tui.mcp.waiting import in_thread

WITHOUT = "`by: rules` checks without a model."


class ReviewTools(Group):
    async def review_checkpoint(
        self,
        checkpoint_id: a.CheckpointName,
        by: a.ReviewBy = "model",
        command_id: a.CommandId = "",
    ) -> CallToolResult:
        """Look for what does not hold together in a checkpoint. By the background model, recorded
        beside it; or by the rules alone, or the last review: both only read. Put what is found to
        the person."""
        found = await in_thread(self._found, checkpoint_id)
        reviewed: Reviewed | None = None
        if by == "model":
            reviewed = await self._by_model(found, command_id or None)
        return await in_thread(self._told, found, reviewed, by)

    def _found(self, wanted: str) -> Checkpoint:
        return self.services.checkpoints.find(wanted)

    async def _by_model(self, found: Checkpoint, command_id: str | None) -> Reviewed:
        """Raises: ProviderError, which names the way without a model."""
        from smriti_tui.services.reviewing import Unread

        asking = self.services.reviewing.review(found.id, command_id=command_id)
        try:
            last: Reviewed | Unread = await last_step(asking, Reviewed | Unread)
        except ProviderError as error:
            hint = f"{error.hint} {WITHOUT}".strip()
            raise ProviderError(error.message, hint, kind=error.kind) from error
        if isinstance(last, Unread):
            raise last.error(WITHOUT)
        return last

    def _told(self, found: Checkpoint, reviewed: Reviewed | None, by: str) -> CallToolResult:
        """Raises: NotFound: nobody has reviewed it."""
        if by == "last":
            reviewed = self.services.reviewing.latest(found.id)
            if reviewed is None:
                raise NotFound(
                    f"Nobody has reviewed {short(found.id)} yet.", f"`by: model` does; {WITHOUT}"
                )
        report = self.services.reviewing.rules(found.id)
        problems = reviewed.problems if reviewed else ()
        return answer(
            reviewed_document(found, reviewed, report),
            reviewed_text(found, reviewed, report),
            *problems,
        )


def tools(opening: Opening) -> list[Tool]:
    return made("writes", ReviewTools(opening).review_checkpoint)
