"""The app on a database of its own, driven by Pilot, with a demo model that can be held or made to
fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import ExitStack, aclosing, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from smriti_tui.app import SmritiApp, Start
from smriti_tui.bootstrap import build_services
from smriti_tui.config.light import LightConfig
from smriti_tui.config.settings import Config, load_config
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.model import Cost, Door, Session, Space
from smriti_tui.providers.base import Chunk, Finished, ModelCall
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.demo import DemoModel
from smriti_tui.screens.desk.desk import Desk
from smriti_tui.screens.opening import Opened
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.store.database import Store
from tests.support import content, ticking_clock

LONG_S = 20.0
ENDLESS = {"feed"}
"""Groups of workers that run as long as the app."""
PATIENCE_TURNS = 3


class PacedModel(DemoModel):
    """The demo model; a test may hold it after some pieces, or make the next calls fail."""

    def __init__(self, pause_s: float = 0) -> None:
        super().__init__(pause_s)
        self.faults: list[ProviderError] = []
        self.hold_after: int | None = None
        self.go_on = asyncio.Event()
        self.calls: list[ModelCall] = []
        self.cost: Cost | None = Cost("0", "demo")
        """What an answer costs; None: nobody says."""

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As the demo model."""
        self.calls.append(call)
        if self.faults:
            raise self.faults.pop(0)
        async with aclosing(super().stream(call)) as chunks:
            count = 0
            async for chunk in chunks:
                yield replace(chunk, cost=self.cost) if isinstance(chunk, Finished) else chunk
                count += 1
                if count == self.hold_after:
                    await self.go_on.wait()


def busy(app: SmritiApp) -> bool:
    """Whether anything but the feed is still at work."""
    return any(worker.group not in ENDLESS and not worker.is_finished for worker in app.workers)


async def settle(pilot: Pilot[int]) -> None:
    """Waits until all workers but the feed are done and nothing changes."""
    app = pilot.app
    assert isinstance(app, SmritiApp)
    deadline = time.monotonic() + LONG_S
    quiet = 0
    while quiet < PATIENCE_TURNS:
        assert time.monotonic() < deadline, "the app does not come to rest"
        await pilot.pause()
        quiet = 0 if busy(app) else quiet + 1
        await asyncio.sleep(0.01)


async def until(pilot: Pilot[int], holds: Callable[[], bool], limit_s: float = LONG_S) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < deadline, "it did not come"
        await asyncio.sleep(0.02)
        await pilot.pause()


@dataclass
class House:
    """A folder with a database, and the ways into it."""

    folder: Path
    model: PacedModel
    environ: dict[str, str] = field(default_factory=dict)
    light: LightConfig = field(default_factory=lambda: LightConfig(motion=False))

    def config(self, actor: str = "ada") -> Config:
        """Settings that see nothing of this machine."""
        return load_config(
            environ={
                "HOME": str(self.folder),
                "SMRITI_HOME": str(self.folder),
                "SMRITI_ACTOR": actor,
                "SMRITI_CHAT_MODEL": "demo/scripted",
                **self.environ,
            }
        )

    def open(self, door: Door = "tui", actor: str = "ada") -> Opened:
        """Services as the app gets them, or as another process would."""
        stack = ExitStack()
        store = Store(str(self.folder / "smriti.db"), ticking_clock())
        stack.callback(store.close)
        config = self.config(actor)
        return Opened(
            build_services(config, store, ModelRouter(demo=self.model), door), config, stack=stack
        )

    def seed(self, *, checkpoints: int = 2) -> tuple[Space, Session]:
        """A Space with a session and some checkpoints, as another program would write them."""
        with closing(self.open("cli")) as opened:
            services = opened.services
            space = services.spaces.create("search-index")
            session = services.sessions.new(space.id, title="first talk")
            for number in range(1, checkpoints + 1):
                services.checkpoints.create(space.id, content(f"State {number}", f"D{number}"))
        return space, session

    @asynccontextmanager
    async def app(
        self, size: tuple[int, int] = (120, 36), space: str | None = None
    ) -> AsyncIterator[Pilot[int]]:
        """The app, settled; it is left as a person leaves it."""
        app = SmritiApp(Start(space), light=self.light, opener=self.open)
        try:
            async with app.run_test(size=size, notifications=True) as pilot:
                await settle(pilot)
                yield pilot
                if (screen := app.workspace) is not None:
                    await screen.put_away()
        finally:
            if app.opened is not None:
                app.opened.close()


def workspace(pilot: Pilot[int]) -> WorkspaceScreen:
    """The screen below all others."""
    app = pilot.app
    assert isinstance(app, SmritiApp)
    found = app.workspace
    assert found is not None
    return found


def on_top(pilot: Pilot[int], kind: type[Screen[Any]]) -> bool:
    """Whether a screen of this kind lies above all others."""
    return isinstance(pilot.app.screen, kind)


def place_of(pilot: Pilot[int]) -> str:
    """Where the focus is on the workspace."""
    return workspace(pilot).place


def desk(pilot: Pilot[int]) -> Desk:
    """What is behind the panes."""
    found = workspace(pilot).desk
    assert found is not None
    return found


def notes(pilot: Pilot[int]) -> str:
    """The words of all toasts so far."""
    return "\n".join(str(note.message) for note in pilot.app._notifications)


def screen_text(pilot: Pilot[int]) -> str:
    """What stands on the screen, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)
