"""How the program feels: screens that open, the palette, rest, and what a long session keeps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.figures import Budget, Figure, compared, percentile, told
from tests.bench.programs import Failed, home_environment, script
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import LAST_WORDS, seeded_home
from tests.bench.terminal import CLOCK, Terminal

SCREEN_BUDGET = Budget(100)
IDLE_BUDGET = Budget(0.5)
MEMORY_BUDGET = Budget(1.3)
DROPPED_BUDGET = Budget(0)
ESC, ENTER, F1, F2, F3 = "\x1b", "\r", "\x1bOP", "\x1bOQ", "\x1bOR"
CTRL_D, CTRL_F, CTRL_P, BLUR = "\x04", "\x06", "\x10", "\x1b[O"
IDLE_S, SETTLE_S = 60.0, 15.0
SEARCHES_PER_S = 5


class Door(NamedTuple):
    """A screen: the keys on the way, the one that opens it, and what it then shows."""

    name: str
    way: str
    key: str
    shown: str


DOORS = (
    Door("help", "3", F1, "Help: 3 Chat"),
    Door("palette", "3", CTRL_P, "type to search every action"),
    Door("context inspector", "3", F3, "CONTEXT of answer"),
    Door("checkpoint", "2", ENTER, "CHECKPOINT [0-9a-f]{7}"),
    Door("checkpoint form", "2", "n", "NEW CHECKPOINT"),
    Door("draft editor", "3", F2, r"\bDRAFT\b"),
    Door("review", "2", "r", r"\bREVIEW of\b"),
    Door("search", "3", CTRL_F, "search everything"),
)
QUERIES = ("expo", "theme", "mount", "copy", "retry")


@contextmanager
def _opened(plan: Plan) -> Iterator[Terminal]:
    """The program on a copy of the seeded home, with its long session open."""
    home = plan.new_folder("home") / "seeded"
    shutil.copytree(seeded_home(plan).path, home)
    with Terminal([script("smriti-tui")], home_environment(home)) as terminal:
        terminal.wait(LAST_WORDS["long"])
        terminal.rest(1.0)
        yield terminal


def screens(plan: Plan) -> list[Figure]:
    """From the key to the first frame of each screen; told are the first time, and the processor
    time that it takes however busy the machine is."""
    with _opened(plan) as terminal:
        first = {door.name: _frame(terminal, door) for door in DOORS}
        ways = {door.name: partial(_frame, terminal, door) for door in DOORS}
        found = interleaved(plan.rounds(9), ways, quiet=True)
    return [
        told(
            "screens",
            f"key to its frame, {name}, 10,000 turns",
            "ms",
            [frame.wall_ms for frame in values],
            budget=SCREEN_BUDGET,
            note=f"the first time {first[name].wall_ms:.0f}, processor "
            f"{median(frame.processor_ms for frame in values):.0f}",
        )
        for name, values in found.items()
    ]


class Frame(NamedTuple):
    """The way to one frame."""

    wall_ms: float
    processor_ms: float


def _frame(terminal: Terminal, door: Door) -> Frame:
    for keys in (ESC, door.way):
        terminal.send(keys)
        terminal.rest(0.2)
    began, used = CLOCK(), _processor_s(terminal.pid)
    terminal.send(door.key)
    shown = terminal.wait(door.shown)
    used = _processor_s(terminal.pid) - used
    terminal.rest(0.2)
    terminal.send(ESC)
    terminal.rest(0.2)
    return Frame((shown - began) * 1e3, used * 1e3)


def palette(plan: Plan) -> list[Figure]:
    """Five searches a second for some seconds: each typed, read, and taken back; keys that were
    lost are counted."""
    rounds = plan.rounds(3)
    late: list[float] = []
    dropped: list[float] = []
    with _opened(plan) as terminal:
        for _ in range(rounds):
            terminal.send(CTRL_P)
            terminal.wait("type to search every action")
            lost = 0
            for number in range(4 * SEARCHES_PER_S):
                began = CLOCK()
                query = QUERIES[number % len(QUERIES)]
                terminal.send(query)
                try:
                    shown = terminal.wait(rf"Commands [^\n]*\n[^\n]*\W{query}\s", 2)
                    late.append((shown - began) * 1e3)
                except Failed as failure:
                    lost += 1
                    say(str(failure)[:600])
                terminal.send("\x7f" * len(query))
                while (left := began + 1 / SEARCHES_PER_S - CLOCK()) > 0:
                    terminal.pump(left)
            dropped.append(lost)
            terminal.send(ESC)
            terminal.rest(0.2)
    return [
        told(
            "palette",
            "searches that lost a key, of 20 at five a second",
            "",
            dropped,
            budget=DROPPED_BUDGET,
            note=f"four keys to their line, p95 {percentile(late, 0.95):.0f} ms",
        )
    ]


def idle(plan: Plan) -> list[Figure]:
    """Processor time of the program at rest for a minute, in a terminal with and without focus."""
    empty = plan.new_folder("home")
    figures: list[Figure] = []
    for name, command, home in (
        ("the demo", [script("smriti-tui"), "--demo"], empty),
        ("10,000 turns", [script("smriti-tui")], _copied(plan)),
    ):
        for focus in ("focused", "not focused"):
            values = [_idle_percent(command, home, focus) for _ in range(plan.rounds(2) // 2)]
            say(f"  {name}, {focus}")
            figures.append(
                told("idle", f"processor at rest, {name}, {focus}", "%", values, budget=IDLE_BUDGET)
            )
    return figures


def _copied(plan: Plan) -> Path:
    home = plan.new_folder("home") / "seeded"
    shutil.copytree(seeded_home(plan).path, home)
    return home


def _idle_percent(command: Sequence[str], home: Path, focus: str) -> float:
    with Terminal(command, home_environment(home)) as terminal:
        terminal.wait("1 Spaces")
        terminal.rest(2.0)
        if focus != "focused":
            terminal.send(BLUR)
        _wait(terminal, SETTLE_S)
        began, used = CLOCK(), _processor_s(terminal.pid)
        _wait(terminal, IDLE_S)
        return (_processor_s(terminal.pid) - used) / (CLOCK() - began) * 100


def _wait(terminal: Terminal, seconds: float) -> None:
    end = CLOCK() + seconds
    while (left := end - CLOCK()) > 0:
        terminal.pump(left)


def _processor_s(pid: int) -> float:
    """Of all threads, to the nanosecond: the ticks of /proc/PID/stat are too coarse for rest."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((each / "schedstat").read_text().split()[0]) for each in threads) / 1e9


def memory(plan: Plan) -> list[Figure]:
    """Memory of its own (PSS) with a session of 10,000 turns read from end to end, beside one of
    100 turns: the same keys in a process each."""
    ways = {name: partial(_kept_mib, plan, name) for name in ("long", "short")}
    found = interleaved(plan.rounds(3), ways)
    return [
        compared(
            "memory",
            "PSS after reading up and down, 10,000 turns",
            "MiB",
            found["long"],
            "100 turns",
            found["short"],
            budget=MEMORY_BUDGET,
        )
    ]


def _kept_mib(plan: Plan, name: str) -> float:
    with _opened(plan) as terminal:
        if name == "short":
            for keys in (ESC, "1", "g", "jj", ENTER):
                terminal.send(keys)
                terminal.rest(0.2)
            terminal.wait(LAST_WORDS["short"])
        terminal.send(ESC)
        terminal.rest(0.2)
        # To the top, into what is folded there, half a hundred pages down, and back to the end.
        for keys in ("3", "g", ENTER, *(CTRL_D for _ in range(50)), "G"):
            terminal.send(keys)
            terminal.rest(0.1, 2.0)
        terminal.wait(LAST_WORDS[name])
        return _pss_mib(terminal.pid)


def _pss_mib(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1024
