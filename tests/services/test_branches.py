"""Branches, notes, deleting, and where things come from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.merge_slots import Answer
from smriti_tui.domain.model import MAIN
from smriti_tui.services import Services
from smriti_tui.services.forking import Forked
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


def forked(services: Services, start: CheckpointId, name: str) -> Forked:
    return services.forking.from_checkpoint(start, branch=name)


# ---- branches ----------------------------------------------------------------------------------


def test_branches_are_listed_with_what_they_hold(services: Services, space: SpaceId) -> None:
    first = save(services, space, "A")
    fork = forked(services, first, "expl")
    head = save(services, space, "B", session=fork.session.id)
    facts = {each.branch.name: each for each in services.branches.of_space(space)}
    assert list(facts) == [MAIN, "expl"]
    expl = facts["expl"]
    assert (expl.head and expl.head.id, expl.checkpoints, expl.sessions) == (head, 1, 1)


def test_a_branch_is_renamed_and_closed_and_main_is_not(services: Services, space: SpaceId) -> None:
    first = save(services, space, "A")
    forked(services, first, "feat/a/b")
    forked(services, first, "other")
    assert services.branches.rename(space, "feat/a/b", "feat/c").name == "feat/c"
    assert services.branches.dispose(space, "feat/c", "abandoned").disposition == "abandoned"
    assert services.branches.dispose(space, "feat/c", "active").disposition == "active"
    with pytest.raises(Conflict, match="other"):
        services.branches.rename(space, "feat/c", "other")
    with pytest.raises(Invalid, match="always there"):
        services.branches.rename(space, MAIN, "x")
    with pytest.raises(Invalid, match="always there"):
        services.branches.dispose(space, MAIN, "integrated")
    with pytest.raises(NotFound):
        services.branches.dispose(space, "none", "integrated")


def test_every_active_branch_that_settled_something_else_diverges(
    services: Services, space: SpaceId
) -> None:
    first = save(services, space, "A")
    behind, ahead = forked(services, first, "behind"), forked(services, first, "same")
    save(services, space, "A", session=ahead.session.id)
    for number in range(4):
        fork = forked(services, first, f"expl{number}")
        save(services, space, "A", f"else {number}", session=fork.session.id)
    save(services, space, "A", "Main's own")
    assert behind.branch is not None
    found = services.branches.divergences(space)
    assert [each.branch.name for each in found] == [f"expl{number}" for number in range(4)]
    assert [item.text for item in found[2].only_branch] == ["else 2"]
    assert [item.text for item in found[2].only_main] == ["Main's own"]
    services.branches.dispose(space, "expl2", "integrated")
    assert "expl2" not in [each.branch.name for each in services.branches.divergences(space)]


# ---- notes -------------------------------------------------------------------------------------


def test_notes_are_added_in_order_and_need_words(services: Services, space: SpaceId) -> None:
    first = save(services, space, "A")
    services.notes.add(first, "looks good")
    services.notes.add(first, "released", "milestone")
    services.notes.add(first, "", "noise")
    told = [(note.kind, note.text) for note in services.checkpoints.notes(first)]
    assert told == [("note", "looks good"), ("milestone", "released"), ("noise", "")]
    with pytest.raises(Invalid):
        services.notes.add(first, " ")
    with pytest.raises(NotFound):
        services.notes.add(CheckpointId("0" * 64), "x")


# ---- deleting ----------------------------------------------------------------------------------


async def test_what_depends_on_a_checkpoint_stands_in_the_way(
    services: Services, space: SpaceId
) -> None:
    first = save(services, space, "A")
    session = services.sessions.new(space).id
    await send(services, session, "hello")
    fork = forked(services, first, "expl")
    on_fork = save(services, space, "B", session=fork.session.id)
    second = save(services, space, "C")
    merged = services.merging.write(second, on_fork, {}).id
    services.sessions.mount(session, second)
    with pytest.raises(Conflict) as caught:
        services.deleting.delete(first)
    details: Any = caught.value.details
    assert {each["id"] for each in details["children"]} == {on_fork, second, merged}
    assert [each["id"] for each in details["forks"]] == [fork.session.id]
    assert [each["id"] for each in details["mounted"]] == [session]
    gone = services.deleting.delete(first, cascade=True)
    assert gone[0] == merged
    assert set(gone) == {first, on_fork, second, merged}
    assert services.checkpoints.of_space(space) == []
    assert services.sessions.get(fork.session.id).id == fork.session.id
    assert len(services.sessions.turns(session)) == 2
    assert services.contexts.view(session).anchor is None
    assert services.log.verify().difference is None


def test_a_leaf_goes_alone_and_its_branch_stands_on_what_was_before(
    services: Services, space: SpaceId
) -> None:
    first, second = save(services, space, "A"), save(services, space, "B")
    assert services.deleting.delete(second) == (second,)
    assert services.spaces.branches(space)[0].head == first
    with pytest.raises(NotFound):
        services.deleting.delete(second)


# ---- where things come from --------------------------------------------------------------------


async def test_an_item_is_followed_through_changes_and_merges(
    services: Services, space: SpaceId
) -> None:
    first = save(services, space, "Use FTS5")
    fork = forked(services, first, "expl")
    await send(services, fork.session.id, "hello")
    on_fork = save(services, space, "use fts5.", "Own idea", session=fork.session.id)
    main = save(services, space, "Use FTS5", "Main's own")
    merged = services.merging.write(main, on_fork, {}).id
    labels = [item.text for item in services.checkpoints.get(merged).body.decisions]
    traces = services.blaming.item(merged, f"D{labels.index('Own idea') + 1}")
    assert [(each.what, each.checkpoint.id) for each in traces] == [
        ("merged", merged), ("appeared", on_fork),
    ]  # fmt: skip
    kept = services.blaming.item(merged, "D1")
    assert (kept[-1].what, kept[-1].checkpoint.id) == ("appeared", first)
    with pytest.raises(NotFound):
        services.blaming.item(merged, "D9")
    assert [turn.sequence_number for turn in services.blaming.turns(on_fork)] == [1, 2]
    assert services.blaming.turns(merged) == []


# ---- merge -------------------------------------------------------------------------------------


def test_a_merge_has_two_parents_and_moves_its_branch_once(
    services: Services, space: SpaceId
) -> None:
    first = save(services, space, "A")
    fork = forked(services, first, "expl")
    theirs = save(services, space, "A", "B", session=fork.session.id)
    ours = save(services, space, "A", "C")
    made = services.merging.write(ours, theirs, {})
    assert made.body.parents == (ours, theirs)
    assert [item.text for item in made.body.decisions] == ["A", "C", "B"]
    assert services.spaces.branches(space)[0].head == made.id
    with pytest.raises(Conflict, match="already"):
        services.merging.plan(made.id, theirs)
    with pytest.raises(Conflict, match="head of main"):
        services.merging.plan(ours, theirs)


def test_histories_that_cross_ask_for_their_base(services: Services, space: SpaceId) -> None:
    first = save(services, space, "A")
    fork = forked(services, first, "expl")
    theirs = save(services, space, "A", "B", session=fork.session.id)
    ours = save(services, space, "A", "C")
    one = services.merging.write(ours, theirs, {}).id
    other = services.merging.write(theirs, ours, {}).id
    ours2 = save(services, space, "A", "C", "B", "D")
    assert services.merging.compare(ours2, other).ancestors == (ours, theirs)
    with pytest.raises(Conflict) as caught:
        services.merging.plan(ours2, other)
    details: Any = caught.value.details
    assert set(details["bases"]) == {ours, theirs}
    merge = services.merging.plan(ours2, other, base=ours[:7])
    assert merge.base is not None
    assert merge.base.id == ours
    assert one in services.checkpoints.get(ours2).body.parents


def test_an_open_conflict_is_refused_and_a_side_settles_the_rest(
    services: Services, space: SpaceId
) -> None:
    first = services.checkpoints.create(
        space, replace(content("one", "A"), objective="find")
    ).checkpoint.id
    fork = forked(services, first, "expl")
    theirs = services.checkpoints.create(
        space, replace(content("two", "A"), objective="search"), session=fork.session.id
    ).checkpoint.id
    ours = services.checkpoints.create(
        space, replace(content("3", "A"), objective="look")
    ).checkpoint.id
    with pytest.raises(Conflict) as caught:
        services.merging.write(ours, theirs, {})
    assert caught.value.details["open"] == ["objective"]
    made = services.merging.write(ours, theirs, {"objective": Answer(text="both")})
    assert made.body.objective == "both"
