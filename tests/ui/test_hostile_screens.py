"""Every screen on a Space whose names, turns, items, notes and models are text that nobody would
write, with the same text pasted into what is typed in: nothing raises, nothing of it reaches the
terminal as a command, and each row is as wide as the screen."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Input, TextArea

from smriti_tui.app import SmritiApp
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.model import Artifact, Item, Task
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.services import Services
from tests.support import send
from tests.ui.hostile import BATCHES, faults
from tests.ui.house import House, PacedModel, on_top, settle

PASTE = "paste"
VISITS: dict[str, tuple[str, ...]] = {
    "workspace": ("1", "j", "2", "j", "3", "k"),
    "palette": ("ctrl+p", PASTE),
    "help": ("f1", PASTE),
    "context": ("3", "x", "j", "]", "]", "]"),
    "checkpoint": ("2", "enter", "G", "Y"),
    "form": ("2", "n", PASTE, "tab", PASTE, "tab", "tab", "tab", "enter", PASTE),
    "log": ("f5", "tab", "k", "enter", "G", "escape", "/", PASTE),
    "search": ("ctrl+f", "e", "tab", "up", "shift+tab", PASTE),
    "settings": ("app.settings", "j", "]", "]"),
    "themes": ("app.theme", "j"),
    "models": ("ctrl+t", PASTE),
    "copy": ("3", "Y", "j"),
    "confirm": ("1", "g", "D", PASTE),
    "rename": ("1", "g", "j", "e", PASTE, "enter"),
    "blame": ("2", "B", "j"),
    "reach": ("2", "item.reach", "j", "enter"),
    "note": ("2", "t", PASTE),
    "compare": ("2", "G", "c"),
    "past": ("2", "T", "H"),
    "filter": ("2", "/", PASTE),
    "prompt": ("i", PASTE),
}
"""Keys from the workspace; the id of an action is run as by its name."""
BELOW = ("workspace", "filter", "prompt", "rename")
"""Visits that end on the workspace."""
FEW = settings(
    max_examples=1,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
MANY = settings(FEW, max_examples=30, derandomize=False)
SEEDED = BATCHES.filter(lambda texts: all(len(text) > 4 for text in texts))


def line(text: str) -> str:
    """As a name: on one line, and not empty."""
    return f"n{' '.join(text.splitlines())}"[:150]


def contents(texts: Sequence[str]) -> CheckpointInput:
    """One text in each place of a checkpoint."""
    a, b, c, d, e = (f"{text} x" for text in texts)
    return CheckpointInput(
        title=line(a),
        objective=b,
        summary=c,
        decisions=(Item("", d), Item("", a)),
        assumptions=(Item("", b),),
        tasks=(Task("", c, intent_hint="test"), Task("", d, status="done")),
        open_questions=(Item("", e),),
        entities=(line(a), line(b)),
        artifacts=(Artifact("00000000-0000-4000-8000-000000000001", "text", line(c), d),),
    )


async def seeded(services: Services, texts: Sequence[str]) -> None:
    """A Space, a session with turns, two checkpoints and a note."""
    a, b, c, d, e = texts
    space = services.spaces.create(line(a), description=line(b))
    session = services.sessions.new(space.id, title=line(c))
    for text in (d, e):
        await send(services, session.id, f"{text}?")
    first = services.checkpoints.create(space.id, contents(texts), session=session.id)
    await send(services, session.id, f"and {a}")
    given = replace(contents(texts[::-1]), summary=e)
    services.checkpoints.create(space.id, given, session=session.id)
    await send(services, session.id, f"{c} then")
    services.notes.add(first.checkpoint.id, f"{b} x", "milestone")


def configured(house: House, texts: Sequence[str]) -> None:
    """Models with such names, as somebody may have pasted them into the settings."""
    path = house.folder / ".config" / "smriti" / "config.toml"
    path.parent.mkdir(parents=True)
    told = (text.encode("utf-8", "ignore").decode() for text in texts)
    names = (f"openai/{number}{text}" for number, text in enumerate(told))
    quoted = (json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f") for name in names)
    entries = "".join(f"[[models]]\nmodel = {name}\n" for name in quoted)
    path.write_text(entries, encoding="utf-8")


async def step(pilot: Pilot[int], key: str, text: str) -> None:
    app = pilot.app
    assert isinstance(app, SmritiApp)
    if key == PASTE:
        if isinstance(app.focused, Input | TextArea):
            app.focused.post_message(events.Paste(text))
    elif key.startswith("app."):
        app.act(key)
    else:
        await pilot.press(key)
    await settle(pilot)


def wrong(app: App[Any]) -> list[str]:
    """Faults, but for a joined emoji that the edge of a dialog cuts in two: its halves are counted
    by Rich alone."""
    cut = "\\u200d" if isinstance(app.screen, ModalScreen) else "\n"
    return [fault for fault in faults(app) if " cells of " not in fault or cut not in fault]


async def back(pilot: Pilot[int]) -> None:
    """To the workspace, out of whatever is open."""
    app = pilot.app
    assert isinstance(app, SmritiApp)
    for _ in range(8):
        if app.screen is app.workspace and app.workspace.place != "prompt":
            break
        await pilot.press("escape")
        await settle(pilot)
    assert app.screen is app.workspace


async def visited(size: tuple[int, int], texts: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        house = House(Path(folder), PacedModel())
        configured(house, texts)
        with closing(house.open("cli")) as opened:
            await seeded(opened.services, texts)
        async with house.app(size) as pilot:
            assert wrong(pilot.app) == [], texts
            for number, (name, keys) in enumerate(VISITS.items()):
                await back(pilot)
                for key in keys:
                    await step(pilot, key, texts[number % len(texts)])
                    assert wrong(pilot.app) == [], (name, key, texts)
                assert on_top(pilot, WorkspaceScreen) == (name in BELOW), name


SIZES = ((120, 36), (61, 18))


@pytest.mark.parametrize("size", SIZES)
def test_every_screen_shows_anything(size: tuple[int, int]) -> None:
    FEW(given(SEEDED)(lambda texts: asyncio.run(visited(size, texts))))()


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES)
def test_every_screen_shows_anything_for_long(size: tuple[int, int]) -> None:
    MANY(given(SEEDED)(lambda texts: asyncio.run(visited(size, texts))))()
