"""What `log verify` finds, and what `log rebuild` mends."""

from __future__ import annotations

from typing import Any

import pytest

from smriti_tui.domain.errors import StoreBroken
from smriti_tui.domain.events import BranchOpened, SessionOpened, SpaceCreated, TurnAdded
from smriti_tui.domain.ids import BranchId, SpaceId
from smriti_tui.domain.values import sha256
from smriti_tui.store.database import Store
from smriti_tui.store.eventlog import NewEvent
from smriti_tui.store.rebuild import rebuild
from smriti_tui.store.verify import Verified, verify
from tests.store.damage import unguarded

pytestmark = pytest.mark.contract


@pytest.fixture
def filled(store: Store) -> Store:
    """Two streams of the product and an open one, five events each."""
    with store.log.write(actor="ada", door="cli") as scope:
        scope.append("space/s", SpaceCreated("alpha"))
        scope.append("space/s", BranchOpened(BranchId("b"), "main"))
        scope.append("session/t", SessionOpened("talk", SpaceId("s"), BranchId("b")))
        for n in range(1, 5):
            scope.append("session/t", TurnAdded(n, 1, "user", f"word{n}", f"word{n}"))
    events = [NewEvent("happened", {"n": n}) for n in range(5)]
    store.log.append("tracker", events, actor="ada", door="cli")
    return store


def verified(store: Store) -> Verified:
    with store.read() as tx:
        return verify(tx)


def tamper(store: Store, *statements: str) -> None:
    with unguarded(store) as connection:
        for sql in statements:
            connection.execute(sql)


def test_a_sound_store_verifies(filled: Store) -> None:
    found = verified(filled)
    assert found.difference is None
    assert (found.events, found.streams) == (13, 4)
    assert found.rows > 10


FORGED = sha256('{"n":9}')
LINE = "line (session, line, anchor, history_base_seq)"
SECOND = "stream = 'tracker' AND version = 2"
CASES: list[tuple[str, list[str], str, str]] = [
    (
        "flipped payload byte",
        [f"UPDATE event SET payload = replace(payload, '1', '7') WHERE {SECOND}"],
        "payload",
        "version 2 of tracker",
    ),
    (
        "flipped payload byte with its hash made anew",
        [f"UPDATE event SET payload = '{{\"n\":9}}', payload_sha256 = '{FORGED}' WHERE {SECOND}"],
        "chain",
        "version 2 of tracker",
    ),
    ("deleted event", [f"DELETE FROM event WHERE {SECOND}"], "version 2 of tracker", "version 3"),
    (
        "two events swapped",
        [
            "UPDATE event SET version = 99 WHERE stream = 'tracker' AND version = 2",
            "UPDATE event SET version = 2 WHERE stream = 'tracker' AND version = 3",
            "UPDATE event SET version = 3 WHERE stream = 'tracker' AND version = 99",
        ],
        "out of order",
        "tracker",
    ),
    (
        "two payloads swapped",
        [
            "CREATE TEMP TABLE kept AS SELECT version, payload, payload_sha256 FROM event "
            "WHERE stream = 'tracker' AND version IN (2, 3)",
            "UPDATE event SET payload = (SELECT payload FROM kept WHERE kept.version = "
            "5 - event.version), payload_sha256 = (SELECT payload_sha256 FROM kept WHERE "
            "kept.version = 5 - event.version) WHERE stream = 'tracker' AND version IN (2, 3)",
        ],
        "chain",
        "version 2 of tracker",
    ),
    ("changed actor", [f"UPDATE event SET actor = 'eve' WHERE {SECOND}"], "chain", "version 2"),
    ("changed row", ["UPDATE space SET name = 'beta'"], "name", "table space, key s"),
    ("added row", [f"INSERT INTO {LINE} VALUES ('t', 7, 'x', 0)"], "no event wrote", "t, 7"),
    ("removed row", ["DELETE FROM turn WHERE sequence_number = 2"], "missing", "table turn"),
    (
        "cut tail of an open stream",
        ["DELETE FROM event WHERE stream = 'tracker' AND version > 3"],
        "stream's end",
        "tracker",
    ),
    (
        "cut tail of a session",
        ["DELETE FROM event WHERE stream = 'session/t' AND version = 5"],
        "stream's end",
        "session/t",
    ),
    ("a whole stream gone", ["DELETE FROM event WHERE stream = 'tracker'"], "", "tracker"),
]


@pytest.mark.parametrize(
    ("statements", "what", "where"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_tampering_is_found_and_named(
    filled: Store, statements: list[str], what: str, where: str
) -> None:
    tamper(filled, *statements)
    difference = verified(filled).difference
    assert difference is not None
    assert what in difference.what + difference.where
    assert where in difference.what + difference.where


def test_rebuild_mends_the_tables_and_never_a_damaged_log(filled: Store) -> None:
    tamper(filled, "UPDATE space SET name = 'beta'", "DELETE FROM turn", "DELETE FROM stream_head")
    assert rebuild(filled).events == 13
    assert verified(filled).difference is None
    tamper(filled, f"UPDATE event SET payload = '{{}}' WHERE {SECOND}")
    with pytest.raises(StoreBroken, match="damaged"):
        rebuild(filled)


def test_unknown_types_are_counted_and_not_fatal(filled: Store) -> None:
    with filled.log.write(actor="ada", door="cli") as scope:
        scope.append_raw("space/s", "space.painted", {"colour": "red"})
        scope.append_raw("session/t", "turn.added", {"anything": 1}, schema_version=2)
    found = verified(filled)
    assert found.difference is None
    assert found.unknown == {"space.painted": 1, "turn.added": 1}


def test_a_rebuild_under_way_sees_what_others_append(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = filled.log.transaction

    def overtaken(*given: Any) -> Any:
        monkeypatch.undo()
        filled.log.append("tracker", [NewEvent("late", {})], actor="eve", door="cli")
        return original(*given)

    monkeypatch.setattr(filled.log, "transaction", overtaken)
    rebuild(filled)
    assert verified(filled).difference is None
