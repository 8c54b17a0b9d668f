"""What only a server brings: roles, restarts, NOTIFY, the order of late commits."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from smriti_tui.domain.errors import Conflict, Invalid, StoreBroken, StoreError
from smriti_tui.domain.events import SpaceCreated
from smriti_tui.domain.ids import new_event_id
from smriti_tui.store import schema
from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.feed import Feed
from smriti_tui.store.health import check, facts
from smriti_tui.store.readlog import read_all
from smriti_tui.store.verify import verify
from tests.opening import opened_store, ticking_clock
from tests.postgres import Server, own_server
from tests.store.cutting import cut_at

SOON_S = 10.0


@pytest.fixture
def url(server_of_run: Server) -> Iterator[str]:
    """A database with the tables."""
    with server_of_run.database("made") as found:
        yield found


@pytest.fixture
def bare(server_of_run: Server) -> Iterator[str]:
    """A database with nothing in it."""
    with server_of_run.database() as found:
        yield found


def named(url: str) -> str:
    """The database of a URL."""
    return url.partition("@/")[2].partition("?")[0]


def append(store: Store, *numbers: int) -> list[int]:
    events = [NewEvent("t", {"n": number}) for number in numbers]
    return [e.position for e in store.log.append("a", events, actor="ada", door="cli")]


def positions(store: Store) -> list[int]:
    with store.read() as tx:
        return [event.position for event in read_all(tx)]


# ---- the order of positions is the order of commits ---------------------------------------------


def test_a_writer_that_commits_late_is_never_stepped_over(url: str) -> None:
    """200 random schedules: writers that rest before they commit or undo, readers that page."""
    dice = random.Random(7)
    seen: list[int] = []
    written = [0]
    done = threading.Event()

    def follow() -> None:
        with opened_store(url) as store:
            feed = Feed(store, 0)
            feed.interval_s = 0.001
            for batch in feed.batches():
                seen.extend(event.position for event in batch)
                if done.is_set() and len(seen) >= written[0] + 1:
                    feed.stop()

    def write(plan: tuple[int, float, bool]) -> None:
        count, rest_s, fails = plan
        store = stores.pop()
        try:
            with store.log.write(actor="ada", door="cli") as scope:
                for number in range(count):
                    scope.append_raw("a", "t", {"n": number})
                    time.sleep(rest_s / count)
                if fails:
                    raise Invalid("no", "")
        except Invalid:
            pass
        finally:
            stores.append(store)

    stores = [Store(url, ticking_clock()) for _ in range(4)]
    plans = [
        (dice.randint(1, 4), dice.choice((0.0, 0.0, 0.004)), dice.random() < 0.2)
        for _ in range(200)
    ]
    reader = threading.Thread(target=follow)
    reader.start()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, plans))
    written[0] = 1 + sum(count for count, _, fails in plans if not fails)
    done.set()
    append(stores[0], 1)
    reader.join(SOON_S)
    committed = positions(stores[0])
    for store in stores:
        store.close()
    assert seen == committed == list(range(1, written[0] + 2))


def test_what_was_undone_leaves_no_gap(url: str) -> None:
    with opened_store(url) as store:
        append(store, 1)

        def fails() -> None:
            with store.log.write(actor="ada", door="cli") as scope:
                scope.append("space/s", SpaceCreated("x"))
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fails()
        assert append(store, 2) == [3]


def test_another_process_wakes_a_slow_poll(url: str) -> None:
    with opened_store(url) as store, opened_store(url) as other:
        append(store, 1)
        feed = Feed(store, 2)
        feed.interval_s = 60
        came: list[float] = []

        def follow() -> None:
            feed.watch(lambda reason: None)
            for _ in feed.batches():
                came.append(time.monotonic())

        thread = threading.Thread(target=follow)
        thread.start()
        while not store.pause_s(0.01) > 0.5:  # it listens
            time.sleep(0.01)
        began = time.monotonic()
        append(other, 2)
        while not came and time.monotonic() < began + SOON_S:
            time.sleep(0.005)
        feed.stop()
        thread.join(SOON_S)
        assert came[0] - began < 0.9  # the poll alone would come after a second


# ---- restarts -----------------------------------------------------------------------------------


def test_a_restart_of_the_server_loses_nothing() -> None:
    with own_server() as server, server.database() as url, opened_store(url) as store:
        append(store, 1)
        store.side.save_unsent("prompt/1", "me", "half a thought")
        feed = Feed(store, 0)
        seen: list[int] = []
        away: list[bool] = []

        def follow() -> None:
            feed.watch(lambda reason: None)
            for batch in feed.batches(lambda error: away.append(error is not None)):
                seen.extend(event.position for event in batch)

        thread = threading.Thread(target=follow)
        thread.start()
        server.stop("fast")
        for use in (lambda: append(store, 2), lambda: positions(store), lambda: _save(store)):
            with pytest.raises(StoreBroken) as caught:
                use()
            assert caught.value.code == "database_unreachable"
        server.start()
        _save(store)
        assert append(store, 3) == [3]
        assert [held.text for held in store.side.unsent("prompt/1")] == ["a whole thought"]
        end = time.monotonic() + SOON_S
        while seen != [1, 2, 3] and time.monotonic() < end:
            time.sleep(0.02)
        feed.stop()
        thread.join(SOON_S)
        assert seen == [1, 2, 3]
        assert away[0] is True
        assert away[-1] is False


def _save(store: Store) -> None:
    store.side.save_unsent("prompt/1", "me", "a whole thought")


def test_a_server_that_vanishes_before_the_commit_leaves_nothing_behind() -> None:
    with own_server() as server, server.database() as url, opened_store(url) as store:
        append(store, 1)

        def fails() -> None:
            with store.log.write(actor="ada", door="cli") as scope:
                scope.append("space/s", SpaceCreated("x"))
                server.stop()

        with pytest.raises(StoreError):
            fails()
        server.start()
        assert append(store, 2) == [3]
        with store.read() as tx:
            assert verify(tx).difference is None


def test_a_restart_between_two_writes_is_not_even_noticed() -> None:
    with own_server() as server, server.database() as url, opened_store(url) as store:
        append(store, 1)
        server.stop("fast")
        server.start()
        assert append(store, 2) == [3]
        assert positions(store) == [1, 2, 3]


@pytest.mark.parametrize("arrives", [True, False])
def test_a_line_cut_in_a_commit_neither_doubles_nor_loses(
    url: str, server_of_run: Server, tmp_path: Path, arrives: bool
) -> None:
    """What the server stored though its word was lost is told as stored, without a second try."""
    with cut_at(tmp_path, server_of_run.folder, b"COMMIT", arrives=arrives) as line:
        through = url.replace(str(server_of_run.folder), str(tmp_path))
        with opened_store(through) as store:
            append(store, 1)
            line.armed = True
            if arrives:
                assert append(store, 2) == [3]
            else:
                with pytest.raises(StoreBroken) as caught:
                    append(store, 2)
                assert caught.value.code == "database_unreachable"
            assert line.cuts == 1
            assert positions(store) == ([1, 2, 3] if arrives else [1, 2])
            assert append(store, 3) == ([4] if arrives else [3])


# ---- schema -------------------------------------------------------------------------------------


def test_asking_an_empty_database_changes_nothing(bare: str, server_of_run: Server) -> None:
    with opened_store(bare) as store:
        assert positions(store) == []
        assert not store.exists()
        assert facts(store).fault is None
    name = named(bare)
    assert server_of_run.admin("SELECT 1 FROM pg_class WHERE relname = 'event'", name) == []


def test_eight_that_make_the_tables_at_once_all_come_out_well(bare: str) -> None:
    def make(number: int) -> int:
        with opened_store(bare) as store:
            return append(store, number)[0]

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(make, range(8))) == list(range(2, 10))


def test_two_that_migrate_at_once_both_come_out_well(bare: str, server_of_run: Server) -> None:
    """The newest script runs on a database of before: its tables are as the models have them."""
    name = named(bare)
    with opened_store(bare) as store:
        append(store, 1)
    fresh = _shape(server_of_run, name)
    for sql in (
        "DROP TABLE imported_thread, imported_thread_past, imported_turn",
        "UPDATE alembic_version SET version_num = '0013'",
    ):
        server_of_run.admin(sql, name)
    with opened_store(bare) as store, pytest.raises(StoreBroken) as caught, store.read():
        pass
    assert caught.value.code == "database_older"

    def use(number: int) -> None:
        with opened_store(bare) as store:
            append(store, number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(use, range(4)))
    assert _shape(server_of_run, name) == fresh
    assert server_of_run.admin("SELECT version_num FROM alembic_version", name) == [(schema.HEAD,)]


def _shape(server: Server, name: str) -> list[tuple[object, ...]]:
    return server.admin(
        "SELECT table_name, column_name, data_type, collation_name, is_nullable "
        "FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
        name,
    )


def test_what_is_not_ours_or_newer_is_refused(bare: str, server_of_run: Server) -> None:
    name = named(bare)
    server_of_run.admin("CREATE TABLE theirs (id int)", name)
    with opened_store(bare) as store:
        uses: list[Callable[[], object]] = [lambda: append(store, 1), lambda: positions(store)]
        for use in uses:
            with pytest.raises(StoreBroken) as caught:
                use()
            assert caught.value.code == "database_not_ours"
    server_of_run.admin("DROP TABLE theirs", name)
    with opened_store(bare) as store:
        append(store, 1)
    server_of_run.admin("UPDATE alembic_version SET version_num = '9999'", name)
    with opened_store(bare) as store, pytest.raises(StoreBroken) as caught:
        append(store, 2)
    assert caught.value.code == "database_newer"


def test_a_schema_of_its_own_in_a_database_of_others(bare: str, server_of_run: Server) -> None:
    name = named(bare)
    for sql in ("CREATE TABLE theirs (id int)", "CREATE SCHEMA smriti"):
        server_of_run.admin(sql, name)
    with opened_store(f"{bare}&options=-csearch_path%3Dsmriti") as store:
        assert append(store, 1) == [2]
        with store.read() as tx:
            assert verify(tx).difference is None
            assert check(store) == []
    with Store(f"{bare}&options=-csearch_path%3Dsmriti", ticking_clock(), at=1).read() as tx:
        assert tx.connection().execute(text("SELECT count(*) FROM event")).scalar() == 1


# ---- texts, names, rights -----------------------------------------------------------------------


def test_nul_and_lone_surrogates_are_repaired_as_everywhere(url: str) -> None:
    with opened_store(url) as store:
        (event,) = store.log.append(
            "a", [NewEvent("t\0", {"x": "a\0b\ud800"})], actor="a\0da", door="cli"
        )
        assert event.body() == {"repaired": {"nul": 1, "surrogates": 1}, "x": "ab\ufffd"}
        store.side.save_unsent("prompt/\0", "me", "a\0b\ud800")
        assert store.side.unsent("prompt/\0")[0].text == "ab\ufffd"
        with store.read() as tx:
            assert verify(tx).difference is None


def test_a_password_is_never_shown() -> None:
    store = Store("postgresql+psycopg://ada:s3cret@127.0.0.1:1/x?sslmode=disable", lambda: "")
    with pytest.raises(StoreBroken) as caught:
        store.exists()
    assert caught.value.code == "database_unreachable"
    assert store.name == "postgresql://ada@127.0.0.1:1/x"
    assert "s3cret" not in f"{caught.value} {caught.value.hint}"


def test_a_missing_database_or_user_is_named(server_of_run: Server) -> None:
    for url, code in (
        (server_of_run.url("nowhere"), "database_missing"),
        (server_of_run.url("made", user="nobody_known"), "database_refused"),
    ):
        with pytest.raises(StoreBroken) as caught:
            Store(url, lambda: "").exists()
        assert caught.value.code == code


README = Path(__file__).parents[2] / "README.md"


def grants(**roles: str) -> list[str]:
    """What the README has the owner say, with other names for the roles."""
    block = re.search(r"```sql\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    text = block[1]
    for known, name in roles.items():
        text = text.replace(known, name)
    return [sql.replace(";", "") for sql in text.splitlines()]


def test_roles_that_the_readme_gives(url: str, server_of_run: Server) -> None:
    name = named(url)
    roles = f"r_{name}", f"w_{name}"
    for sql in grants(smriti_read=roles[0], smriti_append=roles[1]):
        server_of_run.admin(sql, name)
    for role in roles:
        server_of_run.admin(f"ALTER ROLE {role} LOGIN")
    try:
        reader = Store(server_of_run.url(name, roles[0]), ticking_clock())
        writer = Store(server_of_run.url(name, roles[1]), ticking_clock())
        assert append(writer, 1) == [2]
        assert positions(reader) == [1, 2]
        assert writer.writable()
        assert not reader.writable()
        with pytest.raises(StoreBroken) as caught:
            append(reader, 2)
        assert caught.value.code == "database_read_only"
        with psycopg.connect(
            server_of_run.url(name, roles[1]).replace("+psycopg", ""), autocommit=True
        ) as sly:
            for sql in ("UPDATE event SET actor = 'eve'", "DELETE FROM event", "DROP TABLE event"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    sly.execute(sql)
        for store in (reader, writer):
            store.close()
    finally:
        for role in roles:
            server_of_run.admin(f"DROP OWNED BY {role}", name)
            server_of_run.admin(f"DROP ROLE {role}")


def test_a_repeated_event_is_told_from_another_one(url: str) -> None:
    with opened_store(url) as store, opened_store(url) as other:
        new = NewEvent("t", {"n": 1}, event_id=new_event_id())
        first = store.log.append("a", [new], actor="ada", door="cli")
        assert other.log.append("a", [new], actor="ada", door="cli") == first
        with pytest.raises(Conflict):
            other.log.append("a", [NewEvent("t", {}, new.event_id)], actor="ada", door="cli")
