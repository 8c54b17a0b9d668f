"""The write door itself: what a failed first write leaves, and how the write-ahead file is kept."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, StoreBusy
from smriti_tui.domain.ids import STORE_STREAM
from smriti_tui.store import lock
from smriti_tui.store.database import Store
from smriti_tui.store.engine import WAL_BYTES
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import read_all, read_stream
from smriti_tui.store.verify import verify


def append(store: Store, text: str) -> StoredEvent:
    return store.log.append("a", [NewEvent("t", {"text": text})], actor="ada", door="cli")[0]


def test_a_failed_first_write_leaves_the_origin_to_the_next(store: Store) -> None:
    with pytest.raises(Conflict), store.log.write(actor="ada", door="cli"):
        raise Conflict("Refused.")
    written = append(store, "x")
    with store.read() as tx:
        events = [event for event in read_all(tx) if isinstance(event, StoredEvent)]
        assert verify(tx).difference is None
    assert [event.stream for event in events] == [STORE_STREAM, "a"]
    assert events[0].body()["origin"] == written.origin


def test_the_write_ahead_file_is_overwritten_in_place(store: Store) -> None:
    wal = store.path.with_name(f"{store.path.name}-wal")
    for _ in range(150):
        append(store, "x" * 100_000)
    assert 3_000_000 < wal.stat().st_size < WAL_BYTES + 300_000
    with store.read() as tx:
        assert len(list(read_stream(tx, "a"))) == 150


def test_a_reader_that_stays_keeps_its_state_and_the_file_comes_back(store: Store) -> None:
    wal = store.path.with_name(f"{store.path.name}-wal")
    append(store, "first")
    with store.read() as tx:
        assert len(list(read_stream(tx, "a"))) == 1
        for _ in range(100):
            append(store, "x" * 100_000)
        grown = wal.stat().st_size
        assert len(list(read_stream(tx, "a"))) == 1
    for _ in range(5):
        append(store, "y")
    assert grown > 2 * WAL_BYTES
    assert wal.stat().st_size <= WAL_BYTES
    with store.read() as tx:
        assert len(list(read_stream(tx, "a"))) == 106
        assert verify(tx).difference is None


@pytest.fixture(params=["alarm", "thread"])
def waiting(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both ways to wait: an alarm that is somebody else's is left to them."""
    if request.param == "thread":
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    yield request.param
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_an_interrupted_wait_leaves_the_lock_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: str
) -> None:
    path = tmp_path / "x.lock"
    holder, waiter, later = lock.WriteLock(path), lock.WriteLock(path), lock.WriteLock(path)
    holder.acquire(1.0)

    def interrupt() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(lock, "STEP_S", 0.01)
    with pytest.raises(KeyboardInterrupt):
        waiter.acquire(5.0, interrupt)
    holder.release()
    later.acquire(5.0)
    later.release()
    waiter.acquire(5.0)
    waiter.release()
    for each in (holder, waiter, later):
        each.close()


def test_a_wait_ends_in_its_time_and_leaves_no_alarm(tmp_path: Path, waiting: str) -> None:
    before = signal.getsignal(signal.SIGALRM)
    holder, waiter = lock.WriteLock(tmp_path / "x.lock"), lock.WriteLock(tmp_path / "x.lock")
    holder.acquire(1.0)
    began = time.monotonic()
    with pytest.raises(StoreBusy):
        waiter.acquire(0.3)
    assert 0.25 < time.monotonic() - began < 5
    threading.Timer(0.3, holder.release).start()
    waiter.acquire(30.0)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    waiter.release()
    for each in (holder, waiter):
        each.close()


def test_threads_wait_beside_the_main_one(tmp_path: Path) -> None:
    holder, waiter = lock.WriteLock(tmp_path / "x.lock"), lock.WriteLock(tmp_path / "x.lock")
    holder.acquire(1.0)
    told: list[str] = []

    def wait() -> None:
        try:
            waiter.acquire(0.2)
        except StoreBusy:
            told.append("busy")
        waiter.acquire(30.0)
        told.append("got")
        waiter.release()

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.6)
    holder.release()
    thread.join(30)
    assert told == ["busy", "got"]
    for each in (holder, waiter):
        each.close()
