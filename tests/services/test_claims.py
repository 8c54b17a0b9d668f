"""Claims in a real store: bases, tokens, deadlines, ends."""

from __future__ import annotations

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import SpaceId, new_id
from smriti_tui.services import Services
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.verify import verify
from tests.support import content

pytestmark = pytest.mark.contract


def test_the_base_is_the_head_of_the_named_branch(services: Services) -> None:
    space = services.spaces.create("Search").id
    head = services.checkpoints.create(space, content("One")).checkpoint.id
    own = services.checkpoints.create_on_new_branch(
        space, content("Other"), branch="expl", start=head
    ).checkpoint.id
    services.checkpoints.create(space, content("Two"))
    assert services.claims.take(space, "a", branch="expl").claim.base == own
    main = services.claims.take(space, "b").claim
    assert (main.branch_name, main.intent, main.status) == ("main", "implement", "active")
    assert main.base not in (own, head)
    assert services.claims.take(space, "c", base=head[:8]).claim.base == head


def test_tokens_grow_by_task_and_overlaps_are_told(services: Services) -> None:
    space = services.spaces.create("Search").id
    first = services.claims.take(space, "load test", task_id="load-1")
    second = services.claims.take(space, "load it", task_id="load-1")
    other = services.claims.take(space, "docs", task_id="docs-1")
    assert [each.claim.token for each in (first, second, other)] == [1, 2, 1]
    assert first.overlaps == other.overlaps == ()
    assert [each.one.id for each in second.overlaps] == [first.claim.id]


def test_ends_are_final_but_for_taking_it_up_again(services: Services) -> None:
    space = services.spaces.create("Search").id
    taken = services.claims.take(space, "a").claim
    assert services.claims.end(taken.id, "done").status == "done"
    for again in (
        lambda: services.claims.end(taken.id, "abandoned"),
        lambda: services.claims.extend(taken.id, 60),
        lambda: services.claims.change(taken.id, scope="b"),
    ):
        with pytest.raises(Conflict) as error:
            again()
        assert error.value.code == "claim_ended"
    assert services.claims.of_space(space) == []
    assert [each.id for each in services.claims.of_space(space, every=True)] == [taken.id]
    assert services.claims.reopen(taken.id).claim.status == "active"
    assert services.claims.change(taken.id, scope="b", intent="Review").claim.scope == "b"


def test_an_expired_claim_ends_as_its_own_and_closes_nobody_elses(services: Services) -> None:
    space = services.spaces.create("Search").id
    old = services.claims.take(space, "a", task_id="t", ttl_s=1).claim
    new = services.claims.take(space, "a", task_id="t").claim
    assert [each.id for each in services.claims.of_space(space)] == [new.id]
    assert services.claims.end(old.id, "done").status == "done"
    assert [each.id for each in services.claims.of_space(space)] == [new.id]
    last = list(services.log.read(f"claims/{space}"))[-1]
    assert isinstance(last, StoredEvent)
    assert last.body()["expired"] is True
    assert services.claims.extend(new.id, 60).claim.expires_at < new.expires_at


def test_bad_claims_are_refused_and_nothing_is_written(services: Services) -> None:
    space = services.spaces.create("Search").id
    elsewhere = services.spaces.create("Other").id
    foreign = services.checkpoints.create(elsewhere, content("One")).checkpoint.id
    bad: list[tuple[type[Exception], dict[str, object]]] = [
        (Invalid, {"scope": " \n "}),
        (Invalid, {"scope": "x" * 501}),
        (Invalid, {"scope": "a", "intent": "paused"}),
        (Invalid, {"scope": "a", "ttl_s": 0}),
        (Invalid, {"scope": "a", "base": foreign}),
        (NotFound, {"scope": "a", "branch": "nope"}),
        (NotFound, {"scope": "a", "worktree": "abcdef"}),
    ]
    for error, claim in bad:
        with pytest.raises(error):
            services.claims.take(space, **claim)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        services.claims.take(SpaceId(new_id()), "a")
    assert services.claims.of_space(space, every=True) == []


def test_a_repeated_command_takes_one_claim(services: Services) -> None:
    space = services.spaces.create("Search").id
    command, end = new_id(), new_id()
    first = services.claims.take(space, "a", command_id=command).claim
    assert services.claims.take(space, "a", command_id=command).claim.id == first.id
    for _ in range(2):
        assert services.claims.end(first.id, "done", command_id=end).status == "done"
    other = services.claims.take(space, "b").claim
    assert services.claims.end(other.id, "done", command_id=end).id == first.id
    assert services.claims.find(other.id).status == "active"
    with services.caller.read() as tx:
        assert verify(tx).difference is None
