"""Pins, archives and guards: each command is one event; what answers cannot be deleted."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, NotFound
from smriti_tui.domain.ids import SessionId
from smriti_tui.services import Services
from smriti_tui.services.logs import StoredEvent
from smriti_tui.services.steps import Started
from tests.services.asking import prove
from tests.services.second_process import crash_in_send
from tests.support import content, send

pytestmark = pytest.mark.contract


async def test_what_answers_is_not_deleted(services: Services) -> None:
    space = services.spaces.create("alpha").id
    session, other = services.sessions.new(space).id, services.sessions.new(space).id
    async with aclosing(services.chat.send(session, "why?")) as steps:
        assert isinstance(await anext(steps), Started)
        before = services.log.last_position()
        for delete in (
            lambda: services.sessions.delete(session),
            lambda: services.spaces.delete(space, force=True),
        ):
            with pytest.raises(Conflict) as caught:
                delete()
            assert caught.value.code == "answering"
            assert caught.value.details == {"sessions": [session]}
        assert services.log.last_position() == before
        services.sessions.delete(other)
        async for _ in steps:
            pass
    services.sessions.delete(session)
    assert services.sessions.of_space(space) == []
    services.spaces.delete(space)
    prove(services)


@pytest.mark.file
def test_an_answer_whose_process_is_gone_bars_nothing(services: Services, tmp_path: Path) -> None:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    crash_in_send(tmp_path, {}, session, "why?", "demo/scripted")
    services.spaces.delete(space)
    assert services.spaces.all() == []
    prove(services)


def test_with_its_space_a_session_is_gone(services: Services) -> None:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    services.checkpoints.create(space, content("S"))
    services.spaces.delete(space, force=True)
    for look in (services.sessions.get, services.contexts.view, services.sessions.turns):
        with pytest.raises(NotFound):
            look(session)


async def test_lists_pinned_first_archived_apart(services: Services) -> None:
    space = services.spaces.create("alpha").id
    ids = [services.sessions.new(space, title=name).id for name in "abcd"]
    services.sessions.pin(ids[0])
    services.sessions.archive(ids[1])
    await send(services, ids[2], "newest?")

    def titles(**more: bool) -> str:
        return "".join(each.title for each in services.sessions.of_space(space, **more))

    assert titles(archived=False, pinned_first=True) == "acd"
    assert titles(archived=False) == "cda"
    assert titles(archived=True) == "b"
    assert titles() == "cdba"
    assert services.sessions.count_archived(space) == 1
    await send(services, ids[1], "an archived one goes on as before")
    assert services.sessions.get(ids[1]).archived
    prove(services)


def test_each_mark_is_one_event_of_one_command(services: Services) -> None:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    before = services.log.last_position()
    for verb in ("pin", "pin", "archive", "archive", "unpin", "unarchive", "unarchive"):
        getattr(services.sessions, verb)(session)
    for verb in ("archive", "archive", "unarchive"):
        getattr(services.spaces, verb)(space)
    found = [event for event in services.log.read(None, before) if isinstance(event, StoredEvent)]
    assert len(found) == 6
    assert len({event.correlation_id for event in found}) == 6
    with pytest.raises(NotFound):
        services.sessions.pin(SessionId("7c0f1b0a-3d5e-4f6a-9b8c-1d2e3f4a5b6c"))


def test_a_rename_over_another_persons_is_refused(services: Services) -> None:
    session = services.sessions.new_fresh(title="one").id
    services.sessions.rename(session, "theirs")
    with pytest.raises(Conflict) as caught:
        services.sessions.rename(session, "mine", seen="one")
    assert (caught.value.code, caught.value.details) == ("renamed", {"title": "theirs"})
    assert services.sessions.rename(session, "mine", seen="theirs").title == "mine"
