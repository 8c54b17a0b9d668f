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
    from smriti_tui.services.titling import TitleStep


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
    async with aclosing(services.titling.title(session, command_id=command_id)) as steps:
        async for step in steps:
            if words := title_progress(step):
                out.note(words)


def title_progress(step: TitleStep) -> str:
    """What a step has to say on the way, empty for nothing."""
    from smriti_tui.providers.base import Loading, Retrying
    from smriti_tui.services.titling import Asked

    match step:
        case Asked():
            return f"asking {step.model} for a title"
        case Loading():
            return f"loading the provider library, {step.elapsed_s:.0f} s"
        case Retrying():
            return f"retrying in {step.wait_s:.1f} s ({step.attempt} of {step.of}): {step.message}"
        case _:
            return ""
