"""The rules of a review over a large checkpoint: every stored quote looked up in a long session."""

from __future__ import annotations

import time
from functools import partial

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.model import Evidence, Item
from smriti_tui.services import Services
from tests.bench.figures import Figure, told
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import add_sends, question, services_at

TURNS = 1_000
QUOTES = 200
ROUNDS = 15
KINDS = ("where they are said to be", "all in another turn", "said by nobody")


def reviewing(plan: Plan) -> list[Figure]:
    """The time of the processor: no other process counts."""
    sends = plan.size(TURNS) // 2
    say(f"  {QUOTES} quotes over {2 * sends} turns")
    with services_at(plan.new_folder("home")) as services:
        saved = {kind: _saved(services, sends, kind) for kind in KINDS}
        ways = {kind: partial(_timed, services, each) for kind, each in saved.items()}
        found = interleaved(plan.rounds(ROUNDS), ways, warm_up=True, quiet=True)
    what = f"rules of a review, {QUOTES} quotes over {2 * sends:,} turns"
    return [told("reviewing", f"{what}, {kind}", "ms", found[kind]) for kind in KINDS]


def _saved(services: Services, sends: int, kind: str) -> CheckpointId:
    space = services.spaces.create(f"Talks {kind}").id
    session = services.sessions.new(space).id
    add_sends(services, session, sends)
    items = []
    for number in range(QUOTES):
        place = number * 7 % sends
        quote = " ".join(question(place).split()[:9])
        if kind == KINDS[2]:
            quote = f"never said {quote}"
        turn = 2 * place + 1 if kind != KINDS[1] else 2 * ((place + 1) % sends) + 1
        evidence = Evidence(quote, "found", session, turn)
        items.append(Item("", f"Decision {number}", evidence=(evidence,)))
    given = CheckpointInput(f"State, {kind}", objective="Measure.", decisions=tuple(items))
    return services.checkpoints.create(space, given).checkpoint.id


def _timed(services: Services, checkpoint: CheckpointId) -> float:
    began = time.process_time()
    services.reviewing.rules(checkpoint)
    return (time.process_time() - began) * 1000
