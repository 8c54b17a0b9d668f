"""Reading what was: queries as of an earlier event in a log of 100,000, beside the same of now."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sqlalchemy import func
from sqlmodel import col, select

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import Config, load_config
from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.events import TurnAdded
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Item
from smriti_tui.screens.desk.checkpoints import PAGE
from smriti_tui.screens.desk.history_loads import load_history
from smriti_tui.screens.desk.loads import load_session, load_tree
from smriti_tui.screens.past.course import KNOWN
from smriti_tui.services import Services
from smriti_tui.services.moments import Moment
from smriti_tui.store.rows import EventRow
from tests.bench.figures import Budget, Figure, compared
from tests.bench.programs import home_environment
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import services_at, words

EVENTS = 100_000
SESSIONS = 100
ROUNDS = 7
BUDGET_MS = 300
STEP_MS = 100
SHARES = (0.1, 0.5, 0.9)


def past(plan: Plan) -> list[Figure]:
    """From opening the database to the answer, at three places of the log."""
    home = plan.new_folder("home")
    with services_at(home) as services:
        space, session = _fill(plan, services)
        with services.caller.read() as tx:
            newest = int(tx.execute(select(func.max(col(EventRow.position)))).scalar() or 0)
    say(f"  {newest:,} events")
    config = load_config(environ=home_environment(home))

    def ask(query: Callable[[Services], object], at: int | None) -> float:
        start = time.perf_counter()
        moment = None
        with open_services(config, "cli") as now:
            if at is None:
                query(now)
            else:
                moment = now.moments.find(str(at))
        if moment is not None:
            with open_services(config, "cli", moment) as then:
                query(then)
        return (time.perf_counter() - start) * 1000

    queries: dict[str, Callable[[Services], object]] = {
        "the checkpoints of a Space": lambda each: each.checkpoints.of_space(space, limit=100),
        "the sessions of a Space": lambda each: each.sessions.of_space(space),
        "the last turns of a session": lambda each: _last_turns(each, session),
    }
    figures = []
    for what, query in queries.items():
        for share in SHARES:
            ways = {
                "then": partial(ask, query, int(newest * share)),
                "now": partial(ask, query, None),
            }
            found = interleaved(plan.rounds(ROUNDS), ways, warm_up=True, quiet=True)
            figure = compared(
                "past", f"{what}, at {share:.0%} of {newest:,} events", "ms",
                found["then"], "the same of now", found["now"],
            )  # fmt: skip
            figures.append(replace(figure, how="itself", judged=None, budget=Budget(BUDGET_MS)))
    return [*figures, *_steps(plan, config, space, session, newest)]


def _steps(
    plan: Plan, config: Config, space: SpaceId, session: SessionId, newest: int
) -> list[Figure]:
    """One step of time travel in the app: the events around, and all that the panes show."""

    def panes(services: Services) -> None:
        load_tree(services, frozenset({str(space)}))
        load_session(services, session, None)
        load_history(services, space, None, PAGE)

    def step(now: Services, position: int) -> float:
        start = time.perf_counter()
        here = now.moments.around(space, position, KNOWN, KNOWN).here
        with open_services(config, "tui", Moment(here.position, here.recorded_at)) as then:
            panes(then)
        return (time.perf_counter() - start) * 1000

    def present(now: Services) -> float:
        start = time.perf_counter()
        panes(now)
        return (time.perf_counter() - start) * 1000

    figures = []
    with open_services(config, "tui") as now:
        for share in SHARES:
            ways = {
                "then": partial(step, now, int(newest * share)), "now": partial(present, now),
            }  # fmt: skip
            found = interleaved(plan.rounds(ROUNDS), ways, warm_up=True, quiet=True)
            figure = compared(
                "past", f"one step of time travel, at {share:.0%} of {newest:,} events", "ms",
                found["then"], "the same panes of now", found["now"],
            )  # fmt: skip
            figures.append(replace(figure, how="itself", judged=None, budget=Budget(STEP_MS)))
    return figures


def _last_turns(services: Services, session: SessionId) -> object:
    last = services.sessions.get(session).last_seq
    return services.sessions.turns(session, max(1, last - 50), last)


def _fill(plan: Plan, services: Services) -> tuple[SpaceId, SessionId]:
    """Turns of all sessions side by side, with a checkpoint now and then; the first session."""
    space = services.spaces.create("Past").id
    opened = [services.sessions.new(space, title=f"Talk {each}").id for each in range(SESSIONS)]
    for turn in range(1, plan.size(EVENTS) // SESSIONS):
        with services.caller.write() as scope:
            for number, session in enumerate(opened):
                text = f"turn {turn} of talk {number}: {words(turn, 20)}"
                scope.append(f"session/{session}", TurnAdded(turn, 1, "user", text, text))
        if turn % 5 == 0:
            given = CheckpointInput(title=f"State {turn}", decisions=(Item("", f"D {turn}"),))
            services.checkpoints.create(space, given)
    return space, opened[0]
