"""The tracker's write door: what is refused writes nothing."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import new_id
from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent
from tests.services.asking import Beside

pytestmark = pytest.mark.contract


def events(services: Services) -> list[str]:
    return [event.type for event in services.log.read("tracker")]  # type: ignore[union-attr]


def test_a_title_is_enough(services: Services) -> None:
    item = services.tracking.create("  Measure it ")
    assert {**item, "id": "", "created_at": ""} == {
        "id": "", "title": "Measure it", "priority": "P1", "status": "todo", "lane": "proposed",
        "source": "ada", "tags": [], "notes": "", "pr_link": None, "created_at": "",
        "completed_at": None,
    }  # fmt: skip
    assert len(item["id"]) == 12
    assert item["created_at"].endswith("Z")
    own = services.tracking.create("T", key="t-1", extra={"points": 3})
    assert own["points"] == 3
    assert [each["id"] for each in services.tracking.items()] == [item["id"], "t-1"]


@pytest.mark.parametrize("key", ["a/b", "a\\b", "..", "a*", "a?", "[a]", "a b", "a\n", "x" * 81])
def test_what_cannot_be_is_refused_and_writes_nothing(services: Services, key: str) -> None:
    for title in ("", "  \n"):
        with pytest.raises(Invalid):
            services.tracking.create(title)
    with pytest.raises(Invalid):
        services.tracking.create("T", key=key)
    with pytest.raises(NotFound):
        services.tracking.change("x", {"title": "T"})
    with pytest.raises(NotFound):
        services.tracking.archive("x")
    services.tracking.create("T", key="a")
    with pytest.raises(Conflict, match="already"):
        services.tracking.create("U", key="a")
    for fields in ({"title": ""}, {"title": None}, {"id": "b"}):
        with pytest.raises(Invalid):
            services.tracking.change("a", fields)
    assert events(services) == ["item_created"]


def test_a_note_stands_below_those_before_in_one_event(services: Services) -> None:
    services.tracking.create("T", key="a", notes="first")
    item = services.tracking.set_status("a", "done", "second")
    assert (item["notes"], item["status"]) == ("first\nsecond", "done")
    assert item["completed_at"]
    assert events(services) == ["item_created", "item_updated"]
    assert services.tracking.set_status("a", "done") == item
    assert events(services) == ["item_created", "item_updated"], "nothing changed, nothing written"


def test_what_is_closed_is_opened_only_on_purpose(services: Services) -> None:
    services.tracking.create("T", key="a")
    services.tracking.set_status("a", "done")
    with pytest.raises(Conflict, match="closed"):
        services.tracking.change("a", {"status": "in-progress"})
    assert services.tracking.set_status("a", "rejected")["status"] == "rejected"
    assert services.tracking.change("a", {"title": "U"})["title"] == "U"
    again = services.tracking.change("a", {"status": "todo", "lane": "ranked"}, reopen=True)
    assert again["status"] == "todo"
    assert services.views.project("tracker").state.head["reopened"] == ["a"]
    assert services.tracking.archive("a") == services.tracking.archive("a")
    with pytest.raises(Conflict):
        services.tracking.set_status("a", "todo")


def test_an_item_of_another_hand_has_what_it_has(services: Services) -> None:
    odd: dict[str, Any] = {"id": "a", "notes": ["?"], "status": 3, "lane": None}
    services.log.append("tracker", [NewEvent("item_created", odd)])
    assert services.tracking.set_status("a", "done", "said")["notes"] == "said"


def test_a_repeated_command_changes_nothing(services: Services) -> None:
    command = new_id()
    first = services.tracking.create("T", command_id=command)
    assert services.tracking.create("U", command_id=command) == first
    change = new_id()
    services.tracking.change(first["id"], {"lane": "ranked"}, note="n", command_id=change)
    services.tracking.change(first["id"], {"lane": "done"}, note="m", command_id=change)
    assert services.tracking.get(first["id"])["notes"] == "n"
    assert events(services) == ["item_created", "item_updated"]


def test_of_many_who_take_one_id_one_gets_it(services: Services, beside: Beside) -> None:
    told: list[str] = []

    def take(name: str) -> None:
        with beside(actor=name) as own:
            try:
                told.append(str(own.tracking.create("T", key="one")["source"]))
            except Conflict:
                told.append("")

    threads = [threading.Thread(target=take, args=(f"a{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(filter(None, told))) == 1
    assert events(services) == ["item_created"]
