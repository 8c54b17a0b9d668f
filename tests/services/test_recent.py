"""The newest events of a Space: its own, bounded, whoever wrote them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from smriti_tui.store import steps
from tests.ui.house import House, PacedModel

pytestmark = pytest.mark.contract


def test_of_the_space_alone_newest_first_and_never_more_than_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, PacedModel())
    space, _ = house.seed(checkpoints=1)
    with closing(house.open("cli", actor="codex")) as opened:
        services = opened.services
        other = services.spaces.create("another")
        first = services.claims.take(space.id, "one").claim
        services.claims.take(other.id, "of another Space")
        services.claims.end(first.id, "done")
        recent = services.moments.recent
        found = recent(space.id, 0, 500)
        assert [each.type for each in found.steps[:2]] == ["claim.ended", "claim.taken"]
        assert {(each.actor, each.door) for each in found.steps[:2]} == {("codex", "cli")}
        assert not any("another" in str(each.facts.get("scope")) for each in found.steps)
        positions = [each.position for each in found.steps]
        assert positions == sorted(positions, reverse=True)
        assert found.newest == services.log.last_position()
        assert [each.position for each in recent(space.id, 0, 2).steps] == positions[:2]
        behind = recent(space.id, positions[1], 500)
        assert [each.position for each in behind.steps] == positions[:1]
        monkeypatch.setattr(steps, "RECENT_STRETCH", 1)
        assert [each.position for each in recent(space.id, 0, 500).steps] == positions[:1]
        assert recent(other.id, 0, 500).steps[0].facts["scope"] == "of another Space"
