"""Commands that go through a whole store: proving contexts and log, rebuilding, exporting."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import last_position
from tests.bench.append_way import payload
from tests.bench.figures import Figure, told
from tests.bench.programs import home_environment, run_ms, script
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import add_sends, seeded_home, services_at

ROUNDS = 3


def contexts(plan: Plan) -> list[Figure]:
    """`context verify` over 1,000 answers in sessions of 50, each with a full window at its end."""
    home = plan.new_folder("home")
    sessions = plan.size(20)
    with services_at(home) as services:
        space = services.spaces.create("Talks").id
        for number in range(sessions):
            session = services.sessions.new(space, title=f"Talk {number}").id
            add_sends(services, session, 50)
    env = home_environment(home)
    run = [script("smriti"), "context", "verify"]
    found = interleaved(plan.rounds(ROUNDS), {"context verify": lambda: run_ms(run, env)})
    what = f"smriti context verify, {50 * sessions:,} answers"
    return [told("contexts", what, "ms", found["context verify"])]


def log(plan: Plan) -> list[Figure]:
    """`log verify` and `log rebuild` over 100,000 events."""
    home = plan.new_folder("home")
    events = _fill(plan, home)
    env = home_environment(home)
    smriti = script("smriti")
    found = interleaved(
        plan.rounds(ROUNDS),
        {
            "verify": lambda: run_ms([smriti, "log", "verify"], env),
            "rebuild": lambda: run_ms([smriti, "log", "rebuild"], env),
        },
    )
    return [
        told("log", f"smriti log {name}, {events:,} events", "ms", values)
        for name, values in found.items()
    ]


def _fill(plan: Plan, home: Path) -> int:
    """Ten sessions of 2,000 turns (four events a send), the rest in an open stream."""
    sends, rest = plan.size(1_000), plan.size(60_000)
    say("  a log of 100,000 events" if not plan.quick else "  a log of 10,000 events")
    with services_at(home) as services:
        space = services.spaces.create("Talks").id
        for number in range(10):
            session = services.sessions.new(space, title=f"Talk {number}").id
            add_sends(services, session, sends, window=1_024)
        store = services.caller.store
        for first in range(0, rest, 500):
            batch = [NewEvent("item_created", payload(0, first + n)) for n in range(500)]
            store.log.append("tracker", batch, actor="ada", door="cli")
        with store.read() as tx:
            return last_position(tx)


def exports(plan: Plan) -> list[Figure]:
    """A Space with a session of 10,000 turns, in every format."""
    home = seeded_home(plan)
    copy = plan.new_folder("home") / "seeded"
    shutil.copytree(home.path, copy)
    env = home_environment(copy)
    tui = script("smriti-tui")

    def run(form: str) -> float:
        target = plan.new_folder("export") / ("bundle" if form == "bundle" else "out")
        command = [tui, "--export", str(target), "--space", home.space, "--format", form]
        try:
            return run_ms(command, env)
        finally:
            shutil.rmtree(target.parent)

    forms = ("md", "json", "jsonl", "bundle")
    found = interleaved(plan.rounds(ROUNDS), {form: partial(run, form) for form in forms})
    turns = f"{plan.size(5_000) * 2:,}"
    return [
        told("exports", f"smriti-tui --export, {form}, {turns} turns", "ms", found[form])
        for form in forms
    ]
