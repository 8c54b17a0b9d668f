"""The history of 10,000 checkpoints on 200 branches: opening it, and a key in it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp, Start
from smriti_tui.bootstrap import open_services
from smriti_tui.config.light import LightConfig
from smriti_tui.config.settings import load_config
from smriti_tui.domain.checkpoint_input import checkpoint_id
from smriti_tui.domain.events import BranchOpened, CheckpointSaved
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId, new_id
from smriti_tui.domain.model import CheckpointBody, Item
from smriti_tui.screens.desk.history_loads import load_history, load_more
from smriti_tui.screens.opening import Opened
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.services import Services
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from tests.bench.figures import Budget, Figure, told
from tests.bench.programs import home_environment
from tests.bench.rounds import Plan, say
from tests.bench.seed import services_at, words

CHECKPOINTS = 10_000
BRANCHES = 200
OPEN_BUDGET = Budget(300)
KEY_BUDGET = Budget(50)
ROUNDS = 9
MOVES = ("up", "half_up", "mark", "mark", "down", "top", "down")


def tree(plan: Plan) -> list[Figure]:
    """Reading the first page, and what a person feels in pane 2 of the running app."""
    home = plan.new_folder("home")
    with services_at(home) as services:
        space = fill(services, plan.size(CHECKPOINTS), plan.size(BRANCHES))
        main = services.spaces.branch(space, "main")
        reads = {
            "the newest of all branches": lambda: load_history(services, space, None, 200),
            "the newest of main": lambda: load_history(services, space, main.id, 200),
            "a page of 1,000 in the middle": lambda: load_more(
                services, space, replace(load_history(services, space, None, 200)), 1_000
            ),
        }
        figures = [
            told("tree", f"{what}, read and drawn as lanes", "ms", _timed(plan, read),
                 budget=OPEN_BUDGET)
            for what, read in reads.items()
        ]  # fmt: skip
    say(f"  {plan.size(CHECKPOINTS):,} checkpoints")
    figures += asyncio.run(_in_the_app(plan, home))
    return figures


def fill(services: Services, count: int, branches: int) -> SpaceId:
    """A Space whose branches grow by turns; each forks from main, some merge back."""
    space = services.spaces.create("Long history").id
    main = services.spaces.branch(space, "main").id
    stream = f"space/{space}"
    tips: dict[BranchId, CheckpointId | None] = {main: None}
    names: list[BranchId] = [main]
    number = 0
    while number < count:
        with services.caller.write() as scope:
            for _ in range(min(500, count - number)):
                if number % max(count // branches, 1) == 1 and len(names) < branches:
                    name = BranchId(new_id())
                    scope.append(stream, BranchOpened(name, f"line-{len(names)}", tips[main]))
                    names.append(name)
                    tips[name] = tips[main]
                branch = names[(number * 7) % len(names)]
                parents = [tips[branch]]
                if branch == main and number % 30 == 0:
                    parents.append(tips[names[-1]])
                body = CheckpointBody(
                    space, tuple(dict.fromkeys(each for each in parents if each)),
                    f"Checkpoint {number}", "ada", scope.now(), summary=words(number, 40),
                    decisions=(Item(new_id(), words(number, 12)),),
                )  # fmt: skip
                made = CheckpointId(checkpoint_id(body))
                scope.append(stream, CheckpointSaved(made, branch, body))
                tips[branch] = made
                number += 1
    services.sessions.new(space, title="Talk")
    return space


def _timed(plan: Plan, read: Callable[[], object]) -> list[float]:
    found = []
    for _ in range(plan.rounds(ROUNDS)):
        began = time.perf_counter()
        read()
        found.append((time.perf_counter() - began) * 1e3)
    return found


async def _in_the_app(plan: Plan, home: Path) -> list[Figure]:
    """Keys in pane 2: with one page loaded, and with all of it."""
    config = load_config(environ=home_environment(home))

    def opener() -> Opened:
        stack = ExitStack()
        services = stack.enter_context(open_services(config, "tui"))
        return Opened(services, config, stack=stack)

    app = SmritiApp(Start("Long history"), light=LightConfig(motion=False), opener=opener)
    figures = []
    async with app.run_test(size=(120, 36)) as pilot:
        pane = app.workspace.query_one(CheckpointsPane)  # type: ignore[union-attr]
        while not pane.view.checkpoints:
            await pilot.pause(0.05)
        await pilot.press("escape", "2")
        figures.append(await _keys(plan, pilot, "one page loaded"))
        began = time.perf_counter()
        await pilot.press("G")
        while pane.view.more:
            await pilot.pause(0.02)
        took = (time.perf_counter() - began) * 1e3
        figures.append(told("tree", "G: all of it loaded, the cursor at the end", "ms", [took]))
        figures.append(await _keys(plan, pilot, "all of it loaded"))
        await app.workspace.put_away()  # type: ignore[union-attr]
    return figures


async def _keys(plan: Plan, pilot: Pilot[int], when: str) -> Figure:
    """From an action to the end of the frame that shows it, mark and filter included."""
    screen = pilot.app.screen
    assert isinstance(screen, WorkspaceScreen)

    async def act(name: str) -> float:
        painted = asyncio.Event()
        began = time.perf_counter()
        screen.action_run(name)
        screen.call_after_refresh(painted.set)
        await painted.wait()
        took = (time.perf_counter() - began) * 1e3
        await asyncio.sleep(0.05)
        return took

    found: list[float] = []
    for _ in range(plan.rounds(ROUNDS)):
        found += [await act(f"nav.{name}") for name in MOVES]
    return told("tree", f"key to paint, {when}", "ms", found, budget=KEY_BUDGET)
