"""How soon another process's commit is seen, and what waiting for it costs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from smriti_tui.domain.values import utc_text
from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.feed import ACTIVE_S, IDLE_S, Feed
from smriti_tui.store.readlog import Damaged
from tests.bench.figures import Budget, Figure, percentile, told
from tests.bench.programs import ROOT, Failed
from tests.bench.rounds import Plan, say
from tests.store.shim import shim_environ

EVENTS = 40
SLOW_SYNC_MS = 300
SEEN_BUDGET = Budget(120)
IDLE_BUDGET = Budget(0.5)
WATCH_S = 10.0


def live(plan: Plan) -> list[Figure]:
    """From the moment a write returned in another process to the moment its event is here."""
    figures = [
        _seen(plan, "in use", ACTIVE_S, budget=SEEN_BUDGET),
        _seen(plan, f"in use, a sync takes {SLOW_SYNC_MS} ms", ACTIVE_S, True, SEEN_BUDGET),
        _seen(plan, "idle", IDLE_S),
    ]
    return [*figures, *_watching(plan)]


def _seen(
    plan: Plan, name: str, interval_s: float, slow: bool = False, budget: Budget | None = None
) -> Figure:
    rounds = [_latencies(plan, interval_s, slow) for _ in range(plan.rounds(3))]
    say(f"  commit to seen, {name}")
    return told(
        "live",
        f"another process's commit to seen, 95 of 100, {name}",
        "ms",
        [percentile(each, 0.95) for each in rounds],
        budget=budget,
        note=f"median {percentile([ms for each in rounds for ms in each], 0.5):.0f} ms",
    )


def _latencies(plan: Plan, interval_s: float, slow: bool) -> list[float]:
    path = plan.new_folder("live") / "smriti.db"
    environ = shim_environ(path.parent, SHIM_FSYNC_MS=str(SLOW_SYNC_MS)) if slow else None
    seen: dict[int, float] = {}
    with closing(Store(str(path), _now)) as store:
        store.prepare()
        feed = Feed(store, 0)
        feed.interval_s = interval_s
        thread = threading.Thread(target=_follow, args=(feed, seen))
        thread.start()
        try:
            written = json.loads(_child("write", path, environ=environ))
            deadline = time.monotonic() + 5
            while len(seen) < EVENTS and time.monotonic() < deadline:
                time.sleep(0.01)
        finally:
            feed.stop()
            thread.join()
    if len(seen) != EVENTS:
        raise Failed(f"{EVENTS - len(seen)} events were never seen")
    return [max(0.0, seen[n] - moment) * 1e3 for n, moment in enumerate(written, 1)]


def _follow(feed: Feed, seen: dict[int, float]) -> None:
    for batch in feed.batches():
        now = time.monotonic()
        for event in batch:
            if not isinstance(event, Damaged) and event.stream == "tracker":
                seen[event.version] = now


def _watching(plan: Plan) -> list[Figure]:
    """Processor time of a subscriber to whom nothing happens."""
    path = plan.new_folder("live") / "smriti.db"
    with closing(Store(str(path), _now)) as store:
        store.prepare()
    shares = {
        name: [float(_child("watch", path, str(interval))) for _ in range(plan.rounds(2))]
        for name, interval in (("in use", ACTIVE_S), ("idle", IDLE_S))
    }
    return [
        told(
            "live", f"processor of a subscriber that waits, {name}", "%", values, budget=IDLE_BUDGET
        )
        for name, values in shares.items()
    ]


def _child(role: str, path: Path, *more: str, environ: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-m", "tests.bench.live", role, str(path), *more]
    done = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True, env=environ
    )
    return done.stdout


def _now() -> str:
    return utc_text(datetime.now(UTC))


def _write(store: Store) -> list[float]:
    """Moments at which each write had returned, by the clock that all processes share."""
    moments: list[float] = []
    for number in range(EVENTS):
        # Off the beat of the subscriber's polls.
        time.sleep(0.05 + 0.013 * (number % 7))
        store.log.append("tracker", [NewEvent("t", {"n": number})], actor="ada", door="cli")
        moments.append(time.monotonic())
    return moments


def _watch(store: Store, interval_s: float) -> float:
    feed = Feed(store, 0)
    feed.interval_s = interval_s
    thread = threading.Thread(target=_follow, args=(feed, {}))
    thread.start()
    time.sleep(1.0)
    began = time.process_time()
    time.sleep(WATCH_S)
    used = time.process_time() - began
    feed.stop()
    thread.join()
    return used / WATCH_S * 100


def main() -> None:
    role, path, *more = sys.argv[1:]
    with closing(Store(path, _now)) as store:
        print(json.dumps(_write(store)) if role == "write" else _watch(store, float(more[0])))


if __name__ == "__main__":
    main()
