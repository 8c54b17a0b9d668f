"""Appending on a PostgreSQL server, beside a bare insert by psycopg in one transaction."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

import psycopg

from smriti_tui.domain.ids import new_event_id
from smriti_tui.domain.values import utc_text
from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from tests.bench.append_way import STREAM, payload
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rounds import Plan, interleaved
from tests.postgres import own_server

BARE = "a bare psycopg insert in a transaction"
TABLE = (
    "CREATE TABLE bare (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id text "
    "UNIQUE, stream text, version bigint, type text, payload text, actor text, recorded_at text, "
    "UNIQUE (stream, version))"
)
INSERT = (
    "INSERT INTO bare (event_id, stream, version, type, payload, actor, recorded_at) "
    "VALUES (%s, %s, %s, %s, %s, %s, %s)"
)
EACH = 100


def postgres(plan: Plan) -> list[Figure]:
    """One event a transaction, and a hundred; each commit waits for the disk."""
    with (
        own_server(durable=True, folder=plan.new_folder("postgres")) as server,
        server.database() as one,
        server.database() as two,
        _ours(one) as ours,
        _bare(two) as bare,
    ):
        ways = {
            "ours": partial(_per_s, ours, 1, EACH),
            "bare": partial(_per_s, bare, 1, EACH),
            "ours, many": partial(_per_s, ours, EACH, 3),
            "bare, many": partial(_per_s, bare, EACH, 3),
        }
        found = interleaved(plan.rounds(9), ways, warm_up=True)
    budget = Budget(0.5, at_least=True)
    return [
        compared(
            "postgres", f"append on PostgreSQL{more}", "/s", found[f"ours{key}"],
            BARE, found[f"bare{key}"], budget=budget,
        )
        for key, more in (("", ""), (", many", f", {EACH} in a transaction"))
    ]  # fmt: skip


def _per_s(append: Callable[[int], None], size: int, times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        append(size)
    return size * times / (time.perf_counter() - began)


@contextlib.contextmanager
def _ours(url: str) -> Iterator[Callable[[int], None]]:
    store = Store(url, lambda: utc_text(datetime.now(UTC)))

    def append(size: int) -> None:
        events = [NewEvent("item_created", payload(0, number)) for number in range(size)]
        store.log.append(STREAM, events, actor="bench", door="cli")

    try:
        yield append
    finally:
        store.close()


@contextlib.contextmanager
def _bare(url: str) -> Iterator[Callable[[int], None]]:
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute(TABLE)
        connection.commit()
        version = 0

        def append(size: int) -> None:
            nonlocal version
            with connection.transaction():
                for number in range(size):
                    version += 1
                    text = json.dumps(payload(0, number))
                    now = utc_text(datetime.now(UTC))
                    row = (new_event_id(), STREAM, version, "item_created", text, "bench", now)
                    connection.execute(INSERT, row)

        yield append
