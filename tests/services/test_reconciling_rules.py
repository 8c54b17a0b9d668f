"""Settings and items that two stores both changed come to one state, and each field is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent, StoredEvent
from smriti_tui.services.reconciling import ReconcileService
from tests.services.merging_stores import apart, merged, sound, told
from tests.support import content, opened_services

Pair = tuple[Services, Services]


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """Copies of a store with a Space, a branch, a claim and a tracker."""
    with opened_services(tmp_path / "base") as services:
        space = services.spaces.create("alpha").id
        saved = services.checkpoints.create(space, content("first", "D")).checkpoint
        services.forking.from_checkpoint(saved.id, branch="idea")
        services.claims.take(space, "the parser")
        services.tracking.create("write it", key="T1")
        services.log.append("notes", [NewEvent("said", {"n": 1})])
    with apart(tmp_path / "base", "one", "two") as (one, two):
        yield one, two


def read(services: Services, stream: str) -> list[StoredEvent]:
    return [each for each in services.log.read(stream) if isinstance(each, StoredEvent)]


def both_ways(one: Services, two: Services) -> None:
    merged(one, two)
    merged(two, one)
    assert told(one) == told(two)
    for services, other in ((one, two), (two, one)):
        position = services.log.last_position()
        merged(services, other)
        # What the other one settled meanwhile may come; nothing is settled once more.
        since = [
            each.type
            for each in services.log.read(None, position)
            if isinstance(each, StoredEvent) and each.actor == services.caller.actor
        ]
        assert set(since) <= {"log.merged", "space.joined"}
    sound(one, two)


def test_the_later_change_of_a_setting_is_taken_and_both_are_told(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    one.spaces.change(space, name="ours", description="only ours")
    two.spaces.change(space, name="theirs")
    two.branches.rename(space, "idea", "plan")
    done = merged(one, two)
    [kept] = done.settled
    assert kept.settled.conflicts == {
        "name": {"base": "alpha", "ours": "ours", "theirs": "theirs", "taken": "theirs"}
    }
    for services in (one, two):
        both_ways(one, two)
        found = services.spaces.get(space)
        assert (found.name, found.description) == ("theirs", "only ours")
        assert sorted(each.name for each in services.spaces.branches(space)) == ["main", "plan"]
    one.spaces.change(space, name="last")
    both_ways(two, one)
    assert two.spaces.get(space).name == "last"


def test_a_space_that_one_deleted_and_the_other_went_on_with_stays(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    saved = one.checkpoints.create(space, content("on", "E")).checkpoint
    two.spaces.delete(space, force=True)
    done = merged(one, two)
    [kept] = done.settled
    assert kept.settled.conflicts["deleted"]["taken"] == "ours"
    assert one.checkpoints.get(saved.id).title == "on"
    sound(one)


def test_of_two_ends_of_a_claim_the_first_one_counts(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    [claim] = one.claims.of_space(space)
    one.claims.end(claim.id, "done")
    two.claims.end(claim.id, "abandoned")
    both_ways(one, two)
    for services in (one, two):
        [claim] = services.claims.of_space(space, every=True)
        assert claim.status == "done"


def test_the_tracker_comes_to_one_state_field_by_field(pair: Pair) -> None:
    one, two = pair
    one.tracking.change("T1", {"title": "ours", "notes": "n"})
    two.tracking.change("T1", {"title": "theirs", "priority": "P0"})
    two.tracking.create("another", key="T2")
    done = merged(one, two)
    assert [each.what for each in done.settled] == ["tracker item T1", "tracker item T2"]
    assert done.settled[0].settled.conflicts["title"]["taken"] == "theirs"
    assert [(each.family, each.parent) for each in done.apart] == [("tracker", "tracker")]
    merged(two, one)
    for services in (one, two):
        item = services.tracking.get("T1")
        assert (item["title"], item["notes"], item["priority"]) == ("theirs", "n", "P0")
        assert services.tracking.get("T2")["title"] == "another"
    both_ways(one, two)


def test_any_other_stream_is_kept_beside_ours(pair: Pair) -> None:
    one, two = pair
    one.log.append("notes", [NewEvent("said", {"n": "here"})])
    two.log.append("notes", [NewEvent("said", {"n": "there"}), NewEvent("said", {"n": "more"})])
    [tail] = merged(one, two).apart
    kept, theirs = read(one, tail.stream), read(two, "notes")[1:]
    assert [each.version for each in kept] == [2, 3]
    assert tail.stream == f"notes~{kept[0].event_id}"
    assert [each.chain_sha256 for each in kept] == [each.chain_sha256 for each in theirs]
    two.log.append("notes", [NewEvent("said", {"n": "later"})])
    assert merged(one, two).taken == {tail.stream: 1}
    sound(one)


def test_stores_that_never_met_come_together(tmp_path: Path) -> None:
    with (
        opened_services(tmp_path / "one", actor="one") as one,
        opened_services(tmp_path / "two", actor="two") as two,
    ):
        for services in (one, two):
            services.tracking.create(f"of {services.caller.actor}", key="T1")
            services.checkpoints.create(services.spaces.create("same name").id, content("c", "D"))
        both_ways(one, two)
        assert len(one.spaces.all()) == 2
        assert one.tracking.get("T1")["title"] == two.tracking.get("T1")["title"]


def test_what_is_no_store_is_refused_and_nothing_is_written(pair: Pair, tmp_path: Path) -> None:
    one, two = pair
    position = one.log.last_position()
    with pytest.raises(NotFound):
        ReconcileService(one.caller).merge(str(tmp_path / "nothing"))
    with pytest.raises(Invalid, match="itself"):
        merged(one, one)
    two.log.append("notes", [NewEvent("said", {"n": "there"})])
    two.exporting.to_file(two.exporting.select(everything=True), "jsonl", tmp_path / "x.jsonl")
    text = (tmp_path / "x.jsonl").read_text()
    for changed in (text.replace('"n":"there"', '"n":"else"'), text.replace("said", "told")):
        (tmp_path / "x.jsonl").write_text(changed)
        with pytest.raises(Invalid):
            ReconcileService(one.caller).merge(str(tmp_path / "x.jsonl"))
    taken = read(two, "notes")[-1].event_id
    one.log.append("notes", [NewEvent("other", {}, event_id=taken)])
    with pytest.raises(Conflict, match="other content"):
        merged(one, two)
    assert one.log.last_position() == position + 1
    sound(one)
