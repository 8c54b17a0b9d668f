"""From starting the program to its first usable frame, on a pseudo-terminal."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from textual.app import App

from smriti_tui.app import SmritiApp, Start
from smriti_tui.domain.errors import SmritiError
from smriti_tui.screens.opening import Opened
from tests.bench.bare_app import BareApp
from tests.bench.figures import Budget, Figure, compared
from tests.bench.programs import PYTHON, Failed, home_environment, script
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import seeded_home
from tests.bench.terminal import COLUMNS, LINES, Terminal

START_BUDGET = Budget(1.35)
TYPED = "zq"
BARE = "a bare Textual app with as many widgets"


def start(plan: Plan) -> list[Figure]:
    """`smriti-tui` in an empty home and in one with 10,000 turns, beside a bare Textual app.

    Usable: header and panes are drawn and what is typed then stands in the prompt.
    """
    home = seeded_home(plan)
    copy = plan.new_folder("home") / "seeded"
    shutil.copytree(home.path, copy)
    empty = home_environment(plan.new_folder("home"))
    bare = [PYTHON, str(Path(__file__).with_name("bare_app.py")), str(_widgets())]
    smriti = [script("smriti-tui")]
    panes = r"1 Spaces.*2 Checkpoints.*Prompt"
    ways: dict[str, Callable[[], float]] = {
        "empty home": partial(_usable_ms, smriti, empty, panes),
        "10,000 turns": partial(_usable_ms, smriti, home_environment(copy), panes),
        BARE: partial(_usable_ms, bare, empty, r"bare.*pane 0.*Quit"),
    }
    found = interleaved(plan.rounds(11), ways, warm_up=True)
    return [
        compared(
            "start",
            f"smriti-tui to its first usable frame, {name}",
            "ms",
            found[name],
            BARE,
            found[BARE],
            budget=START_BUDGET,
        )
        for name in ("empty home", "10,000 turns")
    ]


def _usable_ms(command: Sequence[str], env: Mapping[str, str], panes: str) -> float:
    with Terminal(command, env) as terminal:
        terminal.wait(panes)
        terminal.send(TYPED)
        return (terminal.wait(TYPED) - terminal.began) * 1e3


def _widgets() -> int:
    """How many widgets the workspace's first frame has; the database stays closed."""

    def closed() -> Opened:
        raise SmritiError("Not for this.")

    ours = asyncio.run(_counted(SmritiApp(Start(), opener=closed)))
    bare = asyncio.run(_counted(BareApp(ours)))
    if bare != ours:
        raise Failed(f"the bare app has {bare} widgets in place of {ours}")
    say(f"  widgets in the first frame: {ours}")
    return ours


async def _counted(app: App[int] | App[None]) -> int:
    async with app.run_test(size=(COLUMNS, LINES)):
        return len(app.screen.query("*"))
