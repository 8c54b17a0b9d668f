"""Words for tests of the full screens and dialogs: a Space with a story, and how to drive them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from smriti_tui.app import SmritiApp
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.model import Artifact, Checkpoint, Session, Space, Task
from smriti_tui.services import Services
from tests.support import content, send
from tests.ui.house import House, screen_text, settle

HOSTILE = "see [/x] and [bold]not[/] \x1b]0;title\x07 \u202eabc 日本語"
SIZES = ((120, 36), (80, 24), (60, 16))


@dataclass(frozen=True)
class Story:
    """A session with a checkpoint in the middle of its turns."""

    space: Space
    session: Session
    checkpoint: Checkpoint


def saved_content() -> CheckpointInput:
    """A checkpoint with something of everything, some of it hostile."""
    big = Artifact("00000000-0000-4000-8000-000000000001", "text", "bench.csv", "x,y\n" * 2500)
    given = content("Choose FTS5", "Use SQLite FTS5, no search server", f"Rebuild once\n{HOSTILE}")
    return replace(
        given,
        summary="The index stays in one file.",
        tasks=(Task("", "Load test", intent_hint="test"), Task("", "Old", status="done")),
        entities=("fts5", "日本語"),
        artifacts=(big,),
    )


async def story(services: Services) -> Story:
    """Turns 1 to 4, a checkpoint, turns 5 to 8."""
    space = services.spaces.create("search-index")
    session = services.sessions.new(space.id, title="One")
    await send(services, session.id, "Do we need a server?")
    await send(services, session.id, f"What if {HOSTILE}?")
    saved = services.checkpoints.create(space.id, saved_content(), session=session.id)
    await send(services, session.id, "Then make the rebuild a job.")
    await send(services, session.id, "And now?")
    return Story(space, session, saved.checkpoint)


@asynccontextmanager
async def running(
    house: House, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[SmritiApp, Pilot[int], Services, Story]]:
    """The app on the story; a test that fails closes its database too, so nothing is waited for."""
    with closing(house.open("cli")) as opened:
        told = await story(opened.services)
    async with house.app(size) as pilot:
        app = pilot.app
        assert isinstance(app, SmritiApp)
        assert app.opened is not None
        try:
            yield app, pilot, app.opened.services, told
        except BaseException:
            if app.workspace is not None:
                await app.workspace.put_away()
            app.opened.close()
            raise


async def shown(pilot: Pilot[int], screen: Screen[Any]) -> str:
    """Pushes a screen and returns what stands there when all is read."""
    pilot.app.push_screen(screen)
    await settle(pilot)
    return text_of(pilot)


async def press(pilot: Pilot[int], *keys: str) -> str:
    """Presses keys one by one and returns what stands there then."""
    for key in keys:
        await pilot.press(key)
    await settle(pilot)
    return text_of(pilot)


def text_of(pilot: Pilot[int]) -> str:
    """What stands on the screen."""
    return screen_text(pilot)


def has_all(text: str, words: Sequence[str]) -> list[str]:
    """The words that are missing; lines may be broken between their parts."""
    joined = " ".join(re.sub("[│║]", " ", text).split())
    return [word for word in words if word not in joined]


def is_grid(pilot: Pilot[int]) -> bool:
    """Whether every line is exactly as wide as the screen, in cells, without control characters."""
    width = pilot.app.size.width
    lines = pilot.app.screen._compositor.render_strips()
    return all(strip.cell_length == width for strip in lines)
