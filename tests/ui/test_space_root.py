"""The project root as it is typed: `~` and a relative path are made whole, and a folder that is not
there is told."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from smriti_tui.widgets.fields import LineInput
from tests.ui.house import House, notes, settle, workspace


async def test_a_typed_root_is_made_whole_and_looked_at(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "there").mkdir()
    async with house.app() as pilot:
        for root, told in (("~/there", False), ("~/gone", True)):
            workspace(pilot).action_run("space.new")
            await settle(pilot)
            pilot.app.screen.query_one("#space-name", LineInput).value = root
            pilot.app.screen.query_one("#space-root", LineInput).value = root
            await pilot.press("enter")
            await settle(pilot)
            said = "".join(notes(pilot).split())
            assert ("Thereisnofolder" in said) is told
    with closing(house.open("cli")) as opened:
        roots = {space.project_root for space in opened.services.spaces.all()}
        assert roots == {str(tmp_path / "there"), str(tmp_path / "gone")}
