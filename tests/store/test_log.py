"""Appending and reading: versions, expected versions, repeats, batches, damage."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from smriti_tui.domain.errors import Conflict, Invalid, StoreError, VersionConflict
from smriti_tui.domain.events import SpaceCreated
from smriti_tui.domain.ids import new_event_id, new_id
from smriti_tui.store.database import Store
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import Damaged, read_all, read_stream, streams
from tests.opening import opened_store
from tests.store.damage import drop_guards

pytestmark = pytest.mark.contract


def append(store: Store, stream: str, *payloads: dict[str, object], **more: object) -> list[int]:
    events = [NewEvent("happened", payload) for payload in payloads]
    stored = store.log.append(stream, events, actor="ada", door="cli", **more)  # type: ignore[arg-type]
    return [event.version for event in stored]


def versions(store: Store, stream: str, after: int = 0, limit: int | None = None) -> list[int]:
    with store.read() as tx:
        return [event.version for event in read_stream(tx, stream, after, limit)]


def test_streams_count_apart_and_without_gaps(store: Store) -> None:
    assert [append(store, name, {"n": 1}) for name in "abab"] == [[1], [1], [2], [2]]
    assert versions(store, "a") == versions(store, "b") == [1, 2]
    with store.read() as tx:
        mine = [event.stream for event in read_all(tx) if event.stream != "store"]
        assert [info.version for info in streams(tx) if info.name in "ab"] == [2, 2]
    assert mine == ["a", "b", "a", "b"]


def test_the_envelope_carries_who_where_and_a_chain(store: Store) -> None:
    append(store, "a", {"n": 1}, {"n": 2})
    with store.read() as tx:
        one, two = [event for event in read_stream(tx, "a") if isinstance(event, StoredEvent)]
    assert (one.actor, one.door, one.type, one.body()) == ("ada", "cli", "happened", {"n": 1})
    assert one.correlation_id == two.correlation_id
    assert one.chain_sha256 != two.chain_sha256
    assert len(one.recorded_at) == len("2026-03-02T14:05:09.123456Z")


def test_expected_versions(store: Store) -> None:
    assert append(store, "a", {}, expected_version=0) == [1]
    with pytest.raises(VersionConflict) as caught:
        append(store, "a", {}, expected_version=0)
    assert (caught.value.actual, caught.value.details["expected"]) == (1, 0)
    with pytest.raises(VersionConflict):
        append(store, "a", {}, {}, {}, expected_version=999)
    assert versions(store, "a") == [1]
    assert append(store, "a", {}, {}, expected_version=1) == [2, 3]


def test_a_repeated_event_gives_the_first_result(store: Store) -> None:
    new = NewEvent("happened", {"n": 1}, event_id=new_event_id())
    first = store.log.append("a", [new], actor="ada", door="cli", expected_version=0)
    append(store, "a", {"n": 2})
    again = store.log.append("a", [new], actor="ada", door="cli", expected_version=0)
    assert again == first
    other = NewEvent("happened", {"n": 3}, event_id=new.event_id)
    with pytest.raises(Conflict) as caught:
        store.log.append("a", [other], actor="ada", door="cli")
    assert caught.value.code == "event_id"
    assert versions(store, "a") == [1, 2]


def test_a_repeated_command_writes_nothing(store: Store) -> None:
    command = new_id()
    assert append(store, "a", {"n": 1}, {"n": 2}, command_id=command) == [1, 2]
    assert append(store, "a", {"n": 1}, {"n": 2}, command_id=command) == [1, 2]
    assert versions(store, "a") == [1, 2]


@pytest.mark.parametrize("stream", ["", "A", "a b", "x" * 81, "../x", "a\n", "-a", "ü", "*"])
def test_stream_names_are_restricted(store: Store, stream: str) -> None:
    with pytest.raises(Invalid):
        append(store, stream, {})


@pytest.mark.parametrize("stream", ["store", "space/x", "session/1", "claims/1", "worktrees/1"])
def test_the_products_own_streams_are_closed(store: Store, stream: str) -> None:
    with pytest.raises(Invalid, match="product's own"):
        append(store, stream, {})


@pytest.mark.parametrize("actor", ["", "  ", "\0"])
def test_an_actor_is_required(store: Store, actor: str) -> None:
    with pytest.raises(Invalid):
        store.log.append("a", [NewEvent("t", {})], actor=actor, door="cli")


def test_bad_events_leave_nothing_behind(store: Store) -> None:
    good = NewEvent("t", {})
    for bad in (NewEvent(" ", {}), NewEvent("t", {"x": float("nan")}), NewEvent("t", {}, "no")):
        with pytest.raises(Invalid):
            store.log.append("a", [good, bad], actor="ada", door="cli")
    assert versions(store, "a") == []


def test_a_failing_command_undoes_all_of_it_and_the_next_one_works(store: Store) -> None:
    def fails() -> None:
        with store.log.write(actor="ada", door="cli") as scope:
            scope.append("space/1", SpaceCreated("x"))
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        fails()
    with store.read() as tx:
        assert tx.connection().execute(text("SELECT count(*) FROM space")).scalar() == 0
    assert append(store, "a", {}) == [1]


def test_paging(store: Store) -> None:
    many: list[dict[str, object]] = [{"n": i} for i in range(1200)]
    append(store, "a", *many)
    assert versions(store, "a") == list(range(1, 1201))
    assert versions(store, "a", 7, 3) == [8, 9, 10]
    assert versions(store, "a", 1200) == versions(store, "nothing") == []
    with store.read() as tx:
        positions = [event.position for event in read_all(tx, 1, 700)]
    assert positions == list(range(2, 702))


def test_events_never_change(store: Store) -> None:
    append(store, "a", {})
    with store.log.exclusive() as connection:
        for sql in ("UPDATE event SET actor = 'eve'", "DELETE FROM event"):
            with pytest.raises(store.log.errors, match="never change"):
                connection.execute(sql)


def test_a_foreign_insert_cannot_take_a_version_twice(store: Store) -> None:
    append(store, "a", {})
    copy = "INSERT INTO event SELECT position + 1000, 'x', origin, stream, version, type, "
    rest = (
        "schema_version, payload, actor, door, recorded_at, 'c', null, payload_sha256, "
        "chain_sha256 FROM event"
    )
    with store.log.exclusive() as connection, pytest.raises(store.log.errors, match=r"(?i)unique"):
        connection.execute(copy + rest)


def test_reading_sessions_cannot_write(store: Store) -> None:
    append(store, "a", {})
    with pytest.raises(StoreError), store.read() as tx:
        tx.connection().execute(text("DELETE FROM stream_head"))


def test_damaged_rows_are_reported_and_hide_nothing(store: Store) -> None:
    append(store, "a", {"n": 1}, {"n": 2}, {"n": 3})
    with store.log.exclusive() as connection:
        drop_guards(store, connection, "event_never_update")
        connection.execute("UPDATE event SET payload = '{\"n\"' WHERE stream = 'a' AND version = 2")
    with store.read() as tx:
        found = list(read_stream(tx, "a"))
    assert [event.version for event in found] == [1, 2, 3]
    assert isinstance(found[1], Damaged)
    assert found[1].stream == "a"
    assert append(store, "a", {}, expected_version=3) == [4]


def test_threads_share_one_door(store: Store) -> None:
    def work() -> None:
        for n in range(50):
            append(store, "a", {"n": n})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert versions(store, "a") == list(range(1, 201))


def test_asking_a_missing_store_creates_nothing(tmp_path: Path) -> None:
    with opened_store(tmp_path / "new" / "smriti.db") as store:
        assert versions(store, "a") == []
        assert not (tmp_path / "new").exists()
        append(store, "a", {})
        assert versions(store, "a") == [1]
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "smriti.db").stat().st_mode & 0o777 == 0o600


def test_a_closed_store_can_be_used_again(store: Store) -> None:
    append(store, "a", {})
    store.close()
    store.close()
    assert append(store, "a", {}) == [2]
    assert versions(store, "a") == [1, 2]


@pytest.mark.file
def test_the_write_ahead_file_does_not_grow_without_limit(store: Store) -> None:
    store.prepare()
    wal = store.path.with_name(store.path.name + "-wal")
    sizes = []
    for n in range(150):
        append(store, "a", {"n": n, "text": "x" * 100_000})
        sizes.append(wal.stat().st_size)
    assert max(sizes) < 6 * 1024 * 1024
