"""Words for tests of the draft: a model whose drafts are given, and the editor on them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.domain.draft import DraftState, Entry
from smriti_tui.domain.draft_text import numbers_in
from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import Chunk, Finished, ModelCall, TextDelta
from smriti_tui.screens.draft.screen import DraftScreen
from smriti_tui.services import Services
from tests.ui.house import House, PacedModel, settle
from tests.ui.screens_host import Story, running

BACKGROUND = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}
JOB = "Then make the rebuild a job."
"""What the story's turn 5 says."""


class Drafter(PacedModel):
    """The demo model, which answers requests for a draft with what a test gives it, once each."""

    def __init__(self) -> None:
        super().__init__()
        self.replies: list[str | ProviderError] = []
        self.asked: list[ModelCall] = []
        """The requests for a draft."""

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As the demo model, but for drafts."""
        if numbers_in(call.messages[-1].content) is None:
            async for chunk in super().stream(call):
                yield chunk
            return
        self.asked.append(call)
        if self.hold_after is not None:
            await self.go_on.wait()
        reply = self.replies.pop(0)
        if isinstance(reply, ProviderError):
            raise reply
        yield TextDelta(reply)
        yield Finished("stop", None, self.cost)


def reply(**fields: object) -> str:
    """A model's draft as JSON."""
    given = {"title": "Rebuild as a job", "objective": "Find it", "summary": "We talked."}
    return json.dumps({**given, **fields})


def item(text: str, quote: str, turn: int = 5, **more: object) -> dict[str, object]:
    return {"text": text, "turn": turn, "quote": quote, **more}


MIXED = reply(
    decisions=[
        item("The rebuild runs as a job", "make the rebuild a job", rests_on=["Rebuilds are slow"]),
        item("Use a cron entry", "run it from cron", 7),
    ],
    assumptions=[item("Rebuilds are slow", "scripted demo model", 6)],
    tasks=[item("Write the job", JOB, intent_hint="implement", blocked_by=["Load test"])],
    open_questions=[item("A server?", "Do we need a server?", 1)],
    entities=["cron"],
)
"""An item of each class: found, not found, said by the assistant, outside of the window."""


@dataclass
class Drafting:
    """The editor, open on the story's session."""

    pilot: Pilot[int]
    services: Services
    told: Story
    model: Drafter
    house: House

    @property
    def screen(self) -> DraftScreen:
        found = self.pilot.app.screen
        assert isinstance(found, DraftScreen)
        return found

    @property
    def state(self) -> DraftState:
        return self.screen.state

    def entry(self, text: str) -> Entry:
        """The item with this text."""
        return next(each for each in self.state.entries if each.text == text)

    async def to(self, text: str) -> None:
        """Puts the cursor on the item with this text."""
        assert self.screen.panes.rows.move_to(f"item:{self.entry(text).uid}")
        await settle(self.pilot)


@asynccontextmanager
async def drafting(
    folder: Path,
    *replies: str | ProviderError,
    size: tuple[int, int] = (120, 36),
    keys: tuple[str, ...] = ("f2",),
    environ: dict[str, str] | None = None,
) -> AsyncIterator[Drafting]:
    """The app on the story, with these keys pressed."""
    model = Drafter()
    model.replies = list(replies)
    house = House(folder, model, environ=BACKGROUND if environ is None else environ)
    async with running(house, size) as (_app, pilot, services, told):
        for key in keys:
            await pilot.press(key)
        await settle(pilot)
        yield Drafting(pilot, services, told, model, house)
