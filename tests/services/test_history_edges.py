"""Version control at its edges: what was deleted, what is repeated, what is too much."""

from __future__ import annotations

import uuid

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.services import Services
from tests.support import content, send

pytestmark = pytest.mark.contract


@pytest.fixture
def space(services: Services) -> SpaceId:
    return services.spaces.create("alpha").id


def save(
    services: Services, space: SpaceId, *decisions: str, session: SessionId | None = None
) -> CheckpointId:
    given = content(f"state {decisions[0]}", *decisions)
    return services.checkpoints.create(space, given, session=session).checkpoint.id


# ---- a fork whose start is gone ----------------------------------------------------------------


async def test_nothing_is_saved_on_top_of_what_was_deleted(
    services: Services, space: SpaceId
) -> None:
    kept = save(services, space, "A")
    start = save(services, space, "B")
    fork = services.forking.from_checkpoint(start, branch="expl").session
    assert fork.branch is not None
    services.deleting.delete(start, cascade=True)
    with pytest.raises(Conflict, match="no checkpoint yet") as caught:
        services.merging.start(fork.branch, kept)
    assert caught.value.code == "no_head"
    with pytest.raises(Conflict, match="head of expl is none"):
        services.merging.plan(kept, kept, into="expl")
    assert (await send(services, fork.id, "hello")).status == "complete"
    assert services.forking.after_turn(fork.id, 2).copied == 2
    assert services.checkpoints.place(space, session=fork.id).parent is None
    saved = services.checkpoints.create(
        space, content("anew", "C"), session=fork.id, expect_head=""
    ).checkpoint
    assert saved.body.parents == ()
    on_branch = services.checkpoints.create(space, content("more", "D"), branch="expl").checkpoint
    assert on_branch.body.parents == (saved.id,)
    assert services.merging.compare(kept, saved.id).ancestors == ()
    merged = services.merging.write(on_branch.id, kept, {})
    assert [item.text for item in merged.body.decisions] == ["D", "A"]
    assert services.log.verify().difference is None


# ---- the same command again --------------------------------------------------------------------


def test_a_repeated_note_gives_the_first_one_also_after_its_checkpoint_went(
    services: Services, space: SpaceId
) -> None:
    first, second = save(services, space, "A"), save(services, space, "B")
    command = str(uuid.uuid4())
    made = services.notes.add(second, "looks good", command_id=command)
    assert services.notes.add(first, "other", command_id=command) == made
    services.deleting.delete(second)
    assert services.notes.add(second, "looks good", command_id=command) == made
    with pytest.raises(NotFound):
        services.notes.add(second, "more")


# ---- too much ----------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["two\nlines", "x" * 301])
def test_the_title_of_a_merge_is_one_short_line(
    services: Services, space: SpaceId, title: str
) -> None:
    first = save(services, space, "A")
    fork = services.forking.from_checkpoint(first, branch="expl").session
    theirs = save(services, space, "A", "B", session=fork.id)
    ours = save(services, space, "A", "C")
    with pytest.raises(Invalid, match="title must be one line"):
        services.merging.write(ours, theirs, {}, title=title)
    long = services.branches.rename(space, "expl", "b" * 200).name
    made = services.merging.write(ours, theirs, {})
    assert long[:100] in made.title
    assert len(made.title) <= 300


# ---- many ancestors ----------------------------------------------------------------------------


def test_three_common_ancestors_are_named_and_each_can_be_the_base(
    services: Services, space: SpaceId
) -> None:
    root = save(services, space, "R")
    tips = []
    for name in ("x", "y", "z"):
        fork = services.forking.from_checkpoint(root, branch=name).session
        tips.append(save(services, space, "R", name, session=fork.id))
    sides = []
    for name in ("left", "right"):
        head = services.forking.from_checkpoint(tips[0], branch=name)
        at = save(services, space, "R", "x", name, session=head.session.id)
        for tip in tips[1:]:
            at = services.merging.write(at, tip, {}).id
        sides.append(at)
    found = services.merging.compare(*sides).ancestors
    assert set(found) == set(tips)
    with pytest.raises(Conflict) as caught:
        services.merging.plan(*sides)
    assert caught.value.details["bases"] == list(found)
    for tip in tips:
        merge = services.merging.plan(*sides, base=tip[:12])
        assert merge.plan.open == ()
    made = services.merging.write(sides[0], sides[1], {}, base=tips[2])
    assert sorted(item.text for item in made.body.decisions) == [
        "R", "left", "right", "x", "y", "z",
    ]  # fmt: skip


async def test_a_fork_after_a_turn_does_not_stand_on_what_was_deleted(
    services: Services, space: SpaceId
) -> None:
    start = save(services, space, "A")
    session = services.sessions.new(space).id
    await send(services, session, "hello")
    assert services.forking.after_turn(session, 2).checkpoint == start
    services.deleting.delete(start, cascade=True)
    for fork in (
        services.forking.after_turn(session, 2),
        services.forking.before_question(session, 1),
    ):
        assert fork.checkpoint is None
        assert services.contexts.view(fork.session.id).mode == "HEAD"
        assert (await send(services, fork.session.id, "more")).status == "complete"
    assert services.log.verify().difference is None


async def test_a_branch_that_cannot_be_is_not_passed_over(services: Services) -> None:
    session = services.sessions.new_fresh().id
    await send(services, session, "hello")
    with pytest.raises(Invalid, match="no branch"):
        services.forking.after_turn(session, 2, branch="expl")
    assert services.forking.after_turn(session, 2).branch is None
