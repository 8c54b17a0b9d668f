"""What rests on an item over the heads of live branches and in claims, in a real store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.model import Item, Task
from smriti_tui.services import Services

pytestmark = pytest.mark.contract

BASE = CheckpointInput(
    "Base",
    assumptions=(Item("a-small", "At most 2 M documents"),),
    decisions=(Item("d-fts", "Use FTS5", rests_on=("a-small",)),),
    tasks=(Task("t-load", "Load test", id="load-1", rests_on=("d-fts",)),),
)


def test_it_looks_at_live_heads_alone_and_at_claims_that_hold(services: Services) -> None:
    space = services.spaces.create("Search").id
    checkpoints, claims = services.checkpoints, services.claims
    base = checkpoints.create(space, BASE).checkpoint.id
    more = Item("d-more", "Use Tantivy", rests_on=("a-small",))
    wide = replace(BASE, title="Wide", decisions=(more, *BASE.decisions), tasks=())
    for name in ("expl", "given-up", "inside"):
        checkpoints.create_on_new_branch(space, wide, branch=name, start=base)
    services.branches.dispose(space, "given-up", "abandoned")
    services.branches.dispose(space, "inside", "integrated")
    checkpoints.create_on_new_branch(space, CheckpointInput("Other"), branch="other", start=base)
    head = checkpoints.create(space, replace(BASE, title="Head", decisions=())).checkpoint.id
    kept = claims.take(space, "the load test", task_id="load-1", base=base).claim
    late = claims.take(space, "late", task_id="load-1", ttl_s=1).claim
    done = claims.take(space, "done", task_id="load-1").claim
    claims.end(done.id, "done")

    found = services.reaching.item(base, "A1")
    assert [(each.label, each.on) for each in found.here] == [("D1", "A1"), ("T1", "D1")]
    told = [
        (each.branch, each.label, [hit.label for hit in each.reached]) for each in found.elsewhere
    ]
    assert told == [("main", "A1", []), ("expl", "A1", ["D1", "D2"])]
    assert [(each.claim.id, each.why) for each in found.claims] == [(kept.id, "task")]
    assert late.id not in {each.claim.id for each in found.claims}

    at_head = services.reaching.item(head, "a-small")
    assert [each.branch for each in at_head.elsewhere] == ["expl"]
    beyond = services.reaching.beyond(space, at_head.target, head, at_head.here)
    assert beyond == (at_head.elsewhere, at_head.claims)
    with pytest.raises(NotFound):
        services.reaching.item(base, "D7")
