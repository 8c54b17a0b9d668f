"""What rests on an item, from the list of checkpoints and from the view of one."""

from __future__ import annotations

import pytest

from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.dialogs.reach import ReachDialog
from smriti_tui.widgets.row_list import RowList
from tests.ui.house import House, desk, on_top, settle, workspace
from tests.ui.screens_host import has_all, is_grid, press, text_of
from tests.ui.test_form_retiring import told


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_a_view_tells_it_and_opens_what_is_chosen(
    house: House, size: tuple[int, int]
) -> None:
    _, head = told(house)
    async with house.app(size) as pilot:
        services = desk(pilot).services
        pilot.app.push_screen(CheckpointView(services, head, "A2"))
        await settle(pilot)
        pilot.app.screen.action_run("item.reach")  # type: ignore[attr-defined]
        await settle(pilot)
        assert on_top(pilot, ReachDialog)
        dialog = pilot.app.screen
        assert dialog.query_one(RowList).cursor_key == "a-small"
        assert is_grid(pilot)
        text = await press(pilot, "enter")
        assert has_all(text, ["On A2 At most 2 M documents rests:", "D1 Use FTS5"]) == []
        assert is_grid(pilot)
        if size == (120, 36):
            assert has_all(
                text,
                ["rests on A2", "rests on A2, on explore", "claim of ada: the test",
                 "its task is T1"],
            ) == []  # fmt: skip
        await press(pilot, "escape")
        assert dialog.query_one(RowList).cursor_key == "a-small"
        await press(pilot, "enter", "enter")
        assert on_top(pilot, CheckpointView)
        assert "D1 Use FTS5" in text_of(pilot)
        await press(pilot, "escape", "escape")
        assert pilot.app.screen is workspace(pilot)


async def test_a_branch_and_a_claim_open_their_checkpoints(house: House) -> None:
    _, head = told(house)
    async with house.app() as pilot:
        workspace(pilot).go("checkpoints")
        desk(pilot).checkpoints.mark(head)
        await settle(pilot)
        workspace(pilot).action_run("item.reach")
        await settle(pilot)
        await press(pilot, "j", "j", "j", "enter")
        assert has_all(text_of(pilot), ["On A2"]) == []
        await press(pilot, "G", "k", "enter")
        assert has_all(text_of(pilot), ["on explore", "Tantivy"]) == []
        await press(pilot, "escape")
        workspace(pilot).action_run("item.reach")
        await settle(pilot)
        await press(pilot, "enter", "G", "enter")
        assert on_top(pilot, CheckpointView)
        assert has_all(text_of(pilot), [f"CHECKPOINT {head[:7]}", "on main"]) == []


async def test_nothing_is_told_as_nothing(house: House) -> None:
    house.seed(checkpoints=1)
    async with house.app() as pilot:
        workspace(pilot).go("checkpoints")
        await settle(pilot)
        workspace(pilot).action_run("item.reach")
        await settle(pilot)
        text = await press(pilot, "enter")
        assert has_all(text, ["Nothing rests on D1 D1."]) == []
        await press(pilot, "escape")
        assert pilot.app.screen is workspace(pilot)
