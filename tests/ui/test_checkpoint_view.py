"""A checkpoint in full."""

from __future__ import annotations

import pytest

from smriti_tui.domain.ids import CheckpointId
from smriti_tui.screens.checkpoint_view import CheckpointView, Shown, Wanted, sections
from smriti_tui.widgets.literal_view import LiteralView
from tests.ui.house import House, settle
from tests.ui.screens_host import SIZES, has_all, is_grid, press, running, text_of


@pytest.mark.parametrize("size", SIZES)
async def test_it_shows_everything(house: House, size: tuple[int, int]) -> None:
    async with running(house, size) as (app, pilot, services, told):
        view = CheckpointView(services, told.checkpoint.id)
        app.push_screen(view)
        await settle(pilot)
        text = text_of(pilot)
        assert has_all(text, ["chain ok", "Choose FTS5", "by ada"]) == []
        assert is_grid(pilot)
        assert app.focused is view.query_one(LiteralView)
        whole = "\n".join(
            f"{part.label}\n{part.text}" for part in view.query_one(LiteralView).sections
        )
        for word in (
            told.checkpoint.id, "Chain ok", "- D1 Use SQLite FTS5", "- T1 Load test [test]",
            "(done)", "- fts5", "bench.csv (text", "Made from turns 1 to 4", "parents: none",
        ):  # fmt: skip
            assert word in whole
        end = await press(pilot, "G")
        assert "x,y" in end
        await press(pilot, "escape")
        assert app.screen is app.workspace


async def test_mounting_from_here(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        results: list[Wanted | None] = []
        app.push_screen(CheckpointView(services, told.checkpoint.id), results.append)
        await settle(pilot)
        await press(pilot, "y")
        assert app.clipboard == told.checkpoint.id
        await press(pilot, "m")
        assert results == [Wanted("mount", told.checkpoint.id)]


async def test_one_that_is_gone_is_told(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, services, _told):
        app.push_screen(CheckpointView(services, CheckpointId("0" * 64)))
        await settle(pilot)
        assert has_all(text_of(pilot), ["This checkpoint cannot be shown."]) == []


async def test_a_broken_chain_is_told_in_words(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, services, told):
        view = CheckpointView(services, told.checkpoint.id)
        app.push_screen(view)
        await settle(pilot)
        view.shown = Shown(told.checkpoint, "s", (), ("its content does not give its id",))
        await settle(pilot)
        assert has_all(text_of(pilot), ["chain BROKEN"]) == []
        assert view.shown is not None
        assert "Chain BROKEN: its content does not give its id" in sections(view.shown)[0].text
