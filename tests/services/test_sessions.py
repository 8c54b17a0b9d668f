"""Spaces, sessions, lines and mounts (DESIGN 10.7 to 10.9, 10.21; cases SPACE, SESS, SEND)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, new_id
from smriti_tui.services import Services
from tests.services.asking import Beside, prove
from tests.support import content, ended, send

pytestmark = pytest.mark.contract


@pytest.fixture
def space(services: Services) -> SpaceId:
    return services.spaces.create("alpha").id


@pytest.fixture
def session(services: Services, space: SpaceId) -> SessionId:
    return services.sessions.new(space).id


def save(services: Services, space: SpaceId, title: str, **more: object) -> CheckpointId:
    return services.checkpoints.create(space, content(title), **more).checkpoint.id  # type: ignore[arg-type]


def sent(services: Services, session: SessionId, text: str = "next?") -> list[str]:
    """What the next send would hold, the state left out."""
    messages = services.chat.preview(session, text).context.messages
    return [message.content for message in messages if message.role != "system"]


# ---- Spaces ------------------------------------------------------------------------------------


def test_a_space_is_made_changed_and_found(services: Services) -> None:
    made = services.spaces.create("alpha", description="d", project_root="/r/../x")
    assert services.spaces.get(made.id) == services.spaces.find("alpha") == made
    assert (made.description, made.project_root) == ("d", "/r/../x")
    assert services.spaces.change(made.id, project_root="/new").project_root == "/new"
    with pytest.raises(Invalid):
        services.spaces.change(made.id, project_root="  ")
    assert services.spaces.get(made.id).project_root == "/new"
    assert services.spaces.change(made.id, project_root="").project_root is None
    assert [found.name for found in services.spaces.all()] == ["alpha"]
    assert [branch.name for branch in services.spaces.branches(made.id)] == ["main"]


def test_a_space_with_checkpoints_is_deleted_by_force_alone(
    services: Services, space: SpaceId
) -> None:
    for title in ("one", "two"):
        save(services, space, title)
    with pytest.raises(Conflict) as caught:
        services.spaces.delete(space)
    assert caught.value.code == "guard"
    assert caught.value.details == {"checkpoint_count": 2, "requires_force": True}
    assert len(services.checkpoints.of_space(space)) == 2
    assert services.spaces.delete(space, force=True) == 2
    for action in (services.spaces.delete, services.spaces.get, services.checkpoints.of_space):
        with pytest.raises(NotFound):
            action(space)
    prove(services)


def test_an_empty_space_goes_without_force(services: Services, space: SpaceId) -> None:
    assert services.spaces.delete(space) == 0
    assert services.spaces.all() == []


@pytest.mark.parametrize("unknown", ["no-such", "7c0f1b0a-3d5e-4f6a-9b8c-1d2e3f4a5b6c"])
def test_what_is_not_there_is_not_found_and_nothing_is_written(
    services: Services, session: SessionId, unknown: str
) -> None:
    before = services.log.last_position()
    actions: list[Callable[[], object]] = [
        lambda: services.spaces.change(SpaceId(unknown), name="x"),
        lambda: services.spaces.delete(SpaceId(unknown)),
        lambda: services.sessions.new(SpaceId(unknown)),
        lambda: services.sessions.rename(SessionId(unknown), "x"),
        lambda: services.sessions.delete(SessionId(unknown)),
        lambda: services.sessions.attach(SessionId(unknown), SpaceId(unknown)),
        lambda: services.sessions.mount(SessionId(unknown), CheckpointId(unknown)),
        lambda: services.sessions.mount(session, CheckpointId(unknown)),
        lambda: services.sessions.unmount(SessionId(unknown)),
        lambda: services.checkpoints.create(SpaceId(unknown), content("x")),
        lambda: services.chat.choose(SessionId(unknown), 1),
        lambda: services.chat.preview(SessionId(unknown), "x"),
    ]
    for action in actions:
        with pytest.raises(NotFound):
            action()
    assert services.log.last_position() == before


# ---- sessions ------------------------------------------------------------------------------------


async def test_a_session_lives_and_is_deleted_and_its_checkpoints_stay(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    await send(services, session, "hello")
    saved = save(services, space, "state", session=session)
    assert services.sessions.rename(session, "talk").title == "talk"
    services.sessions.delete(session)
    assert services.sessions.of_space(space) == []
    for action in (services.sessions.get, services.sessions.delete, services.sessions.turns):
        with pytest.raises(NotFound):
            action(session)
    with pytest.raises(NotFound):
        await send(services, session, "hello?")
    assert services.checkpoints.get(saved).body.source is not None
    prove(services)


async def test_numbers_start_at_one_and_have_no_gaps(
    services: Services, session: SessionId
) -> None:
    for n in range(3):
        await send(services, session, f"question {n}")
        await ended(services.chat.retry(session))
    turns = services.sessions.turns(session)
    assert [turn.sequence_number for turn in turns] == list(range(1, 10))
    assert [turn.question for turn in turns] == [None, 1, 1, None, 4, 4, None, 7, 7]
    assert services.sessions.turns(session, 4, 5) == turns[3:5]


async def test_a_fresh_session_sends_all_and_mounts_nothing(
    services: Services, space: SpaceId
) -> None:
    fresh = services.sessions.new_fresh().id
    saved = save(services, space, "state")
    await send(services, fresh, "one")
    await send(services, fresh, "two")
    with pytest.raises(Invalid):
        services.sessions.mount(fresh, saved)
    with pytest.raises(Invalid):
        save(services, space, "from fresh", session=fresh)
    assert services.contexts.view(fresh).mode == "FRESH"
    assert len(sent(services, fresh)) == 5
    messages = services.chat.preview(fresh, "x").context.messages
    assert {message.role for message in messages} == {"user", "assistant"}
    assert services.sessions.attach(fresh, space).space == space
    with pytest.raises(Conflict) as caught:
        services.sessions.attach(fresh, space)
    assert caught.value.code == "attached"
    assert services.contexts.view(fresh).mode == "HEAD"
    assert len(sent(services, fresh)) == 5
    assert [found.id for found in services.sessions.of_space(space)] == [fresh]
    assert services.sessions.of_space(None) == []
    prove(services)


# ---- lines -----------------------------------------------------------------------------------


async def test_mounting_and_unmounting_keep_the_lines_apart(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    """SEND-05, SEND-19"""
    saved = save(services, space, "state")
    await send(services, session, "one")
    await send(services, session, "two")
    mounted = services.sessions.mount(session, saved)
    assert (mounted.line, mounted.history_base_seq) == (2, 4)
    await send(services, session, "five")
    assert sent(services, session)[0] == "five"
    assert services.contexts.view(session).mode == "RESTORED"
    assert services.sessions.unmount(session).line == 1
    with pytest.raises(Conflict) as caught:
        services.sessions.unmount(session)
    assert caught.value.code == "not_mounted"
    assert sent(services, session)[0::2] == ["one", "two", "next?"]
    again = services.sessions.mount(session, saved)
    assert (again.line, again.history_base_seq) == (3, 6)
    assert sent(services, session) == ["next?"]
    twice = services.sessions.mount(session, saved)
    assert (twice.line, twice.history_base_seq) == (4, 6)
    context = services.chat.preview(session, "next?").context
    assert [(e.first, e.last, e.reason) for e in context.left_out if e.what == "turns"] == [
        (1, 6, "before the boundary")
    ]
    assert services.sessions.unmount(session).line == 1
    left = services.chat.preview(session, "next?").context.left_out
    assert [(e.first, e.last, e.reason) for e in left if e.what == "turns"] == [
        (5, 6, "other line")
    ]
    prove(services)


def test_another_spaces_checkpoint_is_not_mounted(services: Services, session: SessionId) -> None:
    other = services.spaces.create("beta").id
    saved = save(services, other, "theirs")
    before = services.log.last_position()
    with pytest.raises(Invalid, match="another Space"):
        services.sessions.mount(session, saved)
    assert services.log.last_position() == before


async def test_a_mount_survives_a_restart(
    services: Services, space: SpaceId, session: SessionId, beside: Beside
) -> None:
    saved = save(services, space, "state")
    await send(services, session, "outside")
    services.sessions.mount(session, saved)
    with beside() as later:
        view = later.contexts.view(session)
        assert (view.mode, view.line.line, view.floor) == ("RESTORED", 2, 2)
        assert sent(later, session) == ["next?"]


async def test_head_moved_by_somebody_else_drops_no_turn(
    services: Services, space: SpaceId, session: SessionId, beside: Beside
) -> None:
    await send(services, session, "mine")
    with beside(actor="bob") as other:
        theirs = save(other, space, "theirs")
    view = services.contexts.view(session)
    assert view.anchor is not None
    assert (view.anchor.id, view.anchor.body.author) == (theirs, "bob")
    assert sent(services, session)[0] == "mine"
    save(services, space, "mine", session=session)
    assert sent(services, session) == ["next?"]


async def test_scope_three_tells_ancestors_along_first_parents(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    saved = [save(services, space, f"state {n}") for n in range(5)]
    for scope, expected in ((1, saved[4:]), (3, saved[2:])):
        prepared = services.chat.preview(session, "x", scope=scope)
        assert [checkpoint.id for checkpoint in prepared.view.scope] == expected
        system = prepared.context.messages[0].content
        assert [f"state {n}" in system for n in range(5)] == [key in expected for key in saved]
    services.sessions.mount(session, saved[1])
    prepared = services.chat.preview(session, "x", scope=3)
    assert [checkpoint.id for checkpoint in prepared.view.scope] == saved[:2]
    turn = await send(services, session, "x", scope=3)
    stored = services.contexts.stored(session, turn.sequence_number).request.event
    assert (stored.scope, list(stored.anchors)) == (3, saved[:2])


async def test_choosing_an_answer_has_its_bounds(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    await send(services, session, "one")
    await ended(services.chat.retry(session, model="demo/contrarian"))
    assert sent(services, session)[1] == services.sessions.turns(session)[2].text
    services.chat.choose(session, 2)
    assert sent(services, session)[1] == services.sessions.turns(session)[1].text
    with pytest.raises(Invalid):
        services.chat.choose(session, 1)
    with pytest.raises(NotFound):
        services.chat.choose(session, 9)
    save(services, space, "state", session=session)
    with pytest.raises(Conflict) as caught:
        services.chat.choose(session, 3)
    assert caught.value.code == "not_on_line"
    with pytest.raises(Conflict) as caught:
        await ended(services.chat.retry(session))
    assert caught.value.code == "no_question"


# ---- repeated commands -----------------------------------------------------------------------


def repeatable(services: Services, space: SpaceId, session: SessionId) -> dict[str, Callable]:  # type: ignore[type-arg]
    """Every writing command that takes a command id; each can be carried out once."""
    saved = save(services, space, "state")
    fresh = services.sessions.new_fresh().id
    doomed = services.sessions.new(space).id
    empty = services.spaces.create("empty").id
    mounted = services.sessions.new(space).id
    services.sessions.mount(mounted, saved)
    checkpoints = services.checkpoints
    return {
        "space create": lambda key: services.spaces.create("beta", command_id=key),
        "space change": lambda key: services.spaces.change(space, name="new", command_id=key),
        "space delete": lambda key: services.spaces.delete(empty, command_id=key),
        "session new": lambda key: services.sessions.new(space, command_id=key),
        "session fresh": lambda key: services.sessions.new_fresh(command_id=key),
        "session rename": lambda key: services.sessions.rename(session, "t", command_id=key),
        "session delete": lambda key: services.sessions.delete(doomed, command_id=key),
        "session attach": lambda key: services.sessions.attach(fresh, space, command_id=key),
        "mount": lambda key: services.sessions.mount(session, saved, command_id=key),
        "unmount": lambda key: services.sessions.unmount(mounted, command_id=key),
        "checkpoint": lambda key: checkpoints.create(space, content("x", "y"), command_id=key),
        "new branch": lambda key: checkpoints.create_on_new_branch(
            space, content("x"), branch="b", start=saved, command_id=key
        ),
        "choose": lambda key: services.chat.choose(session, 2, command_id=key),
    }


COMMANDS = [
    "space create", "space change", "space delete", "session new", "session fresh",
    "session rename", "session delete", "session attach", "mount", "unmount", "checkpoint",
    "new branch", "choose",
]  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_repeated_command_gives_the_first_result_and_writes_nothing(
    services: Services, space: SpaceId, session: SessionId, name: str
) -> None:
    await send(services, session, "hello")
    commands = repeatable(services, space, session)
    assert set(commands) == set(COMMANDS)
    key = new_id()
    first = commands[name](key)
    position = services.log.last_position()
    assert commands[name](key) == first
    assert services.log.last_position() == position
    for other in COMMANDS:
        if other != name and {other, name} != {"session new", "session fresh"}:
            if {other, name} == {"checkpoint", "new branch"}:
                continue
            with pytest.raises(Conflict) as caught:
                commands[other](key)
            assert caught.value.code == "command_id", other
    assert services.log.last_position() == position
    prove(services)


async def test_a_repeated_id_for_another_target_is_refused(
    services: Services, space: SpaceId, session: SessionId
) -> None:
    """Else it would say that the other session is mounted while nothing happened to it."""
    saved = save(services, space, "state")
    other = services.sessions.new(space).id
    key = new_id()
    services.sessions.mount(session, saved, command_id=key)
    with pytest.raises(Conflict) as caught:
        services.sessions.mount(other, saved, command_id=key)
    assert caught.value.code == "command_id"
    assert services.sessions.get(other).current_line == 1


async def test_a_repeated_send_is_told_and_sends_nothing(
    services: Services, session: SessionId
) -> None:
    key = new_id()
    await send(services, session, "hello", command_id=key)
    for repeat in (
        services.chat.send(session, "hello", command_id=key),
        services.chat.retry(session, command_id=key),
    ):
        with pytest.raises(Conflict) as caught:
            await ended(repeat)
        assert caught.value.code == "repeated"
    assert len(services.sessions.turns(session)) == 2


@pytest.mark.parametrize("key", ["", "x", "123", "0" * 32])
def test_a_command_id_that_is_none_is_refused(services: Services, key: str) -> None:
    with pytest.raises(Invalid):
        services.spaces.create("alpha", command_id=key)
    assert services.spaces.all() == []
