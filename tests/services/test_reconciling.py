"""Two stores that grew apart come into one: all of both, nothing mixed, from either side."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from smriti_tui.services import Services
from smriti_tui.services.copying import copy_database
from smriti_tui.services.logs import NewEvent
from smriti_tui.services.reconciling import ReconcileService
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
    heads = [str(branches[name].head) for name in ("main", other)]
    both = one.merging.write(heads[0], heads[1], {}, side="ours")
    merged(two, one)
    assert {each.name: each.head for each in two.spaces.branches(space)}["main"] == both.id
    later = two.checkpoints.create(space, content("later", "all")).checkpoint
    merged(one, two)
    assert {each.name: each.head for each in one.spaces.branches(space)}["main"] == later.id
    assert told(one) == told(two)
    sound(one, two)


async def test_a_branch_that_only_one_went_on_with_stays_one(pair: Pair) -> None:
    """The other one changed something else meanwhile."""
    one, two = pair
    space = one.spaces.all()[0].id
    one.spaces.change(space, description="what it is about")
    saved = two.checkpoints.create(space, content("theirs", "there")).checkpoint
    merged(one, two)
    assert [(each.name, each.head) for each in one.spaces.branches(space)] == [("main", saved.id)]
    merged(two, one)
    assert two.spaces.get(space).description == "what it is about"
    assert told(one) == told(two)
    sound(one, two)


async def test_what_only_one_has_comes_as_it_is_and_again_changes_nothing(pair: Pair) -> None:
    one, two = pair
    space = two.spaces.create("only there").id
    session = two.sessions.new(space).id
    await send(two, session, "well?")
    two.log.append("notes", [NewEvent("said", {"a": 1})])
    before = one.log.last_position()
    dry = merged(one, two, dry_run=True)
    assert one.log.last_position() == before
    done = merged(one, two)
    assert dry == done
    assert (done.sessions, done.apart, done.settled) == ((), (), ())
    position = one.log.last_position()
    assert merged(one, two).taken == {}
    assert one.log.last_position() == position
    last = list(one.log.read("store"))[-1]
    assert last.type == "log.merged"  # type: ignore[union-attr]
    assert told(one) == told(two)
    sound(one)


async def test_a_branch_of_the_same_name_keeps_both(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    head = one.spaces.branches(space)[0].head
    assert head is not None
    for services in pair:
        services.forking.from_checkpoint(head, branch="idea")
    await send(two, two.sessions.of_space(space)[0].id, "on a branch")
    merged(one, two)
    names = sorted(each.name for each in one.spaces.branches(space))
    assert names[0] == "idea"
    assert names[1].startswith("idea~")
    merged(two, one)
    assert told(one) == told(two)
    sound(one, two)


async def test_what_was_deleted_here_and_goes_on_there_is_there(pair: Pair) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    first = one.checkpoints.of_space(space)[0].id
    one.deleting.delete(first)
    two.checkpoints.create(space, content("on it", "there"))
    merged(one, two)
    merged(two, one)
    assert told(one) == told(two)
    assert one.checkpoints.get(first).title == "first"
    assert two.searching.search("first").hits
    assert one.searching.search("first").hits
    sound(one, two)


async def test_bundles_and_documents_carry_the_same(pair: Pair, tmp_path: Path) -> None:
    one, two = pair
    space = one.spaces.all()[0].id
    [session] = [each.id for each in one.sessions.of_space(space)]
    for services, words in ((one, "here"), (two, "there")):
        await send(services, session, words)
        services.checkpoints.create(space, content(words, words), session=session)
    two.exporting.to_folder(two.exporting.select(everything=True), tmp_path / "bundle")
    done = ReconcileService(one.caller).merge(str(tmp_path / "bundle"))
    assert len(done.sessions) == 1
    sound(one)
    one.exporting.to_file(one.exporting.select(space=space), "jsonl", tmp_path / "one.jsonl")
    ReconcileService(two.caller).merge(str(tmp_path / "one.jsonl"))
    assert told(one) == told(two)
    sound(two)
    with opened_services(tmp_path / "third", actor="cy") as third:
        third.ingesting.folder_or_file(tmp_path / "one.jsonl")
        assert told(third) == told(one)
        sound(third)
        [came] = done.sessions
        one.exporting.to_file(
            one.exporting.select(session=came.id), "jsonl", tmp_path / "part.jsonl"
        )
        assert third.ingesting.folder_or_file(tmp_path / "part.jsonl").taken == 0


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"], indirect=True)
async def test_a_server_and_a_file_take_each_other_in(tmp_path: Path, backend: str) -> None:
    with opened_services(tmp_path / "file") as one:
        space = one.spaces.create("alpha").id
        session = one.sessions.new(space).id
        await send(one, session, "first")
        copy_database(str(one.caller.store.path), backend, one.caller.store.now, lambda _: None)
        environ = {"SMRITI_DATABASE_URL": backend}
        with opened_services(tmp_path / "team", actor="bo", environ=environ) as two:
            for services, words in ((one, "here"), (two, "there")):
                await send(services, session, words)
                services.checkpoints.create(space, content(words, words), session=session)
            assert len(merged(two, one).sessions) == 1
            ReconcileService(one.caller).merge(backend)
            assert told(one) == told(two)
            sound(one, two)


async def test_undo_takes_back_what_was_done_here_alone(tmp_path: Path) -> None:
    with opened_services(tmp_path / "base", door="tui") as services:
        space = services.spaces.create("alpha").id
        session = services.sessions.new(space, title="talk").id
        await send(services, session, "first")
    with apart(tmp_path / "base", "one", "two", actor="ada", door="tui") as (one, two):
        one.spaces.change(space, description="here")
        await send(one, session, "here")
        two.spaces.change(space, name="there")
        await send(two, session, "there")
        two.sessions.rename(session, "talk there")
        [came] = merged(one, two).sessions
        assert one.spaces.get(space).name == "there"
        one.sessions.rename(came.id, "renamed here")
        assert one.undoing.undo() is not None
        assert one.sessions.get(came.id).title == "talk there"
        assert one.undoing.undo() is not None
        assert one.spaces.get(space).name == "there"
        other = merged(two, one).sessions[0].id
        two.sessions.rename(other, "renamed there")
        assert two.undoing.undo() is not None
        assert two.sessions.get(other).title == "talk"
        sound(one, two)
