"""A title by the background model on the command line: asked, told about, and shown as it is."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from smriti_tui.cli.diagnostics import Interrupted
from smriti_tui.cli.output import Output

if TYPE_CHECKING:
    from smriti_tui.domain.ids import SessionId
    from smriti_tui.services import Services


def ask_for_title(
    out: Output, services: Services, session: SessionId, command_id: str | None
) -> None:
    """Gives a session a title; progress goes to standard error.

    Raises: as `TitleService.title`. Interrupted: by Ctrl-C; the title stays.
    """
    try:
        asyncio.run(_follow(out, services, session, command_id))
    except KeyboardInterrupt:
        raise Interrupted("Interrupted. The title stays as it was.") from None


async def _follow(
    out: Output, services: Services, session: SessionId, command_id: str | None
) -> None:
    from smriti_tui.services.background import progress

    async with aclosing(services.titling.title(session, command_id=command_id)) as steps:
        async for step in steps:
            if words := progress(step, "a title"):
                out.note(words)
