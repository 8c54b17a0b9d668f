"""A database in trouble, seen from the services: the right error, nothing half-written, and an
answer that was on its way is never lost."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from smriti_tui.domain.errors import SmritiError, StoreBusy, StoreError
from smriti_tui.domain.ids import SessionId
from smriti_tui.providers.base import TextDelta
from smriti_tui.services import Services
from smriti_tui.services.chat import ChatService
from smriti_tui.store.engine import driver
from tests.services.asking import Asking, prove
from tests.store.shim import shim_environ
from tests.support import content, ended, opened_services, send


@pytest.fixture
def session(services: Services) -> SessionId:
    return services.sessions.new(services.spaces.create("alpha").id).id


async def in_the_stream(chat: ChatService, session: SessionId, act: Callable[[], object]) -> str:
    """Sends, does `act` when some words have come, and reads to the end; what arrived."""
    arrived = ""
    acted = False
    async for step in chat.send(session, "hello", model="openai/slow:delay_ms=10,tokens=60"):
        if isinstance(step, TextDelta):
            arrived += step.text
            if not acted and len(arrived.split()) > 10:
                act()
                acted = True
    return arrived


# ---- away and back -----------------------------------------------------------------------------


async def test_an_answer_whose_database_went_away_is_stored_when_it_is_back(
    asking: Asking,
) -> None:
    path = asking.services.caller.store.path
    away = path.with_name("away.db")
    with pytest.raises(StoreError) as caught:
        await in_the_stream(asking.services.chat, asking.session, lambda: path.rename(away))
    assert caught.value.code == "database_gone"
    with pytest.raises(StoreError):
        await asking.send("and?")
    away.rename(path)
    assert [turn.status for turn in asking.turns] == ["complete", "running"]
    await asking.send("and?")
    assert [turn.status for turn in asking.turns] == ["complete"] * 4
    assert asking.turns[1].text == asking.server.requests()[0]["text_sent"]
    assert [m["content"] for m in asking.received] == ["hello", asking.turns[1].text, "and?"]
    asking.proved()


async def test_a_database_away_and_back_in_mid_stream_disturbs_no_answer(asking: Asking) -> None:
    path = asking.services.caller.store.path
    away = path.with_name("away.db")

    def act() -> None:
        path.rename(away)
        threading.Timer(0.2, away.rename, (path,)).start()

    arrived = await in_the_stream(asking.services.chat, asking.session, act)
    assert (asking.turns[1].status, asking.turns[1].text) == ("complete", arrived)
    asking.proved()


async def test_a_send_to_a_database_that_is_gone_stores_nothing_and_says_so(
    services: Services, session: SessionId
) -> None:
    path = services.caller.store.path
    path.rename(path.with_name("away.db"))
    for action in (
        lambda: services.spaces.create("beta"),
        lambda: services.spaces.all(),
        lambda: services.sessions.get(session),
        lambda: services.log.verify(),
    ):
        with pytest.raises(StoreError) as caught:
            action()
        assert caught.value.code == "database_gone"
    with pytest.raises(StoreError):
        await send(services, session, "hello")
    assert not path.exists()
    path.with_name("away.db").rename(path)
    assert (await send(services, session, "hello")).status == "complete"
    prove(services)


# ---- side tables -------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["save_partial", "drop_partial", "save_model_limit"])
async def test_side_tables_that_fail_end_no_answer(
    asking: Asking, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    def fails(*given: object) -> None:
        raise StoreBusy("Busy.", "Again.")

    monkeypatch.setattr(asking.services.caller.store.side, action, fails)
    arrived = await in_the_stream(asking.services.chat, asking.session, lambda: None)
    assert (asking.turns[1].status, asking.turns[1].text) == ("complete", arrived)
    await asking.send("again")
    assert [turn.status for turn in asking.turns] == ["complete"] * 4


async def test_no_partial_answer_is_left_behind_an_end(asking: Asking) -> None:
    for _ in range(3):
        await in_the_stream(asking.services.chat, asking.session, lambda: None)
    with asking.services.caller.store.read() as tx:
        rows = tx.connection().exec_driver_sql("SELECT count(*) FROM partial").scalar()
    assert rows == 0


# ---- locked ------------------------------------------------------------------------------------


async def test_a_database_locked_for_eight_seconds_delays_a_send_and_its_end(
    services: Services, session: SessionId
) -> None:
    """P49: no word about a lock reaches anybody."""
    path = services.caller.store.path
    foreign = driver().connect(str(path), isolation_level=None, check_same_thread=False)
    foreign.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(4.0, lambda: foreign.execute("COMMIT"))
    timer.start()
    began = time.monotonic()
    turn = await send(services, session, "hello")
    assert turn.status == "complete"
    assert 3 < time.monotonic() - began < 9
    # Reading has not waited, and the loop has not stood still.
    timer.join()
    foreign.execute("BEGIN IMMEDIATE")
    services.spaces.all()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.05)
            ticks += 1

    ticking = asyncio.create_task(tick())
    threading.Timer(2.0, lambda: foreign.execute("COMMIT")).start()
    await send(services, session, "again")
    ticking.cancel()
    assert ticks > 20
    foreign.close()
    prove(services)


async def test_a_send_that_is_stopped_while_it_waits_for_the_lock_stores_nothing_or_a_stop(
    services: Services, session: SessionId
) -> None:
    path = services.caller.store.path
    foreign = driver().connect(str(path), isolation_level=None, check_same_thread=False)
    foreign.execute("BEGIN IMMEDIATE")
    task = asyncio.create_task(ended(services.chat.send(session, "hello")))
    await asyncio.sleep(0.5)
    task.cancel()
    threading.Timer(0.5, lambda: foreign.execute("COMMIT")).start()
    with suppress(asyncio.CancelledError, SmritiError):
        await task
    assert [turn.status for turn in services.sessions.turns(session)] in (
        [],
        ["complete", "stopped"],
    )
    foreign.close()
    assert (await send(services, session, "again")).status == "complete"
    prove(services)


# ---- full --------------------------------------------------------------------------------------

FULL = """
import asyncio, json, sys
from pathlib import Path
from smriti_tui.domain.errors import StoreError
from smriti_tui.providers.base import TextDelta
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.providers.demo import DemoModel
from tests.services.asking import prove
from tests.support import content, ended, opened_services, send

flag, told = Path(sys.argv[2]), []

async def attempt(awaitable):
    try:
        told.append((await awaitable).status)
    except StoreError as error:
        told.append(error.code)

async def filling(services, session):
    pieces = 0
    async for step in services.chat.send(session, "stream"):
        pieces += isinstance(step, TextDelta)
        if pieces == 3:
            flag.touch()

async def main():
    with opened_services(Path(sys.argv[1])) as services:
        space = services.spaces.create("alpha").id
        session = services.sessions.new(space).id
        await attempt(send(services, session, "before"))
        flag.touch()
        await attempt(send(services, session, "full"))
        for action in (
            lambda: services.checkpoints.create(space, content("state"), session=session),
            lambda: services.spaces.create("beta"),
            lambda: services.sessions.rename(session, "t"),
        ):
            try:
                action()
            except StoreError as error:
                told.append(error.code)
        told.append([turn.text for turn in services.sessions.turns(session)][::2])
        prove(services)
        flag.unlink()
        try:
            await filling(services, session)
        except StoreError as error:
            told.append(error.code)
        flag.unlink()
        await attempt(send(services, session, "after"))
        told.append([turn.status for turn in services.sessions.turns(session)])
        told.append(len(services.sessions.turns(session)[3].text) > 100)
        prove(services)

asyncio.run(main())
print(json.dumps(told))
"""


def test_a_full_disk_costs_nothing_that_was_typed_or_received(tmp_path: Path) -> None:
    flag = tmp_path / "full"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path), str(flag)],
        env=shim_environ(tmp_path, SHIM_FULL=str(flag)),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    full = "database_full"
    assert json.loads(done.stdout) == [
        "complete", full, full, full, full, ["before"], full,
        "complete", ["complete"] * 6, True,
    ]  # fmt: skip


# ---- damaged rows ------------------------------------------------------------------------


async def test_one_damaged_checkpoint_hides_no_other(
    services: Services, session: SessionId
) -> None:
    """P53: garbage in one row's JSON."""
    space = services.spaces.all()[0].id
    saved = [services.checkpoints.create(space, content(f"state {n}")) for n in range(3)]
    with services.caller.store.log.exclusive() as connection:
        connection.execute(
            "UPDATE checkpoint SET body = '{\"title\": 1' WHERE id = ?", (saved[0].checkpoint.id,)
        )
    assert len(services.checkpoints.of_space(space)) == 3
    assert services.checkpoints.get(saved[1].checkpoint.id).title == "state 1"
    with pytest.raises(StoreError) as caught:
        services.checkpoints.get(saved[0].checkpoint.id)
    assert caught.value.code == "row_damaged"
    faults = {check.id: check.faults for check in services.checkpoints.verify(space)}
    assert [bool(faults[each.checkpoint.id]) for each in saved] == [True, False, False]
    assert (await send(services, session, "hello")).status == "complete"
    services.log.rebuild()
    assert services.checkpoints.verify(space)[-1].faults == ()
    assert services.checkpoints.get(saved[0].checkpoint.id).title == "state 0"
    prove(services)


async def test_a_damaged_event_bars_neither_reading_nor_sending(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        session = services.sessions.new_fresh().id
        await send(services, session, "hello")
        with services.caller.store.log.exclusive() as connection:
            connection.execute("DROP TRIGGER event_never_update")
            connection.execute("UPDATE event SET payload = '{' WHERE type = 'turn.added'")
        assert services.log.verify().difference is not None
        assert services.sessions.turns(session)[0].text == "hello"
        assert (await send(services, session, "again")).status == "complete"
