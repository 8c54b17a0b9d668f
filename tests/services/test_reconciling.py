"""Two stores that grew apart come into one: all of both, nothing mixed, the same from either side."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from smriti_tui.services import Services
from tests.services.merging_stores import apart, merged, sound, told
from tests.support import content, opened_services, send

Pair = tuple[Services, Services]


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[Pair]:
    """Two copies of a store with a Space, a checkpoint and a session of two turns."""
    with opened_services(tmp_path / "base") as services:
        space = services.spaces.create("alpha").id
        services.checkpoints.create(space, content("first", "D"))
        await send(services, services.sessions.new(space).id, "what is first?")
    with apart(tmp_path / "base", "one", "two") as (one, two):
        yield one, two


async def test_checkpoints_of_both_stand_on_branches_of_their_own(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    ours = one.checkpoints.create(space, content("ours", "here")).checkpoint
    theirs = two.checkpoints.create(space, content("theirs", "there")).checkpoint
    again = two.checkpoints.create(space, content("theirs too", "there")).checkpoint
    done = merged(one, two)
    names = {each.name: each.head for each in one.spaces.branches(space)}
    assert names.pop("main") == ours.id
    [(name, head)] = names.items()
    assert name.startswith("main~")
    assert head == again.id
    assert [(each.branch, each.checkpoints, each.apart) for each in done.checkpoints] == [
        (name, 2, "main")
    ]
    assert one.checkpoints.get(theirs.id).branch_name == name
    sound(one)
    merged(two, one)
    assert told(one) == told(two)
    sound(two)


async def test_turns_of_both_stand_in_sessions_of_their_own(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    [session] = [each.id for each in one.sessions.of_space(space)]
    await send(one, session, "asked here")
    await send(two, session, "asked there")
    saved = two.checkpoints.create(space, content("from there", "D9"), session=session).checkpoint
    done = merged(one, two)
    [came] = done.sessions
    assert (came.of, came.after, came.turns) == (session, 2, 4)
    texts = [turn.text for turn in one.sessions.turns(came.id)]
    assert [texts[0], texts[2]] == ["what is first?", "asked there"]
    assert one.sessions.turns(session)[2].text == "asked here"
    kept = one.checkpoints.get(saved.id)
    assert kept.source is not None
    assert kept.source.session == came.id
    assert kept.body.source is not None
    assert kept.body.source.session == session
    sound(one)
    merged(two, one)
    assert told(one) == told(two)
    sound(two)
    assert two.checkpoints.get(saved.id).source == saved.body.source


async def test_who_goes_on_in_what_came_goes_on_where_it_came_from(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    [session] = [each.id for each in one.sessions.of_space(space)]
    await send(one, session, "asked here")
    await send(two, session, "asked there")
    [came] = merged(one, two).sessions
    await send(one, came.id, "asked here of what came")
    one.sessions.rename(came.id, "what came")
    next_one = one.checkpoints.create(space, content("on both", "E"), session=came.id).checkpoint
    merged(two, one)
    assert [turn.text for turn in two.sessions.turns(session)][2::2] == [
        "asked there", "asked here of what came",
    ]  # fmt: skip
    assert two.sessions.get(session).title == "what came"
    source = two.checkpoints.get(next_one.id).source
    assert source is not None
    assert source.session == session
    assert told(one) == told(two)
    await send(two, session, "and back")
    merged(one, two)
    assert one.sessions.turns(came.id)[-2].text == "and back"
    assert told(one) == told(two)
    sound(one, two)


async def test_a_merge_checkpoint_brings_both_together_again(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    one.checkpoints.create(space, content("ours", "here"))
    two.checkpoints.create(space, content("theirs", "there"))
    merged(one, two)
    branches = {each.name: each for each in one.spaces.branches(space)}
    [other] = [name for name in branches if name != "main"]
    into = one.merging.merge(branches["main"].head, branches[other].head)
    print(into)
