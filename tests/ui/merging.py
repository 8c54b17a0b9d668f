"""Words for tests of compare and merge: two lines of one Space that went apart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from typing import Any

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.model import Artifact, Checkpoint, Item, Space, Task
from smriti_tui.screens.compare import CompareScreen
from smriti_tui.screens.compare_asked import CompareAsked
from smriti_tui.services import Services
from tests.support import content
from tests.ui.house import House, desk, notes, settle, until
from tests.ui.screens_host import HOSTILE

ENGINE = "Use SQLite FTS5, no search server"
CSV = Artifact("00000000-0000-4000-8000-000000000001", "csv", "bench.csv", "a,1\nb,2\nc,3\n")


@dataclass(frozen=True)
class Lines:
    """What both come from, and what main and the branch `expl` made of it."""

    space: Space
    base: Checkpoint
    ours: Checkpoint
    theirs: Checkpoint


def given(checkpoint: Checkpoint, title: str, **changes: Any) -> CheckpointInput:
    """The state of a checkpoint with some fields changed."""
    body = checkpoint.body
    names = ("objective", "decisions", "assumptions", "tasks", "entities", "artifacts")
    fields: dict[str, Any] = {name: getattr(body, name) for name in names}
    return CheckpointInput(title=title, **{**fields, **changes})


def apart(services: Services) -> Lines:
    """Three conflicts: D1 and the artifact were changed on both sides, D2 was changed and taken
    out."""
    space = services.spaces.create("search-index")
    services.sessions.new(space.id, title="One")
    first = replace(
        content("Base", ENGINE, "Keep the old index", f"Stays\n{HOSTILE}"),
        objective="Find", tasks=(Task("", "Load test"),), entities=("fts5",), artifacts=(CSV,),
    )  # fmt: skip
    base = services.checkpoints.create(space.id, first).checkpoint
    one, two, three = base.body.decisions
    fork = services.forking.from_checkpoint(base.id, branch="expl")
    theirs = given(
        base, "Tantivy",
        decisions=(
            replace(one, text="Use Tantivy behind a thin service"),
            replace(two, text="Keep the old index for a month"),
            three,
            Item("", "Theirs alone 日本"),
        ),
        tasks=(replace(base.body.tasks[0], status="done"),),
        entities=("fts5", "tantivy"),
        artifacts=(replace(CSV, content="a,1\nb,9\nc,3\n"),),
    )  # fmt: skip
    other = services.checkpoints.create(space.id, theirs, session=fork.session.id).checkpoint
    ours = given(
        base, "Up to 2 M",
        decisions=(replace(one, text=f"{ENGINE}, up to 2 M docs"), three),
        assumptions=(Item("", "Ours alone"),),
        artifacts=(replace(CSV, content="a,1\nb,2\nc,3\nd,4\n"),),
    )  # fmt: skip
    mine = services.checkpoints.create(space.id, ours).checkpoint
    return Lines(space, base, mine, other)


@asynccontextmanager
async def merging_app(
    house: House, size: tuple[int, int] = (120, 36), lines: Lines | None = None
) -> AsyncIterator[tuple[Pilot[int], Services, Lines]]:
    """The app on two lines, made first unless they are there."""
    if lines is None:
        with closing(house.open("cli")) as opened:
            lines = apart(opened.services)
    async with house.app(size) as pilot:
        app = pilot.app
        assert isinstance(app, SmritiApp)
        assert app.opened is not None
        services = app.opened.services
        try:
            sessions = services.sessions.of_space(lines.space.id)
            on_main = [each for each in sessions if each.branch_name == "main"]
            if on_main:
                desk(pilot).going.to_session(on_main[0].id, lines.space.id)
                await settle(pilot)
            yield pilot, services, lines
        except BaseException:
            if app.workspace is not None:
                await app.workspace.put_away()
            app.opened.close()
            raise


async def opened(pilot: Pilot[int], services: Services, asked: CompareAsked) -> CompareScreen:
    """The screen on top, with everything read."""
    screen = CompareScreen(services, asked)
    pilot.app.push_screen(screen)
    await settle(pilot)
    return screen


async def says(pilot: Pilot[int], words: str, *keys: str) -> None:
    """Presses keys and waits for a short note; it is gone a few seconds later."""
    for key in keys:
        await pilot.press(key)
    await until(pilot, lambda: words in notes(pilot))
