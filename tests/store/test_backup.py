"""A backup is whole or not there, takes no other file's place, and holds nothing deleted."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, StoreError
from smriti_tui.store import health
from smriti_tui.store.backends import copied
from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.verify import verify
from tests.opening import opened_store

COPIER = """
import sys
from pathlib import Path
from smriti_tui.store import health
from tests.opening import opened_store
with opened_store(sys.argv[1]) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    health.backup(store, Path(sys.argv[2]))
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened_store(tmp_path / "smriti.db") as opened:
        opened.prepare()
        yield opened


def started(code: str, *arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def restored(copy: Path) -> int:
    """How many events a copy holds, proved whole, and that one can go on writing in it."""
    assert copy.stat().st_mode & 0o777 == 0o600
    with opened_store(copy) as store:
        with store.read() as tx:
            assert store.check(tx) == []
            found = verify(tx)
        store.log.append("after", [NewEvent("t", {})], actor="me", door="cli")
        with store.read() as tx:
            assert verify(tx).difference is None
    assert found.difference is None
    return found.events


def test_what_is_there_stays(store: Store, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    nowhere = tmp_path / "link.db"
    nowhere.symlink_to(tmp_path / "missing.db")
    for target in (there, nowhere, store.path, tmp_path):
        with pytest.raises(Conflict):
            health.backup(store, target)
    assert there.read_text() == "mine"
    assert nowhere.is_symlink()
    assert not nowhere.exists()
    with pytest.raises(StoreError):
        health.backup(store, tmp_path / "no folder" / "copy.db")
    assert list(tmp_path.glob(".*")) == []


def test_of_two_to_one_name_one_is_told(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    processes = [started(COPIER, str(store.path), str(target)) for _ in range(2)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sorted(bool(process.wait()) for process in processes) == [False, True]
    restored(target)
    assert list(tmp_path.glob(".*")) == []


def test_a_disk_without_links_does(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refused)
    target = tmp_path / "copy.db"
    health.backup(store, target)
    restored(target)
    with pytest.raises(Conflict):
        copied.copy_file(store.path, target)


def test_what_was_deleted_is_not_in_it(store: Store, tmp_path: Path) -> None:
    store.side.save_unsent("prompt/x", "p", "the forgotten words " * 500)
    store.side.save_unsent("prompt/x", "p", "")
    store.log.append("tracker", [NewEvent("t", {"id": "a"})], actor="ada", door="cli")
    target = tmp_path / "copy.db"
    health.backup(store, target)
    store.close()
    assert b"forgotten" in store.path.read_bytes()
    assert b"forgotten" not in target.read_bytes()


def killed(store: Store, folder: Path, times: int) -> None:
    events = [NewEvent("t", {"n": n, "x": "x" * 2_000}) for n in range(3_000)]
    store.log.append("tracker", events, actor="ada", door="cli")
    started_at = time.monotonic()
    health.backup(store, folder / "first.db")
    took = time.monotonic() - started_at
    target = folder / "copy.db"
    for number in range(times):
        process = started(COPIER, str(store.path), str(target))
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        with suppress(subprocess.TimeoutExpired):
            process.wait(took * 1.5 * number / times)
        process.kill()
        process.wait()
        if target.exists():
            assert restored(target) == 3_001
            target.unlink()
    health.backup(store, target)
    assert list(folder.glob(".*")) == []


def test_one_that_is_killed_is_whole_or_absent(store: Store, tmp_path: Path) -> None:
    killed(store, tmp_path, 4)


@pytest.mark.faults
def test_many_that_are_killed_are_whole_or_absent(store: Store, tmp_path: Path) -> None:
    killed(store, tmp_path, 40)
