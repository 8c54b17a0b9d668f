"""Damage below the level of rows: values of another type, bytes that are no text, lost guards.

A proof has to name where it failed; a driver's error about "a column" helps nobody."""

from __future__ import annotations

import pytest

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.domain.events import BranchOpened, SpaceCreated
from smriti_tui.domain.ids import BranchId
from smriti_tui.store.database import Store
from smriti_tui.store.dialect import rows_of
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.readlog import Damaged, read_all, read_stream
from smriti_tui.store.rebuild import rebuild
from smriti_tui.store.verify import Difference, verify
from tests.store.damage import drop_guards, unguarded

SECOND = "WHERE stream = 'tracker' AND version = 2"
NO_TEXT = "CAST(x'7b22ff227d' AS TEXT)"
"""Five bytes that are stored as text and are none."""


SLY = {
    "sqlite": "CREATE TRIGGER sly AFTER INSERT ON space BEGIN UPDATE space SET name = 'x'; END",
    "postgresql": "CREATE TRIGGER sly AFTER INSERT ON space EXECUTE FUNCTION event_never()",
}

pytestmark = pytest.mark.contract


@pytest.fixture
def filled(store: Store) -> Store:
    with store.log.write(actor="ada", door="cli") as scope:
        scope.append("space/s", SpaceCreated("alpha"))
        scope.append("space/s", BranchOpened(BranchId("b"), "main"))
    events = [NewEvent("happened", {"n": n}) for n in range(3)]
    store.log.append("tracker", events, actor="ada", door="cli")
    return store


def tamper(store: Store, *statements: str) -> None:
    with unguarded(store) as connection:
        for sql in statements:
            connection.execute(sql)


def difference(store: Store) -> Difference | None:
    with store.read() as tx:
        return verify(tx).difference


@pytest.mark.file
@pytest.mark.parametrize("column", ["payload", "actor", "type", "recorded_at", "chain_sha256"])
@pytest.mark.parametrize("value", ["x'00ff'", NO_TEXT], ids=["blob", "no text"])
def test_a_value_of_another_type_is_named_with_its_event(
    filled: Store, column: str, value: str
) -> None:
    tamper(filled, f"UPDATE event SET {column} = {value} {SECOND}")
    found = difference(filled)
    assert found is not None
    assert column in found.what
    assert "version 2 of tracker" in found.where
    with pytest.raises(StoreBroken, match="version 2 of tracker"):
        rebuild(filled)


@pytest.mark.file
@pytest.mark.parametrize("value", ["x'00ff'", NO_TEXT], ids=["blob", "no text"])
def test_a_row_that_is_no_text_is_named_with_its_table(filled: Store, value: str) -> None:
    tamper(filled, f"UPDATE space SET name = {value}")
    found = difference(filled)
    assert found is not None
    assert "table space" in found.where
    rebuild(filled)
    assert difference(filled) is None


@pytest.mark.file
@pytest.mark.parametrize("value", ["x'00ff'", NO_TEXT], ids=["blob", "no text"])
@pytest.mark.parametrize("column", ["payload", "actor"])
def test_neighbours_of_a_damaged_row_are_read(filled: Store, column: str, value: str) -> None:
    tamper(filled, f"UPDATE event SET {column} = {value} {SECOND}")
    with filled.read() as tx:
        stream = list(read_stream(tx, "tracker"))
        everything = list(read_all(tx))
    assert [event.version for event in stream] == [1, 2, 3]
    assert [isinstance(event, Damaged) for event in stream] == [False, True, False]
    assert sum(isinstance(event, Damaged) for event in everything) == 1


@pytest.mark.file
def test_a_stream_whose_name_is_no_text_is_named_by_its_event(filled: Store) -> None:
    tamper(filled, f"UPDATE event SET stream = {NO_TEXT} {SECOND}")
    found = difference(filled)
    assert found is not None
    assert found.where.startswith("event 5")


# ---- the guards of the log ----------------------------------------------------------------------


def test_the_guards_are_those_of_the_migration(filled: Store) -> None:
    with filled.read() as tx:
        found = dict(map(tuple, rows_of(tx, filled.dialect.triggers)))
    assert found == filled.dialect.guards
    assert difference(filled) is None


def test_a_lost_guard_is_named_and_rebuild_puts_it_back(filled: Store) -> None:
    with filled.log.exclusive() as connection:
        drop_guards(filled, connection, "event_never_update")
    found = difference(filled)
    assert found is not None
    assert "event_never_update" in found.where
    rebuild(filled)
    assert difference(filled) is None


def test_a_trigger_of_another_hand_is_named_and_rebuild_takes_it_away(filled: Store) -> None:
    with filled.log.exclusive() as connection:
        connection.execute(SLY[filled.dialect.name])
    found = difference(filled)
    assert found is not None
    assert "sly" in found.where
    rebuild(filled)
    assert difference(filled) is None


def test_a_database_that_does_not_say_its_schema_is_damaged_not_empty(filled: Store) -> None:
    with filled.log.exclusive() as connection:
        connection.execute("DELETE FROM alembic_version")
    filled.close()
    with pytest.raises(StoreBroken) as caught, filled.read():
        pass
    assert caught.value.code == "database_corrupt"


@pytest.mark.file
def test_a_damaged_list_of_tables_is_told_as_damage(filled: Store) -> None:
    filled.close()
    data = filled.path.read_bytes()
    # A page that was split still holds what went to another one.
    filled.path.write_bytes(
        data.replace(b"triggerevent_never_delete", b"trigger\xffvent_never_delete")
    )
    with pytest.raises(StoreBroken) as caught, filled.read():
        pass
    assert caught.value.code == "database_corrupt"
