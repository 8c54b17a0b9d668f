"""The app on a database of its own, with the demo model without pauses, driven by Pilot."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.pilot import Pilot

from smriti_tui.app import SmritiApp, Start
from smriti_tui.bootstrap import build_services
from smriti_tui.config import Config, load_config
from smriti_tui.config_light import LightConfig
from smriti_tui.domain.model import Door
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.demo import DemoModel
from smriti_tui.screens.opening import Opened
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.services import Services
from smriti_tui.services.models import Provider
from smriti_tui.store.database import Store
from tests.support import ticking_clock

LONG_S = 20.0
ENDLESS = {"feed"}
"""Groups of workers that run as long as the app."""


def busy(app: SmritiApp) -> bool:
    """Whether anything but the feed is still at work."""
    return any(worker.group not in ENDLESS and not worker.is_finished for worker in app.workers)


async def settle(pilot: Pilot[int]) -> None:
    """Waits until the desk is there, all workers but the feed are done, and nothing changes."""
    app = pilot.app
    assert isinstance(app, SmritiApp)
    deadline = time.monotonic() + LONG_S
    quiet = 0
    while quiet < 3:
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
    provider: Provider

    @property
    def config(self) -> Config:
        """Settings that see nothing of this machine."""
        return load_config(
            environ={
                "HOME": str(self.folder),
                "SMRITI_HOME": str(self.folder),
                "SMRITI_ACTOR": "ada",
                "SMRITI_CHAT_MODEL": "demo/scripted",
            }
        )

    def open(self, door: Door = "tui", actor: str = "ada") -> Opened:
        """Services as the app gets them."""
        stack = ExitStack()
        store = Store(str(self.folder / "smriti.db"), ticking_clock())
        stack.callback(store.close)
        config = self.config
        services = build_services(config, store, self.provider, door)
        if actor != "ada":
            services = _as_actor(services, actor)
        return Opened(services, config, stack=stack)

    @asynccontextmanager
    async def app(
        self, size: tuple[int, int] = (120, 36), space: str | None = None
    ) -> AsyncIterator[tuple[SmritiApp, Pilot[int]]]:
        """The app, settled."""
        app = SmritiApp(Start(space), light=LightConfig(motion=False), opener=lambda: self.open())
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            yield app, pilot
            if (workspace := app.workspace) is not None:
                await workspace.put_away()
        if app.opened is not None:
            app.opened.close()


def _as_actor(services: Services, actor: str) -> Services:
    from dataclasses import fields, is_dataclass, replace

    caller = replace(services.caller, actor=actor)
    parts = {}
    for part in fields(services):
        value = getattr(services, part.name)
        if is_dataclass(value) and hasattr(value, "caller"):
            value = replace(value, caller=caller)  # type: ignore[type-var]
        parts[part.name] = value
    return Services(**{**parts, "caller": caller})


def workspace(app: SmritiApp) -> WorkspaceScreen:
    """The screen below all others."""
    found = app.workspace
    assert found is not None
    return found


@pytest.fixture
def house(tmp_path: Path) -> House:
    """An empty folder with the demo model."""
    return House(tmp_path, ModelRouter(demo=DemoModel(pause_s=0)))


def screen_text(app: SmritiApp) -> str:
    """What stands on the screen, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line) for line in lines)
