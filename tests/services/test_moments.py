"""Steps of time travel: which events are near a place, and what they are called."""

from __future__ import annotations

import pytest

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.events import REGISTERED
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.render.event_words import event_actor, event_words
from smriti_tui.services import Services
from smriti_tui.services.logs import NewEvent
from smriti_tui.services.moments import Around
from smriti_tui.store.steps import STRETCH
from tests.support import content, send

pytestmark = pytest.mark.contract

HOSTILE = "a\x1b]0;t\x07 [b]\u202ex"


async def two_spaces(services: Services) -> tuple[SpaceId, SessionId]:
    """Two Spaces whose events lie between each other, and another stream."""
    one, other = services.spaces.create("one").id, services.spaces.create("other").id
    session, elsewhere = services.sessions.new(one).id, services.sessions.new(other).id
    for number in range(3):
        await send(services, session, f"q{number}")
        await send(services, elsewhere, f"x{number}")
        services.checkpoints.create(one, content(f"S{number}", "D"))
        services.checkpoints.create(other, content(f"O{number}", "D"))
        services.log.append("notes", [NewEvent("note", {"n": number})])
    return one, session


def own_positions(services: Services, space: SpaceId, session: SessionId) -> list[int]:
    streams = {f"space/{space}", f"session/{session}"}
    return [each.position for each in services.log.read(None) if each.stream in streams]


def positions(found: Around) -> list[int]:
    return [step.position for step in (*found.before, found.here, *found.after)]


async def test_neighbours_are_those_of_the_space_alone(services: Services) -> None:
    space, session = await two_spaces(services)
    own = own_positions(services, space, session)
    newest = services.log.last_position()
    saved = {c.id: c.position for c in services.checkpoints.of_space(space)}
    for position in range(newest + 3):
        found = services.moments.around(space, position, 3, 4)
        here = max((each for each in own if each <= position), default=own[0])
        at = own.index(here)
        assert positions(found) == own[max(at - 3, 0) : at + 5]
        assert (found.here.position, found.first, found.last) == (here, own[0], own[-1])
        assert found.newest == newest
        marks = {m.checkpoint: m.position for m in (*found.marks_before, *found.marks_after)}
        assert marks == {k: v for k, v in saved.items() if v != here}
        assert all(mark.position < here for mark in found.marks_before)
        assert (found.mark is not None) == (here in saved.values())
        assert services.moments.newer(space, position) == sum(each > position for each in own)


async def test_neighbours_are_found_over_a_long_stretch_of_others(services: Services) -> None:
    space, session = await two_spaces(services)
    many = [NewEvent("note", {"n": number}) for number in range(STRETCH + 50)]
    services.log.append("notes", many)
    services.sessions.rename(session, "later")
    own = own_positions(services, space, session)
    middle = services.log.last_position() - STRETCH // 2
    assert positions(services.moments.around(space, middle, 2, 2)) == own[-4:]
    assert positions(services.moments.around(space, own[-1], 5, 2)) == own[-6:]


def test_an_unknown_space_has_no_events(services: Services) -> None:
    services.spaces.create("one")
    with pytest.raises(NotFound):
        services.moments.around(SpaceId("00000000-0000-4000-8000-000000000000"), 1, 2, 2)


async def test_events_are_told_in_words(services: Services) -> None:
    space, session = await two_spaces(services)
    checkpoint = services.checkpoints.of_space(space)[0].id
    services.sessions.mount(session, checkpoint)
    services.notes.add(checkpoint, "see", kind="milestone")
    services.sessions.rename(session, HOSTILE)
    found = services.moments.around(space, services.log.last_position(), 8, 0)
    told = [event_words(s.type, s.facts, found.branches) for s in (*found.before, found.here)]
    short = checkpoint[:7]
    assert told[-8:-2] == [
        "turn 5", "chat request", "answer 6 begins", "answer 6", f"checkpoint {short} on main",
        f"mount {short}",
    ]  # fmt: skip
    assert told[-2] == f"milestone on {short}"
    assert told[-1].startswith("session renamed")
    assert "\x1b" not in told[-1]
    actors = [event_actor(s.type, s.facts, s.actor, "ada") for s in found.before]
    assert set(actors) == {"you", "scripted"}


def test_no_type_of_event_is_without_words() -> None:
    for name in REGISTERED:
        for facts in ({}, {"id": "4c1e9a0b" * 8}):
            words = event_words(name, facts, {})
            assert words
            assert "." not in words
    assert event_words("claim.taken", {}, {}) == "claim taken"


def test_an_id_that_begins_with_digits_names_its_checkpoint(services: Services) -> None:
    space = services.spaces.create("Search").id
    made = (services.checkpoints.create(space, content(str(n))).checkpoint for n in range(200))
    found = next(each for each in made if each.id[:4].isdigit() and int(each.id[:4]) > 500)
    assert services.moments.find(found.id[:4]).position == found.position
    assert services.moments.find("2").position == 2
    with pytest.raises(NotFound, match="There is no event 99999"):
        services.moments.find("99999999999")
