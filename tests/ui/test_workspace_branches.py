"""Pane 2: the history of all branches as a graph, or of the one the session's line stands on."""

from __future__ import annotations

from contextlib import closing

import pytest
from textual.pilot import Pilot

from smriti_tui.screens.desk import checkpoints
from smriti_tui.screens.desk.history_loads import load_history, load_more
from smriti_tui.widgets import checkpoints_pane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from tests.support import content
from tests.ui.house import House, desk, screen_text, settle, until, workspace


def listed(pilot: Pilot[int]) -> list[str]:
    view = workspace(pilot).query_one(CheckpointsPane).view
    return [checkpoint.title for checkpoint in view.checkpoints]


async def test_a_checkpoint_on_a_new_branch_of_a_mounted_line_is_seen(house: House) -> None:
    space, session = house.seed(checkpoints=3)
    async with house.app() as pilot:
        services = desk(pilot).services
        assert "all branches" in screen_text(pilot)
        await pilot.press("escape", "2", "]")
        await settle(pilot)
        assert "this branch: main" in screen_text(pilot)
        middle = services.checkpoints.of_space(space.id)[1]
        desk(pilot).mounts.mount(middle.id)
        await settle(pilot)
        assert listed(pilot) == ["State 3", "State 2", "State 1"]
        saved = services.checkpoints.create(
            space.id, content("Aside", "D9"), session=session.id, branch="side"
        )
        desk(pilot).session.read()
        await until(pilot, lambda: listed(pilot) == ["Aside", "State 2", "State 1"])
        await settle(pilot)
        view = workspace(pilot).query_one(CheckpointsPane).view
        assert (view.branch, view.head, view.mounted) == (
            "side", saved.checkpoint.id, saved.checkpoint.id,
        )  # fmt: skip
        assert "side, from main" in screen_text(pilot)
        await pilot.press("[")
        await settle(pilot)
        assert listed(pilot) == ["Aside", "State 3", "State 2", "State 1"]
        assert "@ " in screen_text(pilot)
        await pilot.press("]")
        desk(pilot).mounts.unmount()
        await settle(pilot)
        assert listed(pilot) == ["State 3", "State 2", "State 1"]


def test_ancestors_are_read_page_by_page(house: House) -> None:
    space, _ = house.seed(checkpoints=4)
    with closing(house.open("cli")) as opened:
        services = opened.services
        start = services.checkpoints.of_space(space.id)[1].id
        services.checkpoints.create_on_new_branch(
            space.id, content("Aside", "D9"), branch="side", start=start
        )
        side = services.spaces.branch(space.id, "side")
        first = load_history(services, space.id, side.id, 2)
        assert [row.title for row in first.rows] == ["Aside", "State 3"]
        assert first.more
        whole = load_more(services, space.id, first, 2)
        assert [row.title for row in whole.rows] == ["Aside", "State 3", "State 2", "State 1"]
        assert not whole.more
        assert set(whole.knots) == {row.id for row in whole.rows}


async def test_the_end_of_a_long_history_is_one_key_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAGE", 2)
    monkeypatch.setattr(checkpoints_pane, "NEAR_END", 0)
    house.seed(checkpoints=9)
    async with house.app() as pilot:
        assert listed(pilot) == ["State 9", "State 8"]
        await pilot.press("escape", "2", "G")
        await settle(pilot)
        pane = workspace(pilot).query_one(CheckpointsPane)
        assert listed(pilot)[-1] == "State 1"
        assert pane.cursor_key == pane.view.checkpoints[-1].id
        await pilot.press("g")
        await settle(pilot)
        assert pane.cursor_key == pane.view.checkpoints[0].id
