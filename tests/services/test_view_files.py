"""Files of views on disk: never a half one, never over an edit, never twice."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound, SmritiError
from smriti_tui.domain.ids import new_id
from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent
from tests.support import opened_services


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out" / "tracker.json"


@pytest.fixture
def filled(services: Services, path: Path) -> Services:
    path.parent.mkdir()
    for number in range(3):
        services.tracking.create(f"Item {number}", key=f"t{number}")
    services.tracking.set_status("t1", "done")
    return services


def edit(path: Path, **fields: object) -> None:
    read = json.loads(path.read_text())
    read["items"][0].update(fields)
    path.write_text(json.dumps(read))


def count(services: Services) -> int:
    return services.log.last_position()


def test_an_export_is_whole_and_the_same_again(filled: Services, path: Path) -> None:
    first = filled.view_files.write("tracker", path)
    before = path.stat()
    again = filled.view_files.write("tracker", path)
    assert (first.changed, again.changed) == (True, False)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert filled.view_files.difference("tracker", path) == []
    for number in range(5):
        filled.tracking.change("t0", {"priority": f"P{number}"})
        filled.view_files.write("tracker", path)
    assert json.loads(path.read_text())["items"][0]["priority"] == "P4"
    assert [each.name for each in path.parent.iterdir()] == ["tracker.json"]
    assert filled.view_files.difference("tracker", path) == []


def test_an_edit_is_never_overwritten_unseen(filled: Services, path: Path) -> None:
    filled.view_files.write("tracker", path)
    edit(path, title="by hand")
    kept, events = path.read_bytes(), count(filled)
    filled.tracking.change("t2", {"title": "meanwhile"})
    with pytest.raises(Conflict) as refused:
        filled.view_files.write("tracker", path)
    assert refused.value.code == "file_edited"
    assert {"found", "wanted"} <= set(refused.value.details)
    assert path.read_bytes() == kept
    assert count(filled) == events + 1, "what was appended stays"
    filled.view_files.ingest("tracker", path.read_text(), path=path)
    assert filled.tracking.get("t0")["title"] == "by hand"
    assert filled.view_files.write("tracker", path).changed
    assert json.loads(path.read_text())["items"][2]["title"] == "Item 2"


def test_a_file_of_before_is_not_an_edit_only_where_it_is_known(
    filled: Services, path: Path
) -> None:
    path.write_text("{}")
    with pytest.raises(Conflict):
        filled.view_files.write("tracker", path)
    path.write_bytes(b"\xff")
    with pytest.raises(Conflict, match="cannot be read"):
        filled.view_files.write("tracker", path)
    path.write_text("{}")
    assert filled.view_files.write("tracker", path, force=True).changed
    with pytest.raises(NotFound):
        filled.view_files.write("tracker", path.parent / "none" / "x.json")
    with pytest.raises(NotFound):
        filled.view_files.difference("tracker", path.parent / "x.json")
    with pytest.raises(SmritiError):
        filled.view_files.write("tracker", path.parent)


def test_ingest_into_an_empty_store_gives_the_same_file(
    filled: Services, path: Path, tmp_path: Path
) -> None:
    filled.view_files.write("tracker", path)
    text = path.read_text()
    with opened_services(tmp_path / "other") as other:
        done = other.view_files.ingest("tracker", text)
        assert dict(done.counts) == {"created": 3}
        assert [event.type for event in done.events][-1] == "tracker_ingested"
        assert done.events[-1].body()["sha256"] == done.sha256
        assert other.view_files.text("tracker") == text
        before = count(other)
        for _ in range(100):
            assert other.view_files.ingest("tracker", text).events == []
        assert count(other) == before
        assert other.log.verify().difference is None


def test_a_bad_item_leaves_nothing_behind(filled: Services) -> None:
    before = count(filled)
    good = [{"id": f"n{number}", "title": "T"} for number in range(5)]
    good[2].pop("id")
    with pytest.raises(Invalid, match="Item 3"):
        filled.view_files.ingest("tracker", json.dumps({"items": good}))
    assert count(filled) == before


def test_one_edited_field_is_one_event_and_a_dry_run_none(filled: Services, path: Path) -> None:
    filled.view_files.write("tracker", path)
    edit(path, priority="P0")
    before = count(filled)
    dry = filled.view_files.ingest("tracker", path.read_text(), dry_run=True)
    assert (dict(dry.counts), list(dry.events), count(filled)) == ({"updated": 1}, [], before)
    done = filled.view_files.ingest("tracker", path.read_text())
    assert done.events[0].body() == {"id": "t0", "priority": "P0"}
    assert count(filled) == before + 2


def test_two_who_take_one_file_in_write_it_once(filled: Services) -> None:
    folder = filled.caller.store.path.parent
    text = json.dumps({"items": [{"id": f"n{number}", "title": "T"} for number in range(20)]})
    done: list[int] = []

    def take() -> None:
        with opened_services(folder) as own:
            done.append(len(own.view_files.ingest("tracker", text).events))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 0, 0, 21]


def test_a_lost_log_is_recovered_from_its_last_export(services: Services, tmp_path: Path) -> None:
    def tell(type_name: str, **payload: object) -> None:
        services.log.append("orchestrator_status", [NewEvent(type_name, payload)])

    tell("phase_changed", phase="build", reason="the plan is settled")
    tell("next_steps_updated", steps=["measure", "write"])
    tell("decision_locked", key="db", value="sqlite", justification="one file")
    text = services.view_files.text("orchestrator_status")
    with opened_services(tmp_path / "new") as other:
        other.view_files.ingest("orchestrator_status", text)
        assert other.view_files.text("orchestrator_status") == text
        assert other.view_files.ingest("orchestrator_status", text).events == []
        other.log.append("orchestrator_status", [NewEvent("phase_changed", {"phase": "test"})])
        head = other.views.project("orchestrator_status").state.head
        assert (head["phase"], head["next_steps"]) == ("test", ["measure", "write"])


def test_what_agents_alone_write_is_not_taken_in(services: Services) -> None:
    with pytest.raises(Invalid, match="agents alone"):
        services.view_files.ingest("agent_traces", "{}")
    with pytest.raises(NotFound):
        services.view_files.text("nope")
    with pytest.raises(Invalid, match="smriti export"):
        services.view_files.text("space:abcd")
    assert not services.caller.store.path.exists()


def test_a_repeated_ingest_tells_what_the_first_one_did(filled: Services) -> None:
    text, command = json.dumps({"items": [{"id": "n", "title": "T"}]}), new_id()
    first = filled.view_files.ingest("tracker", text, command_id=command)
    again = filled.view_files.ingest("tracker", text, command_id=command)
    assert (dict(again.counts), again.events) == (dict(first.counts), first.events)
