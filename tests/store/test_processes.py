"""Several processes on one database: nothing lost, no gap, no lock error, and a fair queue."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time

import pytest

from smriti_tui.domain.errors import StoreBusy
from smriti_tui.store import eventlog
from smriti_tui.store.database import Store
from smriti_tui.store.engine import driver
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.feed import Feed
from smriti_tui.store.readlog import read_stream
from smriti_tui.store.verify import verify

pytestmark = pytest.mark.contract

WRITER = """
import json, sys
from smriti_tui.domain.errors import VersionConflict
from smriti_tui.store.eventlog import NewEvent
from tests.opening import opened_store
place, name, count, expected = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
told = []
with opened_store(place) as store:
    store.prepare()
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(count):
        try:
            event = store.log.append("tracker", [NewEvent("t", {"id": f"{name}-{n}"})],
                                     actor=name, door="cli", expected_version=expected)[0]
            told.append([event.version, f"{name}-{n}"])
        except VersionConflict as error:
            told.append([None, error.actual])
print(json.dumps(told))
"""


def start_writers(
    place: str, count: int, each: int, expected: int | None = None
) -> list[list[list[object]]]:
    """What each of `count` writers was told."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, place, f"w{i}", str(each), json.dumps(expected)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for i in range(count)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    outputs = []
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        out, err = writer.communicate(timeout=120)
        assert err == ""
        outputs.append(json.loads(out))
    return outputs


def test_eight_writers_lose_nothing(store: Store, backend: str) -> None:
    store.prepare()
    told = [pair for each in start_writers(backend, 8, 40) for pair in each]
    with store.read() as tx:
        stored = [e for e in read_stream(tx, "tracker") if isinstance(e, StoredEvent)]
        assert verify(tx).difference is None
    assert [event.version for event in stored] == list(range(1, 321))
    assert sorted(told, key=str) == sorted(([e.version, e.body()["id"]] for e in stored), key=str)


def test_of_five_that_expect_one_version_exactly_one_writes(store: Store, backend: str) -> None:
    store.log.append("tracker", [NewEvent("t", {})], actor="ada", door="cli")
    told = [each[0] for each in start_writers(backend, 5, 1, expected=1)]
    won = [pair for pair in told if pair[0] is not None]
    assert len(won) == 1
    assert [pair for pair in told if pair not in won] == [[None, 2]] * 4


@pytest.mark.file
def test_a_foreign_lock_is_waited_for(store: Store) -> None:
    store.prepare()
    foreign = driver().connect(str(store.path), isolation_level=None, check_same_thread=False)
    foreign.execute("BEGIN IMMEDIATE")
    threading.Timer(1.0, lambda: foreign.execute("COMMIT")).start()
    began = time.monotonic()
    store.log.append("a", [NewEvent("t", {})], actor="ada", door="cli")
    assert time.monotonic() - began > 0.5
    foreign.close()


def test_a_wait_ends_with_busy_and_can_be_cancelled(
    store: Store, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.prepare()
    monkeypatch.setattr(eventlog, "WAIT_S", 0.3)
    with Store(backend, store.now).log.exclusive():
        with pytest.raises(StoreBusy):
            store.log.append("a", [NewEvent("t", {})], actor="ada", door="cli")
        monkeypatch.setattr(eventlog, "WAIT_S", 60.0)
        began = time.monotonic()
        with (
            pytest.raises(StoreBusy),
            store.log.write(actor="ada", door="cli", cancelled=lambda: True),
        ):
            pass
        assert time.monotonic() - began < 2
    store.log.append("a", [NewEvent("t", {})], actor="ada", door="cli")
    with store.read() as tx:
        assert len(list(read_stream(tx, "a"))) == 1


def test_a_subscriber_sees_each_event_once_in_order(store: Store, backend: str) -> None:
    store.log.append(
        "tracker", [NewEvent("t", {"id": f"b{n}"}) for n in range(1000)], actor="a", door="cli"
    )
    feed = Feed(store, 0)
    seen: list[int] = []

    def follow() -> None:
        for batch in feed.batches():
            seen.extend(event.position for event in batch)

    thread = threading.Thread(target=follow)
    thread.start()
    start_writers(backend, 2, 50)
    store.log.append("tracker", [NewEvent("t", {"id": "own"})], actor="a", door="cli")
    deadline = time.monotonic() + 10
    while len(seen) < 1102 and time.monotonic() < deadline:
        time.sleep(0.01)
    feed.stop()
    thread.join(5)
    assert seen == list(range(1, 1103))


def test_a_subscriber_goes_on_from_its_position(store: Store) -> None:
    store.log.append("a", [NewEvent("t", {}) for _ in range(5)], actor="a", door="cli")
    feed = Feed(store, 3)
    batch = next(iter(feed.batches()))
    assert [event.position for event in batch] == [4, 5, 6]
    assert feed.position == 6
