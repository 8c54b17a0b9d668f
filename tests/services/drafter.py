"""A program that drafts, extracts, reviews and saves again and again, and tells each step."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from smriti_tui.domain.draft_content import content_of
from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.extracted import Extracted
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.demo import DemoModel
from smriti_tui.services import Services
from smriti_tui.services.background import Asked
from tests.support import opened_services, send

DOCUMENT = "# Notes\n\n## Decisions\n\n- Use one writer\n\nWe keep the log for ten years.\n"


def say(what: str, **more: object) -> None:
    sys.stdout.write(json.dumps({"what": what, **more}) + "\n")
    sys.stdout.flush()


async def _last(steps: AsyncIterator[Any], call: str) -> Any:
    found: Any = None
    async for found in steps:
        if isinstance(found, Asked):
            say("asked", call=call, request=found.request)
    say("answered", call=call)
    return found


async def _work(services: Services) -> None:
    space = services.spaces.create("victim").id
    session = services.sessions.new(space).id
    say("ready", space=space, session=session)

    def save(content: Any, call: str, **more: Any) -> CheckpointId:
        say("saving", call=call)
        made = services.checkpoints.create(space, content, **more).checkpoint.id
        say("saved", call=call, checkpoint=made)
        return made

    while True:
        await send(services, session, "We keep one writer per file. What about the log?")
        drafted = await _last(services.drafting.draft(session), "draft")
        assert isinstance(drafted, Drafted)
        save(content_of(drafted, "ada"), "draft", session=session)
        extracted = await _last(services.extracting.extract(space, DOCUMENT), "extract")
        assert isinstance(extracted, Extracted)
        # Twice the same item and no objective: there is something to find.
        twice = (*extracted.content.decisions, *extracted.content.decisions)
        body = replace(extracted.content, decisions=twice, objective="")
        saved = save(body, "extract")
        reviewed = await _last(services.reviewing.review(saved), "review")
        assert isinstance(reviewed, Reviewed)
        say("reviewed", checkpoint=saved, findings=len(reviewed.findings))


def drafter(folder: Path, environ: Mapping[str, str]) -> None:
    """Its demo model takes its time, so that a call can be hit."""
    router = ModelRouter(demo=DemoModel(pause_s=0.003))
    settings = {"SMRITI_BACKGROUND_MODEL": "demo/scripted", **environ}
    with opened_services(folder, environ=settings, provider=router) as services:
        asyncio.run(_work(services))
