"""Pane 2 lists the branch that the session's current line stands on."""

from __future__ import annotations

from contextlib import closing

from textual.pilot import Pilot

from smriti_tui.screens.desk.loads import load_checkpoints
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from tests.support import content
from tests.ui.house import House, desk, screen_text, settle, workspace


def listed(pilot: Pilot[int]) -> list[str]:
    view = workspace(pilot).query_one(CheckpointsPane).view
    return [checkpoint.title for checkpoint in view.checkpoints]


async def test_a_checkpoint_on_a_new_branch_of_a_mounted_line_is_seen(house: House) -> None:
    space, session = house.seed(checkpoints=3)
    async with house.app() as pilot:
        services = desk(pilot).services
        assert listed(pilot) == ["State 3", "State 2", "State 1"]
        middle = services.checkpoints.of_space(space.id)[1]
        desk(pilot).mounts.mount(middle.id)
        await settle(pilot)
        assert listed(pilot) == ["State 3", "State 2", "State 1"]
        saved = services.checkpoints.create(
            space.id, content("Aside", "D9"), session=session.id, branch="side"
        )
        desk(pilot).session.read()
        await settle(pilot)
        assert listed(pilot) == ["Aside", "State 2", "State 1"]
        view = workspace(pilot).query_one(CheckpointsPane).view
        assert (view.branch, view.head, view.mounted) == (
            "side", saved.checkpoint.id, saved.checkpoint.id,
        )  # fmt: skip
        assert "side, from main" in screen_text(pilot)
        desk(pilot).mounts.unmount()
        await settle(pilot)
        assert listed(pilot) == ["State 3", "State 2", "State 1"]


def test_ancestors_are_listed_up_to_the_limit(house: House) -> None:
    space, _ = house.seed(checkpoints=4)
    with closing(house.open("cli")) as opened:
        services = opened.services
        start = services.checkpoints.of_space(space.id)[1].id
        services.checkpoints.create_on_new_branch(
            space.id, content("Aside", "D9"), branch="side", start=start
        )
        side = services.spaces.branch(space.id, "side")

        def titles(limit: int) -> tuple[list[str], bool]:
            look = load_checkpoints(services, space.id, side, limit)
            return [row.title for row in look.checkpoints], look.more

        assert titles(2) == (["Aside", "State 3"], True)
        assert titles(4) == (["Aside", "State 3", "State 2", "State 1"], False)
