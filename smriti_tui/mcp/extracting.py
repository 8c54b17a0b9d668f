"""Markdown in the place of a structured checkpoint: what the tool does before it saves."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from smriti_tui.domain.extracted import Extracted
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.render.extracted import extracted_text, extraction_warnings
from smriti_tui.services import Services

KEEP = "`keep_unverified` keeps what is not in the document, marked as yours."


def extract(services: Services, space: SpaceId, markdown: str, *, keep: bool) -> Extracted:
    """Asks the background model and waits. Tools run in threads of their own.

    Raises:
        Invalid, ProviderError: as `ExtractService.extract`.
    """
    return asyncio.run(_last(services, space, markdown, keep))


async def _last(services: Services, space: SpaceId, markdown: str, keep: bool) -> Extracted:
    found: Extracted | None = None
    async with aclosing(services.extracting.extract(space, markdown, keep=keep)) as steps:
        async for step in steps:
            if isinstance(step, Extracted):
                found = step
    assert found is not None, "an extraction ends with itself or an error"
    return found


def notes(taken: Extracted | None) -> tuple[str, ...]:
    """What the command line says on standard error."""
    if taken is None:
        return ()
    return (*extraction_warnings(taken, KEEP), extracted_text(taken))
