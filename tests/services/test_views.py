"""Views over a real store: snapshots save time, and never change or hide anything."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.values import sha256
from smriti_tui.domain.views.snapshot import snapshot_text
from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent
from smriti_tui.services.views import EVERY, Folded
from smriti_tui.store.engine import driver
from tests.support import opened_services


def create(services: Services, *keys: str) -> None:
    services.log.append("tracker", [NewEvent("item_created", {"id": key}) for key in keys])


def update(services: Services, key: str, **fields: object) -> None:
    services.log.append("tracker", [NewEvent("item_updated", {"id": key, **fields})])


def tamper(services: Services, sql: str, *values: object) -> list[Any]:
    with closing(driver().connect(str(services.caller.store.path))) as connection, connection:
        return list(connection.execute(sql, values))


def same(services: Services, found: Folded) -> None:
    """The fold is that of the whole log."""
    assert tamper(services, "SELECT view FROM view_snapshot"), "there is nothing to compare with"
    tamper(services, "DELETE FROM view_snapshot")
    whole = services.views.project(found.view.name)
    assert snapshot_text(whole.state) == snapshot_text(found.state)
    assert (whole.versions, whole.position) == (found.versions, found.position)


def test_a_snapshot_and_what_came_after_are_the_whole(services: Services) -> None:
    create(services, "a", "b", "c")
    assert services.views.project("tracker").read == 3
    services.views.snapshot("tracker")
    assert services.views.project("tracker").read == 0
    update(services, "b", title="B")
    services.log.append("tracker", [NewEvent("unheard.of", {}), NewEvent("item_created", {})])
    found = services.views.project("tracker")
    assert (found.read, found.unfit, found.versions) == (3, [], {"tracker": 6})
    assert found.state.skipped == {"unknown type": {"unheard.of": 1}, "no id": {"item_created": 1}}
    same(services, found)


def test_the_newest_that_fits_is_the_base(services: Services) -> None:
    for key in "abcde":
        create(services, key)
        services.views.snapshot("tracker")
    kept = tamper(services, "SELECT position FROM view_snapshot ORDER BY 1")
    newest = [position for (position,) in kept]
    assert len(newest) == 3
    assert services.views.project("tracker").read == 0
    tamper(services, "UPDATE view_snapshot SET body = body || ' ' WHERE position = ?", newest[-1])
    found = services.views.project("tracker")
    assert found.read == 1
    assert [(each.position, "corrupt" in each.reason) for each in found.unfit] == [
        (newest[-1], True)
    ]
    tamper(services, "UPDATE view_snapshot SET body = 'x', sha256 = 'y'")
    found = services.views.project("tracker")
    assert (found.read, len(found.unfit)) == (5, 3)
    same(services, found)


def test_one_that_another_log_made_is_not_used(services: Services) -> None:
    create(services, "a", "b")
    services.views.snapshot("tracker")
    [(text,)] = tamper(services, "SELECT body FROM view_snapshot")
    forged = text.replace('"id":"a"', '"id":"z"')
    assert forged != text
    tamper(
        services,
        "UPDATE view_snapshot SET body = ?, sha256 = ?, event_id = 'other'",
        forged,
        sha256(forged),
    )
    found = services.views.project("tracker")
    assert (found.read, "does not stand" in found.unfit[0].reason) == (2, True)
    tamper(services, "UPDATE view_snapshot SET position = 999")
    assert services.views.project("tracker").read == 2
    same(services, services.views.project("tracker"))


def test_other_rules_and_other_views_have_their_own(services: Services) -> None:
    create(services, "a")
    services.views.snapshot("tracker")
    tamper(services, "UPDATE view_snapshot SET projector = projector + 1")
    assert services.views.project("tracker").read == 1
    tamper(services, "UPDATE view_snapshot SET projector = 1, view = 'buildlog'")
    assert services.views.project("tracker").read == 1


def test_two_streams_are_folded_in_the_order_of_the_log(services: Services) -> None:
    def phase(stream: str, type_name: str, word: str) -> None:
        services.log.append(stream, [NewEvent(type_name, {"phase": word})])

    phase("orchestrator_status", "phase_changed", "one")
    phase("meta", "phase_set", "two")
    services.views.snapshot("orchestrator_status")
    assert services.views.project("orchestrator_status").state.head["phase"] == "two"
    phase("orchestrator_status", "phase_changed", "three")
    phase("meta", "phase_set", "four")
    found = services.views.project("orchestrator_status")
    assert (found.state.head["phase"], found.read) == ("four", 2)
    assert found.versions == {"meta": 2, "orchestrator_status": 2}
    same(services, found)


def test_a_snapshot_is_kept_by_itself_now_and_then(services: Services) -> None:
    create(services, *(f"i{number}" for number in range(EVERY - 1)))
    assert services.views.project("tracker").read == EVERY - 1
    create(services, "last")
    assert services.views.project("tracker").read == 0
    update(services, "i7", title="seven")
    found = services.views.project("tracker")
    assert found.read == 1
    assert found.state.items.get("i7") == {"id": "i7", "title": "seven"}
    same(services, found)


def test_an_unreadable_event_is_counted_and_hides_no_other(services: Services) -> None:
    create(services, "a", "b", "c")
    tamper(services, "DROP TRIGGER event_never_update")
    tamper(services, "UPDATE event SET payload = '[]' WHERE stream = 'tracker' AND version = 2")
    found = services.views.project("tracker")
    assert list(found.state.items) == ["a", "c"]
    assert found.state.skipped == {"unreadable": {"?": 1}}


def test_what_is_not_there_is_empty_and_makes_no_file(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        found = services.views.project("tracker")
        assert (len(found.state.items), found.position) == (0, 0)
        services.views.snapshot("agent_traces")
        with pytest.raises(NotFound, match="no view 'nope'"):
            services.views.project("nope")
        assert not services.caller.store.path.exists()


def test_the_past_has_its_own_fold_and_keeps_no_snapshot(services: Services) -> None:
    from smriti_tui.store.database import Store

    create(services, "a")
    position = services.views.position("tracker", 1)
    create(services, "b")
    services.views.snapshot("tracker")
    store = services.caller.store
    past = Store(str(store.path), store.now, at=position)
    then: Any = type(services.views)(type(services.caller)(past, "ada", "cli"))
    try:
        found = then.project("tracker")
        assert (list(found.state.items), found.unfit) == (["a"], [])
        with pytest.raises(Invalid):
            then.snapshot("tracker")
    finally:
        past.close()
    with pytest.raises(NotFound, match="no version 9"):
        services.views.position("tracker", 9)
