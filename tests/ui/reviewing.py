"""Words for the tests of the review screen: a state with faults, and a model with a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.model import Branch, Checkpoint, Cost, Evidence, Item, Session, Space, Usage
from smriti_tui.domain.review_text import ASK
from smriti_tui.providers.base import Chunk, Finished, ModelCall, TextDelta
from smriti_tui.screens.review.review import ReviewScreen
from smriti_tui.services import Services
from tests.support import send
from tests.ui.house import House, PacedModel, settle

HOSTILE = "needs [/x] a \x1b]0;t\x07 \u202erunner 日本語"
ANSWER: dict[str, list[dict[str, object]]] = {
    "findings": [
        {"kind": "contradiction", "items": ["D1", "D2"], "text": "D1 and D2 cannot both hold.",
         "why": "Both say where the rebuild runs.",
         "suggestion": {"change": "retire", "item": "D1", "by": "D2", "text": None}},
        {"kind": "hidden_assumption", "items": ["D2"], "text": f"D2 {HOSTILE}", "why": "",
         "suggestion": {"change": "add_assumption", "item": "D2", "text": "A job runner exists"}},
        {"kind": "unused_entity", "items": ["E1"], "text": "Tantivy is named nowhere else.",
         "why": "", "suggestion": {"change": "drop_entity", "item": "E1"}},
    ]
}  # fmt: skip
RETIRED = "replaced by D2"


class Reviewer(PacedModel):
    """Asked for a review it says what the script has; the rest is the demo model's."""

    def __init__(self) -> None:
        super().__init__()
        self.says = json.dumps(ANSWER)
        self.held: asyncio.Event | None = None
        """While it is there, the second half of an answer waits for it."""
        self.asked = 0

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As the demo model, but for reviews."""
        if not call.messages[-1].content.endswith(ASK):
            async for chunk in super().stream(call):
                yield chunk
            return
        self.asked += 1
        if self.faults:
            raise self.faults.pop(0)
        half = len(self.says) // 2
        yield TextDelta(self.says[:half])
        if self.held is not None:
            await self.held.wait()
        yield TextDelta(self.says[half:])
        yield Finished("stop", Usage(1_200, 200), Cost("0.0123", "test"))


@dataclass(frozen=True)
class Told:
    """What there is to review."""

    space: Space
    session: Session
    checkpoint: Checkpoint


def state() -> CheckpointInput:
    """Two decisions that clash, one of them twice, a quote at the wrong turn, an unused entity."""
    right = Evidence("just rebuild when someone asks", "found", turn=1)
    wrong = Evidence("Then make the rebuild a job.", "found", turn=1)
    return CheckpointInput(
        "Keep FTS5; load test ok",
        objective="Find things",
        decisions=(
            Item("", "The rebuild runs inside the request", evidence=(right,)),
            Item("", "The rebuild runs as a job", evidence=(wrong,)),
        ),
        assumptions=(Item("", "At most 2 M documents"),),
        entities=("Tantivy",),
    )


async def tell(services: Services) -> Told:
    """A session with two questions, and the checkpoint made from it."""
    space = services.spaces.create("search-index")
    session = services.sessions.new(space.id, title="One")
    await send(services, session.id, "Let us just rebuild when someone asks.")
    await send(services, session.id, "Then make the rebuild a job.")
    made = services.checkpoints.create(space.id, state(), session=session.id).checkpoint
    return Told(space, session, made)


def house_of(folder: Path, **environ: str) -> tuple[House, Reviewer]:
    """A house whose background model has a script."""
    model = Reviewer()
    given = {"SMRITI_BACKGROUND_MODEL": "demo/scripted", **environ}
    kept = {key: value for key, value in given.items() if value}
    return House(folder, model, environ=kept), model


@asynccontextmanager
async def at_work(
    house: House, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[SmritiApp, Pilot[int], Services, Told]]:
    """The app on the state."""
    with closing(house.open("cli")) as opened:
        told = await tell(opened.services)
    async with house.app(size) as pilot:
        app = pilot.app
        assert isinstance(app, SmritiApp)
        assert app.opened is not None
        yield app, pilot, app.opened.services, told


async def opened(pilot: Pilot[int], told: Told) -> ReviewScreen:
    """The screen as `r` in pane 2 opens it, at rest."""
    await pilot.press("escape", "2", "r")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    assert screen.checkpoint == told.checkpoint.id
    return screen


def kind_here(screen: ReviewScreen) -> str:
    """The kind of the finding under the cursor, "" for none."""
    each = screen.under_cursor
    return each.finding.kind if each is not None else ""


def branch_of(services: Services, told: Told, name: str) -> Branch:
    """A branch of the Space."""
    return next(each for each in services.spaces.branches(told.space.id) if each.name == name)


def head_of(services: Services, told: Told, name: str) -> Checkpoint:
    """The newest checkpoint of a branch."""
    head = branch_of(services, told, name).head
    assert head is not None
    return services.checkpoints.get(head)
