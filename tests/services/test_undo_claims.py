"""Claims that were taken, changed, extended and ended in the app are undone and done again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict
from smriti_tui.services import Services
from tests.ui.house import House, PacedModel

pytestmark = pytest.mark.contract


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, PacedModel())


@pytest.fixture
def services(house: House) -> Iterator[Services]:
    house.seed(checkpoints=1)
    with closing(house.open("tui")) as opened:
        yield opened.services


def test_each_act_goes_back_and_forth_one_by_one(services: Services) -> None:
    space, claims = services.spaces.find("search-index").id, services.claims
    taken = claims.take(space, "load test", ttl_s=3600).claim
    changed = claims.change(taken.id, scope="load test of 2 M", intent="implement").claim
    extended = claims.extend(taken.id, 7200).claim
    done = claims.end(taken.id, "done")
    assert extended.expires_at > changed.expires_at
    seen = [(each.status, each.scope, each.expires_at) for each in (done, extended, changed, taken)]

    def now() -> tuple[str, str, str]:
        found = claims.find(taken.id)
        return found.status, found.scope, found.expires_at

    words = []
    for wanted in seen[1:]:
        undone = services.undoing.undo()
        assert undone is not None
        words.append(undone.what)
        assert now() == wanted
    assert services.undoing.undo() is not None
    assert now() == ("abandoned", "load test", taken.expires_at)
    assert words == [
        'marked claim "load test of 2 M" as done',
        'moved the deadline of claim "load test of 2 M"',
        'changed the scope of claim "load test of 2 M"',
    ]
    for wanted in reversed(seen):
        assert services.undoing.redo() is not None
        assert now() == wanted
    assert services.undoing.redo() is None


def test_what_another_did_to_the_claim_since_stays_and_is_named(
    house: House, services: Services
) -> None:
    space = services.spaces.find("search-index").id
    mine = services.claims.take(space, "load test").claim
    with closing(house.open("cli", actor="codex")) as other:
        other.services.claims.end(mine.id, "done")
    with pytest.raises(Conflict) as refused:
        services.undoing.undo()
    assert refused.value.code == "undo_foreign"
    assert 'codex (cli) marked claim "load test" as done' in refused.value.message
    assert services.claims.find(mine.id).status == "done"
