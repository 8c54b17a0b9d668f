"""What a search finds and what it leaves out (cases P57)."""

from __future__ import annotations

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.events import CheckpointDeleted, NoteAdded
from smriti_tui.domain.ids import SessionId, SpaceId, new_id
from smriti_tui.domain.model import Artifact, Item, Task
from smriti_tui.domain.search_hit import KINDS, Filters
from smriti_tui.services import Services
from smriti_tui.services.searching import moment
from tests.support import content, send

pytestmark = pytest.mark.contract

ODD = "Is it POL-358, or don't we: foo/bar C++ a:b * ( AND \" café 漢字?"


@pytest.fixture
def space(services: Services) -> SpaceId:
    return services.spaces.create("alpha").id


@pytest.fixture
async def talk(services: Services, space: SpaceId) -> SessionId:
    session = services.sessions.new(space, title="First talk").id
    await send(services, session, ODD)
    return session


def kinds(services: Services, text: str, filters: Filters | None = None) -> list[str]:
    return [hit.kind for hit in services.searching.search(text, filters).hits]


def turns(services: Services, text: str, filters: Filters | None = None) -> list[int | None]:
    return [hit.turn for hit in services.searching.search(text, filters).hits]


@pytest.mark.parametrize(
    "typed",
    [
        "POL-358",
        "don't",
        "foo/bar",
        "C++",
        "a:b",
        "*",
        "(",
        "AND",
        '"',
        "café",
        "cafe",
        "漢字",
        "字",
    ],
)
async def test_what_is_syntax_elsewhere_is_found_here(
    services: Services, talk: SessionId, typed: str
) -> None:
    assert 1 in turns(services, typed)


@pytest.mark.parametrize("typed", ["", "  ", "\n", "POL_358 ", "foo-bar", "C+++", "**", "((", '""'])
async def test_what_is_not_there_is_not_found(
    services: Services, talk: SessionId, typed: str
) -> None:
    assert turns(services, typed) == []


async def test_everything_of_a_space_is_found_with_its_place(
    services: Services, space: SpaceId, talk: SessionId
) -> None:
    given = CheckpointInput(
        title="Saved state",
        summary="canary one",
        decisions=(Item("", "first thing"), Item("", "canary two")),
        tasks=(Task("", "canary three"),),
        artifacts=(Artifact(new_id(), "text", "log", "canary four"),),
    )
    saved = services.checkpoints.create(space, given, session=talk).checkpoint
    with services.caller.write() as scope:
        scope.append(f"space/{space}", NoteAdded(new_id(), saved.id, "canary five"))
    services.sessions.rename(talk, "canary six")
    services.spaces.change(space, description="canary seven")
    found = {hit.kind: hit for hit in services.searching.search("canary").hits}
    assert set(found) == {
        "checkpoint", "decision", "task", "artifact", "note", "session", "space",
    }  # fmt: skip
    decision = found["decision"]
    assert (decision.label, decision.checkpoint, decision.space) == ("D2", saved.id, space)
    assert (decision.checkpoint_title, decision.space_name) == ("Saved state", "alpha")
    assert (decision.snippet.hit, decision.snippet.after) == ("canary", " two")
    assert services.searching.whole(decision) == "canary two"
    assert services.searching.whole(found["artifact"]) == "log\ncanary four"
    assert kinds(services, saved.id[:7]) == ["checkpoint"]
    assert kinds(services, talk[:7]) == ["session"]
    assert kinds(services, "First talk") == []
    items = Filters(kinds=KINDS["item"])
    assert sorted(kinds(services, "canary", items)) == ["decision", "task"]


async def test_filters_narrow(services: Services, space: SpaceId, talk: SessionId) -> None:
    other = services.spaces.create("beta").id
    loose = services.sessions.new_fresh().id
    await send(services, loose, "café again")
    everywhere = services.searching.search("café again").hits
    assert [hit.space for hit in everywhere if hit.turn == 1] == [None]
    assert turns(services, "café", Filters(space=other)) == []
    assert 1 in turns(services, "café", Filters(space=space))
    services.sessions.attach(loose, other)
    assert 1 in turns(services, "café", Filters(space=other))
    assert turns(services, "POL-358", Filters(author="ADA")) == [1]
    assert turns(services, "POL-358", Filters(author="demo/scripted")) == [2]
    assert services.searching.authors() == ["ada", "demo/scripted"]
    day = services.searching.filters(since="2026-03-02", until="2026-03-02")
    assert turns(services, "POL-358", day)
    assert turns(services, "POL-358", services.searching.filters(until="2026-03-01")) == []
    with pytest.raises(Invalid):
        services.searching.filters(since="yesterday-ish")


def test_dates_are_read_as_people_write_them() -> None:
    now = "2026-03-02T14:00:00.000000Z"
    assert moment("36h", now) == "2026-03-01T02:00:00.000000Z"
    assert moment("2w", now) == "2026-02-16T14:00:00.000000Z"
    assert moment("2026-03-02", now, end=True) == "2026-03-03T00:00:00.000000Z"
    assert moment("2026-03-02T16:00+02:00", now) == now


async def test_what_was_deleted_is_not_found(
    services: Services, space: SpaceId, talk: SessionId
) -> None:
    saved = services.checkpoints.create(space, content("Canary", "canary item")).checkpoint
    with services.caller.write() as scope:
        scope.append(f"space/{space}", CheckpointDeleted(saved.id))
    assert kinds(services, "canary") == []
    services.sessions.delete(talk)
    assert turns(services, "POL-358") == []
    again = services.sessions.new(space, title="canary").id
    assert kinds(services, "canary") == ["session"]
    await send(services, again, "canary turn")
    services.spaces.delete(space, force=True)
    assert kinds(services, "canary") == kinds(services, "alpha") == []


async def test_copies_and_carried_items_are_found_once(
    services: Services, space: SpaceId, talk: SessionId
) -> None:
    services.checkpoints.create(space, content("One", "canary kept"))
    for title in ("Two", "Three"):
        services.checkpoints.create(space, content(title), carry_all=True)
    hits = services.searching.search("canary").hits
    assert [hit.checkpoint_title for hit in hits] == ["One"]


def test_the_best_comes_first_and_more_is_told(services: Services, space: SpaceId) -> None:
    for number in range(12):
        services.checkpoints.create(space, content(f"Plain {number}", f"canary number {number}"))
    services.checkpoints.create(space, content("canary"))
    found = services.searching.search("canary", limit=5)
    assert found.more
    assert len(found.hits) == 5
    assert found.hits[0].kind == "checkpoint"
    assert not services.searching.search("canary", limit=13).more


@pytest.mark.file
def test_reading_writes_nothing(services: Services, space: SpaceId) -> None:
    before = services.caller.store.path.read_bytes()
    services.searching.search("alpha *")
    assert services.caller.store.path.read_bytes() == before
