"""Writes the pictures of the README: the real app on the demo, driven by Pilot.

    python screenshots/make.py [--to FOLDER]

The same code gives the same bytes: a clock that stands still, no blinking, no motion, a demo model
that does not pause, and an environment that holds nothing of this machine. The files name no host
and no font but the reader's own. Never edit them: a test makes them again and compares.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from textual.strip import Strip
from textual.widgets import Input, TextArea

from smriti_tui.screens.opening import Opened
from smriti_tui.screens.workspace import WorkspaceScreen
from tests.ui.stage import (
    DARK,
    LIGHT,
    Go,
    HeldModel,
    demo,
    empty,
    environment,
    idle,
    on_stage,
)

HERE = Path(__file__).resolve().parent
CLEAN = "SMRITI_PICTURES"
"""Set in the process that draws, beside its `environment`."""
WIDE, NARROW = (120, 36), (80, 24)
EXPORT = "tests/importers/samples/talks.json"
QUESTION = "What is decided so far?"
LOOK_S = 0.1
STILL_LOOKS = 4
"""Pictures in a row that must be the same."""
LONG_S = 60.0
FONTS = "monospace"


@dataclass
class Stage:
    """One run of the app, and where its pictures go."""

    size: tuple[int, int]
    theme: str
    to: Path
    wanted: dict[str, str]
    """Name of a moment to the file's name; other moments are passed by."""
    model: HeldModel = field(default_factory=HeldModel)
    is_whole: bool = False
    """Whether the tour goes on to its end when all that is wanted is there."""
    taken: set[str] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return not self.is_whole and self.taken >= set(self.wanted)

    @asynccontextmanager
    async def app(self, opener: Callable[[], Opened], is_demo: bool) -> AsyncIterator[Go]:
        """The app, open and at rest."""
        async with on_stage(opener, size=self.size, theme=self.theme, is_demo=is_demo) as pilot:
            yield pilot

    async def take(self, pilot: Go, moment: str) -> None:
        """Waits for a moment, and writes its picture if it is wanted."""
        await still(pilot, SIGNS[moment])
        if moment in self.wanted:
            name = self.wanted[moment]
            path = self.to / f"{name}.svg"
            svg = pilot.app.export_screenshot(title="smriti-tui")
            path.write_text(portable(svg, name), encoding="utf-8", newline="\n")
            self.taken.add(moment)


async def still(pilot: Go, sign: str = "") -> None:
    """Waits until `sign` stands on the screen and nothing moves any more."""
    deadline = time.monotonic() + LONG_S
    seen: list[Strip] = []
    since = 0
    while since < STILL_LOOKS:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the picture does not come to rest, or shows no {sign!r}")
        await pilot.pause(LOOK_S)
        for text in (*pilot.app.screen.query(TextArea), *pilot.app.screen.query(Input)):
            text.cursor_blink = False
        now = pilot.app.screen._compositor.render_strips()
        there = any(sign in strip.text for strip in now) and idle(pilot)
        since = since + 1 if there and now == seen else 0
        seen = now


async def back(pilot: Go, steps: int = 1) -> None:
    """That many times one step back, which must lead to the workspace."""
    for _ in range(steps):
        await pilot.press("escape")
        await still(pilot)
    if not isinstance(pilot.app.screen, WorkspaceScreen):
        raise RuntimeError(f"esc does not lead back from {pilot.app.screen}")


# ---- what is shown -----------------------------------------------------------------------------


SIGNS = {
    "workspace": "1.5k",
    "context-next": "not sent",
    "answer-streaming": "esc stops",
    "answer-ended": "1.8k",
    "context-sent": "verified",
    "draft": "t15 verified",
    "review": "open of",
    "checkpoint": "chain ok",
    "checkpoint-form": "Rebuild as a job",
    "model-picker": "no key needed",
    "help": "esc Close",
    "palette": "enter Run",
    "search": "14 hits",
    "log": "LIVE",
    "import": "And typing errors?",
    "compare": "COMPARE",
    "merge": "not written",
    "time-travel": "AT EVENT 18",
    "first-run": "Look around in",
}
"""What stands on the screen at each moment, and not before it."""


async def tour(stage: Stage, folder: Path) -> None:
    """The demo from its first screen on, with the keys that the README names."""
    async with stage.app(lambda: demo(folder, stage.model), is_demo=True) as pilot:
        await stage.take(pilot, "workspace")
        for part in PARTS:
            if stage.is_over:
                return
            await part(stage, pilot)


async def ask(stage: Stage, pilot: Go) -> None:
    """The next context, the answer as it comes, and when it is there."""
    await pilot.press(*QUESTION)
    await still(pilot, QUESTION)
    await pilot.press("f3")
    await stage.take(pilot, "context-next")
    await back(pilot)
    stage.model.hold = True
    await pilot.press("enter")
    await asyncio.wait_for(stage.model.held.wait(), LONG_S)
    await stage.take(pilot, "answer-streaming")
    stage.model.hold = False
    stage.model.let_go.set()
    await stage.take(pilot, "answer-ended")


async def inspect(stage: Stage, pilot: Go) -> None:
    """What that answer was made of, as it was stored."""
    await pilot.press("escape")
    await still(pilot)
    await pilot.press("x")
    await stage.take(pilot, "context-sent")
    await back(pilot)


async def draft_and_review(stage: Stage, pilot: Go) -> None:
    """What the scripted model drafts of this talk, and what a review of the head finds."""
    await pilot.press("f2")
    await still(pilot, " kept")
    await pilot.press("j", "j", "j", "j")
    await stage.take(pilot, "draft")
    await back(pilot)
    await pilot.press("2")
    await still(pilot)
    await pilot.press("r")
    await stage.take(pilot, "review")
    await back(pilot)


async def checkpoints(stage: Stage, pilot: Go) -> None:
    """A checkpoint in full, and the form that writes the next one."""
    await pilot.press("2")
    await still(pilot)
    await pilot.press("enter")
    await stage.take(pilot, "checkpoint")
    await back(pilot)
    await pilot.press("n")
    await still(pilot, "Leaves nothing")
    await pilot.press(*"rebuild-job", "tab", *"Rebuild as a job")
    # How far it is scrolled follows from when its lists were laid out: the picture shows its top.
    pilot.app.screen.query_one("#form-body").scroll_home(animate=False)
    await stage.take(pilot, "checkpoint-form")
    # The first leaves the field, the second the form; what was typed is kept.
    await back(pilot, 2)


async def help_and_choice(stage: Stage, pilot: Go) -> None:
    """Model, help and palette."""
    for key, moment in (("ctrl+t", "model-picker"), ("f1", "help"), ("ctrl+p", "palette")):
        await pilot.press(key)
        await stage.take(pilot, moment)
        await back(pilot)


async def find(stage: Stage, pilot: Go) -> None:
    """What one word finds."""
    await pilot.press("ctrl+f")
    await still(pilot, "Where:")
    await pilot.press(*"rebuild")
    await stage.take(pilot, "search")
    await pilot.press("escape")
    await still(pilot)
    await back(pilot, 0)


async def events(stage: Stage, pilot: Go) -> None:
    """The log under everything."""
    await pilot.press("f5")
    await stage.take(pilot, "log")
    await back(pilot)


async def bring_in(stage: Stage, pilot: Go) -> None:
    """An export as it would come in."""
    await pilot.press("1")
    await still(pilot)
    await pilot.press("I")
    await still(pilot, "Type a file or folder")
    field = pilot.app.screen.query_one("#import-path", Input)
    field.value = EXPORT
    await pilot.press("enter")
    await still(pilot, "5 of 5 marked")
    await pilot.press("j", "j", "space", "g")
    await stage.take(pilot, "import")
    await back(pilot, 2)


async def two_lines(stage: Stage, pilot: Go) -> None:
    """The spike beside main: compared, merged and not written; and a look into the past."""
    await pilot.press("2")
    await still(pilot)
    await pilot.press("j", "c")
    await stage.take(pilot, "compare")
    await back(pilot)
    await pilot.press("M")
    await stage.take(pilot, "merge")
    await back(pilot)
    await pilot.press("T")
    await still(pilot, "AT EVENT")
    await pilot.press("H")
    await stage.take(pilot, "time-travel")
    await back(pilot)
    await pilot.press("k")
    await still(pilot)


async def mount_and_save(_: Stage, pilot: Go) -> None:
    """No picture: these keys of the README do what it says, and the form kept its text."""
    await pilot.press("2", "j", "m")
    await still(pilot, "18 ")
    await pilot.press("n")
    await still(pilot, "Rebuild as a job")
    await pilot.press("ctrl+s")
    await still(pilot, "DEMO")


PARTS = (
    ask, inspect, draft_and_review, checkpoints, help_and_choice, find, events, bring_in, two_lines,
    mount_and_save,
)  # fmt: skip


async def first_run(stage: Stage, folder: Path) -> None:
    """What stands there before anything was made."""
    async with stage.app(lambda: empty(folder, stage.model), is_demo=False) as pilot:
        await stage.take(pilot, "first-run")


WIDE_DARK = (
    "workspace", "context-next", "answer-streaming", "answer-ended", "context-sent", "draft",
    "review", "checkpoint", "checkpoint-form", "model-picker", "help", "palette", "search",
    "log", "import", "compare", "merge", "time-travel",
)  # fmt: skip
WIDE_LIGHT = ("workspace", "context-sent")
NARROW_DARK = ("workspace", "context-sent", "draft", "checkpoint-form")


def stages(to: Path) -> list[Stage]:
    """All runs of the demo."""
    return [
        Stage(WIDE, DARK, to, {moment: moment for moment in WIDE_DARK}, is_whole=True),
        Stage(WIDE, LIGHT, to, {moment: f"{moment}-light" for moment in WIDE_LIGHT}),
        Stage(NARROW, DARK, to, {moment: f"{moment}-80x24" for moment in NARROW_DARK}),
    ]


async def draw(to: Path, folder: Path) -> None:
    """Writes every picture into `to`."""
    for stage in stages(to):
        await tour(stage, folder)
    await first_run(Stage(WIDE, DARK, to, {"first-run": "first-run"}), folder)


# ---- files that are the same everywhere ---------------------------------------------------------


def portable(svg: str, name: str) -> str:
    """The picture without addresses, with ids of its own and the reader's fonts."""
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)
    svg = re.sub(r"\s*<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", f"smriti-{name}", svg)
    svg = svg.replace("font-family: Fira Code, monospace", f"font-family: {FONTS}")
    svg = svg.replace("font-family: arial", "font-family: sans-serif")
    return "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"


def main() -> int:
    """Draws in a process of its own, so that no setting of this one counts."""
    parser = argparse.ArgumentParser(description="Write the pictures of the README.")
    parser.add_argument("--to", type=Path, default=HERE, metavar="FOLDER")
    to: Path = parser.parse_args().to.resolve()
    to.mkdir(parents=True, exist_ok=True)
    if os.environ.get(CLEAN):
        asyncio.run(draw(to, Path.home()))
        return 0
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, __file__, "--to", str(to)]
        return subprocess.run(
            command, env={**environment(Path(home)), CLEAN: "1"}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
