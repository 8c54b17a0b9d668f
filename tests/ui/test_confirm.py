"""A question: its rows and its keys use the same words."""

from __future__ import annotations

import pytest

from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from tests.ui.house import House, settle
from tests.ui.screens_host import has_all, press, running, text_of


@pytest.mark.parametrize("yes", ["Yes", "Quit"])
async def test_rows_and_keys_agree(house: House, yes: str) -> None:
    async with running(house, (80, 24)) as (app, pilot, _services, _told):
        results: list[bool | None] = []
        app.push_screen(ConfirmDialog("Quit?", yes=yes), results.append)
        await settle(pilot)
        keys = f"y {yes} n or esc No enter Choose"
        assert has_all(text_of(pilot), [f"No {yes}", keys]) == []
        await press(pilot, "enter")
        app.push_screen(ConfirmDialog("Quit?", yes=yes), results.append)
        await press(pilot, "down", "enter")
        app.push_screen(ConfirmDialog("Quit?", yes=yes), results.append)
        await press(pilot, "y")
        assert results == [False, True, True]
