"""The wake-up by changed files (P75): early, for one folder alone; nothing is lost without it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
import watchfiles

from smriti_tui.domain.events import SpaceCreated
from smriti_tui.store.database import Store
from smriti_tui.store.feed import Feed
from smriti_tui.store.watching import FileWatch
from tests.opening import opened_store

LONG_S = 10.0
MANY = 20_000


def write(store: Store, name: str) -> None:
    with store.log.write(actor="ada", door="cli") as scope:
        scope.append(f"space/{name}", SpaceCreated(name))


def test_a_slow_poll_is_woken_by_another_process_of_the_same_folder(tmp_path: Path) -> None:
    path = tmp_path / "smriti.db"
    with opened_store(path) as store, opened_store(path) as other:
        write(store, "first")
        feed = Feed(store, 0)
        feed.interval_s = LONG_S * 10
        seen: list[str] = []
        came = threading.Event()

        def follow() -> None:
            feed.watch(seen.append)
            for batch in feed.batches():
                if any(event.stream == "space/second" for event in batch):
                    came.set()

        thread = threading.Thread(target=follow)
        thread.start()
        deadline = time.monotonic() + LONG_S
        while not came.is_set() and time.monotonic() < deadline:
            if not came.wait(0.5):
                write(other, "second" if not came.is_set() else "more")
                break
        assert came.wait(LONG_S)
        feed.stop()
        thread.join(LONG_S)
        assert not thread.is_alive()
        assert seen == []


def test_the_limit_of_watches_is_told_once_and_the_poll_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    told: list[str] = []
    with opened_store(tmp_path / "smriti.db") as store:
        write(store, "first")
        feed = Feed(store, 0)
        feed.watch(told.append)
        batches = feed.batches()
        assert [event.stream for event in next(batches)] == ["store", "space/first"]
        write(store, "second")
        assert [event.stream for event in next(batches)] == ["space/second"]
        deadline = time.monotonic() + LONG_S
        while not told and time.monotonic() < deadline:  # It is told on a thread of its own.
            time.sleep(0.01)
        feed.stop()
        assert list(batches) == []
    assert told == ["OS file watch limit reached"]


def test_a_folder_with_many_files_costs_no_more(tmp_path: Path) -> None:
    path = tmp_path / "smriti.db"
    for number in range(MANY):
        (tmp_path / str(number)).touch()
    woken = threading.Event()
    failed: list[str] = []
    with opened_store(path) as store:
        write(store, "first")
        watch = FileWatch(path, woken.set, failed.append)
        start = time.process_time()
        watch.start()
        deadline = time.monotonic() + LONG_S
        number = 0
        while not woken.wait(0.2) and time.monotonic() < deadline:
            number += 1
            write(store, f"s{number}")
        assert woken.is_set()
        assert time.process_time() - start < 2
        watch.stop()
    assert failed == []
