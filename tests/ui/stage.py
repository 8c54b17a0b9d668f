"""The app without chance, for pictures and snapshots: a clock that stands still, a demo model that
does not pause and can be held, and an environment that holds nothing of this machine."""

from __future__ import annotations

import asyncio
import os
import random
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp, Start
from smriti_tui.bootstrap import build_services
from smriti_tui.config.light import Glyphs, LightConfig
from smriti_tui.config.settings import Config, load_config
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.model import Door
from smriti_tui.providers.base import Chunk, ModelCall
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.demo import DemoModel
from smriti_tui.screens.opening import Opened
from smriti_tui.services import Services
from smriti_tui.services.demo import open_demo
from smriti_tui.store.database import Store

NOW = "2026-03-02T14:02:00.000000Z"
NOBODY = "/home/you/.smriti/smriti.db"
DARK, LIGHT = "smriti-dark", "smriti-light"
WORDS_BEFORE_HOLD = 60
"""How much of an answer has come when it is held."""
Go = Pilot[int]


class HeldModel(DemoModel):
    """The demo model without pauses, which can be held in the middle of an answer."""

    def __init__(self) -> None:
        super().__init__(pause_s=0)
        self.hold = False
        self.held = asyncio.Event()
        self.let_go = asyncio.Event()
        self.fault: ProviderError | None = None
        """What the next calls end with."""

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As `DemoModel.stream`."""
        if self.fault is not None:
            raise self.fault
        number = 0
        async for chunk in super().stream(call):
            number += 1
            if self.hold and number == WORDS_BEFORE_HOLD:
                self.held.set()
                await self.let_go.wait()
            yield chunk


@asynccontextmanager
async def on_stage(
    opener: Callable[[], Opened],
    *,
    size: tuple[int, int],
    theme: str = DARK,
    is_demo: bool = False,
    glyphs: Glyphs = "full",
) -> AsyncIterator[Go]:
    """The app, open; it is left as a person leaves it. New ids are the same each time."""
    light = LightConfig(theme=theme, motion=False, glyphs=glyphs)
    app = SmritiApp(Start(demo=is_demo), light=light, opener=opener)
    chance = random.Random(7)
    try:
        async with app.run_test(size=size) as pilot:
            try:
                with patch.object(uuid, "uuid4", lambda: uuid.UUID(int=chance.getrandbits(128))):
                    yield pilot
            finally:
                if (workspace := app.workspace) is not None:
                    await workspace.put_away()
    finally:
        if app.opened is not None:
            app.opened.close()


def idle(pilot: Go) -> bool:
    """Whether the desk is there and all is read; the feed and a held answer go on."""
    app = pilot.app
    opened = isinstance(app, SmritiApp) and app.workspace is not None and app.workspace.desk
    return bool(opened) and all(
        worker.is_finished or worker.group == "feed" or worker.group.startswith("send.")
        for worker in app.workers
    )


def settings(folder: Path) -> Config:
    """The defaults, with the file's place as on a machine where nobody is at home."""
    config = load_config(environ={"HOME": str(folder), "SMRITI_ACTOR": "you"})
    return replace(config, config_file=Path("~/.config/smriti/config.toml"))


def demo(folder: Path, model: HeldModel) -> Opened:
    """The demo as `--demo` opens it, on a clock that stands still."""
    stack = ExitStack()

    @contextmanager
    def services(config: Config, door: Door) -> Iterator[Services]:
        store = Store(config.database_url, lambda: NOW)
        try:
            yield build_services(config, store, ModelRouter(demo=model), door)
        finally:
            store.close()

    opened = stack.enter_context(open_demo(services, settings(folder)))
    config = replace(opened.config, config_file=settings(folder).config_file)
    place = (opened.place.space, opened.place.session)
    return Opened(opened.services, config, demo=True, place=place, stack=stack)


def empty(folder: Path, model: HeldModel) -> Opened:
    """A first start: no database, no model. Looking makes no file, so that the place can be any."""
    stack = ExitStack()
    config = settings(folder)
    store = Store(NOBODY, lambda: NOW)
    stack.callback(store.close)
    services = build_services(config, store, ModelRouter(demo=model), "tui")
    return Opened(services, config, stack=stack)


def environment(home: Path) -> dict[str, str]:
    """What a drawing process knows: nothing of this machine but where Python is."""
    return {
        "COLORTERM": "truecolor",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": os.defpath,
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "TERM": "xterm-256color",
        "TEXTUAL_ANIMATIONS": "none",
        "TZ": "UTC",
    }
