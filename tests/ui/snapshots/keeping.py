"""Snapshots as text files, one for each test, in sections; and what a test of one scene does.

A section that is known is waited for: how long a busy machine takes to draw is no difference.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from tests.ui.snapshots.drawing import still, until, words
from tests.ui.snapshots.scenes import TYPED, Scene
from tests.ui.stage import Go

HEAD = "======== "
PATIENCE_S = 15.0
NO_PATIENCE_S = 1.0
"""What a section is waited for when one before it did not come: the test has failed by then."""
LOOK_S = 0.01
QUIET_S = 0.6
"""How long nothing may change before a new section is written."""


@dataclass
class Kept:
    """The sections of one file: those of before, and those that are drawn now."""

    path: Path
    update: bool
    now: dict[str, str] = field(default_factory=dict)
    differs: bool = False
    """Whether a section was not what is known."""

    def before(self) -> dict[str, str]:
        if self.update or not self.path.exists():
            return {}
        text = self.path.read_text(encoding="utf-8")
        parts = text.removeprefix(HEAD).split(f"\n{HEAD}")
        return {name: rest for name, _, rest in (part.partition("\n") for part in parts)}

    async def take(self, pilot: Go, name: str, draw: Callable[[Go], str] = words) -> None:
        """Draws a section once nothing moves, or as soon as it is what is known."""
        known = self.before().get(name)
        if known is None:
            await still(pilot)
            await asyncio.sleep(QUIET_S)
            await still(pilot)
        deadline = time.monotonic() + (NO_PATIENCE_S if self.differs else PATIENCE_S)
        drawn = draw(pilot)
        while known is not None and drawn != known and time.monotonic() < deadline:
            await pilot.pause()
            await asyncio.sleep(LOOK_S)
            drawn = draw(pilot)
        self.now[name] = drawn
        self.differs = self.differs or (known is not None and drawn != known)

    async def in_sizes(self, pilot: Go, *sizes: tuple[int, int], then: str = "") -> None:
        """The screen in one size after the other; `then` tells a second round from the first."""
        for width, height in sizes:
            await pilot.resize_terminal(width, height)
            await self.take(pilot, f"{width}x{height}{then}")

    def check(self) -> None:
        """Writes the file, or compares it; `make snap` writes."""
        if self.update:
            self.path.parent.mkdir(exist_ok=True)
            text = "\n".join(f"{HEAD}{name}\n{drawn}" for name, drawn in self.now.items())
            self.path.write_text(text, encoding="utf-8", newline="\n")
            return
        before = self.before()
        assert list(before) == list(self.now), "run `make snap` and look at the difference"
        for name, drawn in self.now.items():
            lines = list(
                unified_diff(before[name].split("\n"), drawn.split("\n"), n=0, lineterm="")
            )
            assert not lines, "\n".join((f"{name}: run `make snap` and look", *lines[:40]))


async def reach(pilot: Go, scene: Scene) -> None:
    """Presses the scene's keys, one after the other; what is only typed goes in one piece."""
    await still(pilot)
    for key in scene.keys:
        await pilot.press(*(key.removeprefix(TYPED) if key.startswith(TYPED) else (key,)))
        await still(pilot)
    await until(pilot, scene.sign)
