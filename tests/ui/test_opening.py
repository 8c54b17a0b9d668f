"""Before the database is open, and after that failed, the panes say so and what to do."""

from __future__ import annotations

from smriti_tui.app import SmritiApp, Start
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, screen_text, settle, workspace


async def test_while_it_opens_every_pane_says_so(house: House) -> None:
    app = SmritiApp(Start(), light=house.light, opener=house.open)
    try:
        async with app.run_test(size=(120, 36)) as pilot:
            assert screen_text(pilot).count("Opening the database.") == 4
            assert "OPENING" in screen_text(pilot)
            await settle(pilot)
            assert "pening" not in screen_text(pilot).lower()
    finally:
        if app.opened is not None:
            app.opened.close()


async def test_what_could_not_be_opened_can_be_mended_and_tried_again(house: House) -> None:
    database = house.folder / "smriti.db"
    database.write_text("no database at all")
    async with house.app() as pilot:
        shown = screen_text(pilot)
        assert "OFFLINE" in shown
        assert "enter tries again" in shown
        assert "not a Smriti database" in shown
        await pilot.press(*"kept", "enter")
        await settle(pilot)
        assert "enter tries again" in screen_text(pilot)
        database.unlink()
        await pilot.press("enter")
        await settle(pilot)
        assert "LIVE" in screen_text(pilot)
        assert workspace(pilot).query_one(Prompt).text == "kept"
