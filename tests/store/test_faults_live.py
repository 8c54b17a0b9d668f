"""What another process writes is seen within half a second, also where a commit takes long to
reach the disk: file notices come too early then."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.feed import Feed
from tests.store.shim import shim_environ

SOON_S = 0.5
WRITER = """
import json, random, sys, time
from pathlib import Path
from smriti_tui.store.eventlog import NewEvent
from tests.opening import opened_store

returned = {}
with opened_store(Path(sys.argv[1])) as store:
    for n in range(int(sys.argv[2])):
        began = time.monotonic()
        event = store.log.append("a", [NewEvent("t", {})], actor="a", door="cli")[0]
        returned[event.position] = (time.monotonic(), time.monotonic() - began)
        if n % 3 == 0:
            store.side.save_unsent("prompt/1", "me", str(n))
        time.sleep(random.random() * float(sys.argv[3]))
print(json.dumps(returned))
"""


def follow_writer(
    store: Store, environ: dict[str, str], count: int, pause_s: float
) -> tuple[dict[int, float], dict[int, tuple[float, float]], list[int]]:
    """When each position was seen, when its append returned and how long it took, and the order."""
    seen: dict[int, float] = {}
    order: list[int] = []
    feed = Feed(store, 1)

    def follow() -> None:
        for batch in feed.batches():
            for event in batch:
                order.append(event.position)
                seen[event.position] = time.monotonic()

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        done = subprocess.run(
            [sys.executable, "-c", WRITER, str(store.path), str(count), str(pause_s)],
            env=environ, capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        deadline = time.monotonic() + 2
        while len(order) < count and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        feed.stop()
        thread.join(5)
    returned = {int(k): (v[0], v[1]) for k, v in json.loads(done.stdout).items()}
    return seen, returned, order


@pytest.mark.parametrize("fsync_ms", [0, 300])
def test_another_processs_commit_is_seen_within_half_a_second(
    store: Store, tmp_path: Path, fsync_ms: int
) -> None:
    store.prepare()
    store.log.append("b", [NewEvent("t", {})], actor="a", door="cli")
    first = Feed(store, 0)
    start = len(next(first.batches()))
    count = 40 if fsync_ms == 0 else 6
    environ = dict(os.environ)
    if fsync_ms:
        environ = shim_environ(tmp_path, SHIM_FSYNC_MS=str(fsync_ms))
    seen, returned, order = follow_writer(store, environ, count, 0.1)
    assert order == sorted(set(order))
    assert [n for n in order if n > start] == sorted(returned)
    late = {n: seen[n] - returned[n][0] for n in returned if seen[n] - returned[n][0] > SOON_S}
    assert late == {}
    if fsync_ms:
        assert min(took for _, took in returned.values()) > 0.25


def test_a_commit_of_this_process_is_seen_at_once(store: Store) -> None:
    store.log.append("a", [NewEvent("t", {})], actor="a", door="cli")
    feed = Feed(store, 2)
    feed.interval_s = 5.0
    batches = feed.batches()
    threading.Timer(
        0.1, lambda: store.log.append("a", [NewEvent("t", {})], actor="a", door="cli")
    ).start()
    began = time.monotonic()
    assert [event.position for event in next(batches)] == [3]
    assert time.monotonic() - began < 2.0
    feed.stop()


def test_a_feed_sees_what_was_written_between_its_look_and_its_wait(store: Store) -> None:
    """Commits come at every moment of the poll; each is there once and in order."""
    store.log.append("a", [NewEvent("t", {})], actor="a", door="cli")
    feed = Feed(store, 0)
    feed.interval_s = 0.001
    order: list[int] = []

    def follow() -> None:
        for batch in feed.batches():
            order.extend(event.position for event in batch)

    thread = threading.Thread(target=follow)
    thread.start()
    for _ in range(300):
        store.log.append("a", [NewEvent("t", {})], actor="a", door="cli")
    deadline = time.monotonic() + 5
    while len(order) < 302 and time.monotonic() < deadline:
        time.sleep(0.01)
    feed.stop()
    thread.join(5)
    assert order == list(range(1, 303))
