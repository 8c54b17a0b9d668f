"""Two processes that write on one head at once: none of them has a parent it did not know of, and
no note is lost."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack

import pytest

from tests.cli.calling import Cli
from tests.cli.racer import Command, Did, Racer

AHEAD_S = 0.03
"""Both have read their order by then."""


def save(head: str, title: str) -> Command:
    words = ("checkpoint", "create", "Search", "-", "--expect-head", head)
    return words, json.dumps({"title": title, "decisions": [title]})


def together(racers: list[Racer], *orders: list[Command]) -> list[list[Did]]:
    at = time.monotonic() + AHEAD_S
    for racer, order in zip(racers, orders, strict=True):
        racer.start(at, order)
    return [racer.did() for racer in racers]


def race(cli: Cli, rounds: int) -> None:
    cli.space()
    head = str(cli.checkpoint("Search", {"title": "Start"})["id"])
    with ExitStack() as stack:
        racers = [
            stack.enter_context(Racer({**cli.environment(), "SMRITI_ACTOR": name}))
            for name in ("codex", "claude")
        ]
        for number in range(rounds):
            orders: list[list[Command]] = [
                [save(head, f"{number} of {who}"),
                 (("checkpoint", "note", head, f"seen by {who}"), "")]
                for who in range(2)
            ]  # fmt: skip
            did = together(racers, *orders)
            first, second = sorted(range(2), key=lambda who: did[who][0].code)
            assert [did[first][0].code, did[second][0].code] == [0, 4], did
            made, error = did[first][0].document["id"], did[second][0].document["error"]
            assert error["code"] == "stale_head"
            assert error["details"]["actual"] == made
            (again,), (nothing,) = together(
                [racers[second], racers[first]],
                [save(made, f"{number} again")], [save(head, "too late")],
            )  # fmt: skip
            assert (again.code, nothing.code) == (0, 4), (again, nothing)
            head = again.document["id"]
    tree = cli.ok("checkpoint", "list", "Search", "--graph")["checkpoints"]
    assert len(tree) == 2 * rounds + 1
    parents = [each["parents"] for each in tree]
    assert parents == [[each["id"]] for each in tree[1:]] + [[]]
    noted = [len(cli.ok("checkpoint", "show", each["id"])["notes"]) for each in tree[::2][1:]]
    assert noted == [2] * rounds


def test_two_processes_on_one_head_never_share_a_parent_unknowingly(cli: Cli) -> None:
    race(cli, 20)


@pytest.mark.soak
def test_two_processes_on_one_head_two_hundred_times(cli: Cli) -> None:
    race(cli, 200)
