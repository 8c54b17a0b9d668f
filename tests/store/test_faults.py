"""A database that goes away, comes back, is replaced, is full, read-only or damaged: the right
error, and nothing half-written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.domain.errors import StoreBroken, StoreBusy, StoreError
from smriti_tui.store.database import Store
from smriti_tui.store.engine import driver
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.feed import Feed
from smriti_tui.store.readlog import read_stream
from smriti_tui.store.verify import verify
from tests.opening import opened_store
from tests.store.shim import shim_environ


def append(store: Store, text: str = "x") -> int:
    event = NewEvent("happened", {"text": text})
    return store.log.append("a", [event], actor="ada", door="cli")[0].version


def versions(store: Store) -> list[int]:
    with store.read() as tx:
        assert verify(tx).difference is None
        return [event.version for event in read_stream(tx, "a")]


def code(action: object, *given: object) -> str:
    with pytest.raises(StoreError) as caught:
        action(*given)  # type: ignore[operator]
    assert caught.value.hint
    assert caught.value.exit_code == 6
    return caught.value.code


# ---- gone, back, replaced ----------------------------------------------------------------------


def test_what_is_written_while_the_file_is_moved_away_is_refused_not_lost(store: Store) -> None:
    append(store)
    away = store.path.with_name("away.db")
    store.path.rename(away)
    assert code(append, store) == "database_gone"
    assert code(versions, store) == "database_gone"
    assert code(store.side.save_unsent, "prompt/1", "me", "text") == "database_gone"
    assert not store.path.exists()
    away.rename(store.path)
    assert append(store) == 2
    store.side.save_unsent("prompt/1", "me", "text")
    assert store.side.unsent("prompt/1")[0].text == "text"
    assert versions(store) == [1, 2]


def test_a_deleted_database_is_not_made_anew_without_a_word(store: Store) -> None:
    append(store)
    for name in ("", "-wal", "-shm"):
        store.path.with_name(store.path.name + name).unlink(missing_ok=True)
    assert code(append, store) == "database_gone"
    assert not store.path.exists()
    store.close()
    assert code(append, store) == "database_gone"
    with opened_store(store.path) as fresh:
        assert append(fresh) == 1


def test_a_folder_that_is_gone_and_back(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    with opened_store(folder / "smriti.db") as deep:
        append(deep)
        folder.rename(tmp_path / "elsewhere")
        assert code(append, deep) == "database_gone"
        assert not folder.exists()
        (tmp_path / "elsewhere").rename(folder)
        assert append(deep) == 2
        assert versions(deep) == [1, 2]


def test_a_database_put_in_the_place_of_another_is_the_one_that_is_used(
    store: Store, tmp_path: Path
) -> None:
    append(store)
    append(store)
    with opened_store(tmp_path / "other.db") as other:
        append(other)
    store.path.rename(tmp_path / "old.db")
    for name in ("-wal", "-shm"):
        beside = store.path.with_name(store.path.name + name)
        if beside.exists():
            beside.rename(tmp_path / f"old.db{name}")
    (tmp_path / "other.db").rename(store.path)
    assert versions(store) == [1]
    assert append(store) == 2
    with store.read() as tx:
        origins = {event.origin for event in read_stream(tx, "a")}  # type: ignore[union-attr]
    assert len(origins) == 1
    with opened_store(tmp_path / "old.db") as old:
        assert versions(old) == [1, 2]


def test_a_feed_tells_that_the_file_is_away_and_back_and_skips_nothing(store: Store) -> None:
    append(store)
    feed = Feed(store, 0)
    feed.interval_s = 0.02
    seen: list[int] = []
    told: list[str | None] = []

    def follow() -> None:
        for batch in feed.batches(lambda error: told.append(error.code if error else None)):
            seen.extend(event.position for event in batch)

    thread = threading.Thread(target=follow)
    thread.start()
    wait_until(lambda: seen == [1, 2])
    away = store.path.with_name("away.db")
    store.path.rename(away)
    wait_until(lambda: "database_gone" in told)
    away.rename(store.path)
    wait_until(lambda: told[-1] is None)
    append(store)
    wait_until(lambda: seen == [1, 2, 3])
    feed.stop()
    thread.join(5)
    assert not thread.is_alive()


def test_a_feed_follows_a_shorter_backup_that_is_put_back(store: Store, tmp_path: Path) -> None:
    append(store)
    store.close()
    backup = tmp_path / "backup.db"
    backup.write_bytes(store.path.read_bytes())
    for _ in range(5):
        append(store)
    feed = Feed(store, 0)
    feed.interval_s = 0.02
    batches = feed.batches()
    assert len(next(batches)) == 7
    for name in ("-wal", "-shm"):
        store.path.with_name(store.path.name + name).unlink(missing_ok=True)
    backup.rename(store.path)
    with opened_store(store.path) as another:
        threading.Timer(0.3, append, (another, "after")).start()
        batch = next(batches)
        assert [event.position for event in batch] == [3]
        feed.stop()


def wait_until(holds: object, within_s: float = 5.0) -> None:
    deadline = time.monotonic() + within_s
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.01)


# ---- full, read-only, damaged ------------------------------------------------------------------

FULL = """
import json, sys
from pathlib import Path
from smriti_tui.domain.errors import StoreError
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import read_stream
from smriti_tui.store.verify import verify
from tests.opening import opened_store

flag, told = Path(sys.argv[2]), []

def attempt(action):
    try:
        action()
        told.append("done")
    except StoreError as error:
        told.append(error.code)

with opened_store(Path(sys.argv[1])) as store:
    def append(size=10):
        store.log.append("a", [NewEvent("t", {"x": "x" * size})], actor="a", door="cli")
    attempt(append)
    flag.touch()
    attempt(append)
    attempt(lambda: append(3_000_000))
    attempt(lambda: store.side.save_unsent("prompt/1", "me", "text"))
    with store.read() as tx:
        told.append(len(list(read_stream(tx, "a"))))
        told.append(verify(tx).difference is None)
    flag.unlink()
    attempt(append)
    attempt(lambda: append(3_000_000))
    attempt(lambda: store.side.save_unsent("prompt/1", "me", "text"))
    with store.read() as tx:
        told.append([event.version for event in read_stream(tx, "a")])
        told.append(verify(tx).difference is None)
print(json.dumps(told))
"""


def test_a_full_disk_is_named_and_nothing_is_half_written(tmp_path: Path) -> None:
    flag = tmp_path / "full"
    environ = shim_environ(tmp_path, SHIM_FULL=str(flag))
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "smriti.db"), str(flag)],
        env=environ, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    full = "database_full"
    assert json.loads(done.stdout) == [
        "done", full, full, full, 1, True, "done", "done", "done", [1, 2, 3], True,
    ]  # fmt: skip


READ_ONLY = """
import json, os, sys
from pathlib import Path
from smriti_tui.domain.errors import StoreError
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import read_stream
from tests.opening import opened_store

# Everything that is imported late must be there before the folders above are out of reach.
import smriti_tui.store.migrations
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
told = []
with opened_store(Path(sys.argv[1])) as store:
    try:
        with store.read() as tx:
            told.append(len(list(read_stream(tx, "a"))))
    except StoreError as error:
        told.append(error.code)
    try:
        store.log.append("a", [NewEvent("t", {})], actor="a", door="cli")
    except StoreError as error:
        told.append(error.code)
print(json.dumps(told))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user of the machine can reach. It is none of pytest's: each run of
    pytest that begins bars others from the folder in which all runs have theirs."""
    folder = Path(tempfile.mkdtemp(prefix="smriti-open-"))
    folder.chmod(0o711)
    yield folder
    for place in (folder, folder / "data"):
        place.chmod(0o700)
    shutil.rmtree(folder)


@pytest.mark.parametrize("what", ["file", "folder", "folder without lock", "empty folder"])
def test_a_read_only_database_is_read_and_writing_says_why(open_folder: Path, what: str) -> None:
    path = open_folder / "data" / "smriti.db"
    if what == "empty folder":
        path.parent.mkdir()
    else:
        with opened_store(path) as store:
            append(store)
        for file in path.parent.iterdir():
            file.chmod(0o444)
    if what == "folder without lock":
        path.with_name("smriti.db.lock").unlink()
    path.parent.chmod(0o777 if what == "file" else 0o555)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(path)],
        capture_output=True, text=True, timeout=60, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = 0 if what == "empty folder" else 1
    assert json.loads(done.stdout) == [found, "database_read_only"]
    if found:
        path.parent.chmod(0o755)
        with opened_store(path) as store:
            path.chmod(0o600)
            assert append(store) == 2


def test_a_damaged_page_is_named_and_the_log_stays_as_it_is(store: Store) -> None:
    for n in range(200):
        append(store, f"{n} " + "x" * 500)
    store.close()
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        for at in range(4096 * 3, size, 4096 * 2):
            file.seek(at)
            file.write(b"\xff" * 512)
    before = store.path.read_bytes()
    assert code(versions, store) == "database_corrupt"
    assert code(append, store) == "database_corrupt"
    assert len(store.path.read_bytes()) == len(before)


@pytest.mark.parametrize("content", [b"hello, no database at all" * 400, b"SQLite format 3\0" * 99])
def test_a_file_that_is_no_database_is_left_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "smriti.db"
    path.write_bytes(content)
    with opened_store(path) as store:
        assert code(versions, store) in ("database_not_ours", "database_corrupt")
        assert code(append, store) in ("database_not_ours", "database_corrupt")
    assert path.read_bytes() == content


def test_a_folder_in_the_place_of_the_database(tmp_path: Path) -> None:
    (tmp_path / "smriti.db").mkdir()
    with opened_store(tmp_path / "smriti.db") as store:
        assert code(append, store).startswith("database")


# ---- locked ------------------------------------------------------------------------------------


def test_a_foreign_writer_of_eight_seconds_is_waited_for(store: Store) -> None:
    """P49. Reading goes on meanwhile, side tables give up at once and quietly for their caller."""
    append(store)
    foreign = driver().connect(str(store.path), isolation_level=None, check_same_thread=False)
    foreign.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(8.0, lambda: foreign.execute("COMMIT"))
    timer.start()
    began = time.monotonic()
    done: list[int] = []
    writer = threading.Thread(target=lambda: done.append(append(store)))
    writer.start()
    time.sleep(0.2)
    assert versions(store) == [1]
    with pytest.raises(StoreBusy):
        store.side.save_unsent("prompt/1", "me", "text")
    writer.join(20)
    assert done == [2]
    assert 7 < time.monotonic() - began < 9.5
    timer.join()
    foreign.close()
    assert versions(store) == [1, 2]


def test_a_transaction_that_cannot_be_undone_bars_no_later_one(store: Store) -> None:
    append(store)

    def broken() -> None:
        with store.log.exclusive() as connection:
            connection.execute("BEGIN IMMEDIATE")
            raise StoreBroken("The disk failed.")

    with pytest.raises(StoreBroken):
        broken()
    assert append(store) == 2
