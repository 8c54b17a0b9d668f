"""A demo model whose drafts a test writes, and a talk to draft."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp
from smriti_tui.domain.draft_text import numbers_in
from smriti_tui.providers.base import Chunk, Cost, Finished, ModelCall, TextDelta, Usage
from smriti_tui.screens.draft.place import DraftPlace, Left
from smriti_tui.screens.draft.screen import DraftScreen
from smriti_tui.services import Services
from tests.ui.house import House, PacedModel, settle
from tests.ui.screens_host import Story, running, text_of


class DraftingModel(PacedModel):
    """Answers requests for a draft with what a test gives, in its order; all else as the demo."""

    def __init__(self) -> None:
        super().__init__()
        self.drafts: list[str] = []

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As the demo model, until a draft is asked for."""
        if not self.drafts or numbers_in(call.messages[-1].content) is None:
            async with aclosing(super().stream(call)) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        self.calls.append(call)
        text = self.drafts.pop(0)
        if text:
            yield TextDelta(text)
        yield Finished("stop", Usage(1, 1), Cost("0", "demo"))


@asynccontextmanager
async def drafting(
    house: House, *drafts: str, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[SmritiApp, Pilot[int], Services, Story]]:
    """The app on the story, with a model that answers these drafts one after the other.

    Turns 5 ("Then make the rebuild a job.") to 8 are drafted.
    """
    house.model = model = DraftingModel()
    house.environ.setdefault("SMRITI_BACKGROUND_MODEL", "demo/scripted")
    async with running(house, size) as (app, pilot, services, told):
        model.drafts = list(drafts)
        yield app, pilot, services, told


async def opened_draft(
    pilot: Pilot[int], services: Services, told: Story
) -> tuple[DraftScreen, list[Left | None]]:
    """The draft of the story's session, once its answer is there; and how it is left."""
    left: list[Left | None] = []
    place = DraftPlace(told.space.id, told.space.name, told.session.id)
    screen = DraftScreen(services, place)
    pilot.app.push_screen(screen, left.append)
    await settle(pilot)
    return screen, left


async def draft_text(pilot: Pilot[int], services: Services, told: Story) -> str:
    """What stands there when the draft was opened."""
    await opened_draft(pilot, services, told)
    return text_of(pilot)


def item(text: str, quote: str, turn: int = 5, **more: object) -> dict[str, object]:
    """An item as a model gives it."""
    return {"text": text, "turn": turn, "quote": quote, **more}


JOB = item("The rebuild is a job", "make the rebuild a job")
CRON = item("Use cron", "run it from cron")


def answer(title: str = "Rebuild as a job", **lists: object) -> str:
    """A draft in JSON."""
    return json.dumps({"title": title, "summary": "The rebuild moves.", **lists})
