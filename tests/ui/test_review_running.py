"""A review on its way: asked for, stopped, failed, made without a model, or not at all where
nothing can be written; and what others do meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from smriti_tui.domain.errors import ProviderError
from smriti_tui.screens.review.panes import EMPTY
from smriti_tui.screens.review.review import ReviewScreen
from smriti_tui.services.review_settling import Settling
from smriti_tui.widgets.notice_bar import NoticeBar
from tests.support import content
from tests.ui.house import notes, on_top, settle, until
from tests.ui.reviewing import at_work, house_of, opened
from tests.ui.screens_host import has_all, press, text_of
from tests.ui.test_review_screen import texts


def empty(screen: ReviewScreen) -> str:
    """What stands in the place of the list."""
    return screen.panes.rows._empty if not screen.panes.rows.row_count else ""


def below(screen: ReviewScreen) -> str:
    """What stands below the list: how the call went."""
    return str(screen.query_one("#review-running", Static).content)


def bar(screen: ReviewScreen) -> str:
    """What stands in the bar."""
    return screen.query_one(NoticeBar).words


async def test_stopped_it_leaves_nothing_behind(tmp_path: Path) -> None:
    house, model = house_of(tmp_path)
    model.held = asyncio.Event()
    async with at_work(house) as (app, pilot, services, told):
        await pilot.press("escape", "2", "r")
        await until(pilot, lambda: "asking demo/scripted for findings" in text_of(pilot))
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        await until(pilot, lambda: screen.report is not None)
        assert has_all(text_of(pilot), ["esc stops it", "1 of 2 quotes verified"]) == []
        await press(pilot, "escape")
        assert on_top(pilot, ReviewScreen)
        assert below(screen) == "Stopped; nothing was recorded. R asks again."
        assert services.reviewing.latest(told.checkpoint.id) is None
        model.held = None
        await press(pilot, "R")
        assert (model.asked, len(screen.findings)) == (2, 4)
        await press(pilot, "R")
        assert len(screen.findings) == 4
        assert "meanwhile" not in notes(pilot)


async def test_leaving_the_app_stops_the_call_and_its_end_is_stored(tmp_path: Path) -> None:
    house, model = house_of(tmp_path)
    model.held = asyncio.Event()
    async with at_work(house) as (app, pilot, services, told):
        await pilot.press("escape", "2", "r")
        await until(pilot, lambda: model.asked == 1)
        assert app.workspace is not None
        await app.workspace.put_away()
        assert services.reviewing.latest(told.checkpoint.id) is None
        await settle(pilot)


async def test_a_call_that_fails_says_so_and_can_be_made_again(tmp_path: Path) -> None:
    house, model = house_of(tmp_path)
    async with at_work(house) as (_, pilot, services, told):
        model.faults = [ProviderError("The server is busy.", "Wait a little.", kind="server")]
        screen = await opened(pilot, told)
        assert bar(screen) == "The server is busy. Wait a little."
        assert below(screen) == "The review failed; nothing was recorded. R asks again."
        assert services.reviewing.latest(told.checkpoint.id) is None
        model.says = "I think all is well."
        await press(pilot, "R")
        assert "is no list of findings; nothing was recorded" in below(screen)
        assert "I think all is well." in texts(screen, "#review-evidence")
        assert services.reviewing.latest(told.checkpoint.id) is None


async def test_without_a_model_the_rules_are_recorded_alone(tmp_path: Path) -> None:
    house, model = house_of(tmp_path, SMRITI_BACKGROUND_MODEL="")
    async with at_work(house) as (_, pilot, services, told):
        screen = await opened(pilot, told)
        words = [
            "No background model is set.", "The rules alone were recorded.",
            "Set background.model in the settings", "1 open of 1", "UNVERIFIED EVIDENCE",
        ]  # fmt: skip
        assert has_all(text_of(pilot), words) == []
        latest = services.reviewing.latest(told.checkpoint.id)
        assert latest is not None
        assert latest.review.model is None
        assert model.asked == 0
        await press(pilot, "escape", "x")
        assert "No model was asked" in notes(pilot)
        assert isinstance(pilot.app.screen, ReviewScreen)
        await press(pilot, "a")
        assert screen.findings[0].outcome == "accepted"


async def test_nothing_found_is_said(tmp_path: Path) -> None:
    house, model = house_of(tmp_path)
    model.says = '{"findings": []}'
    async with at_work(house) as (app, pilot, services, told):
        made = services.checkpoints.create(told.space.id, content("Clean", "Use FTS5"))
        app.push_screen(ReviewScreen(services, made.checkpoint.id))
        await settle(pilot)
        shown = text_of(pilot)
        assert "EMPTY OBJECTIVE" in shown  # by the rules
        given = replace(content("Clean", "Use FTS5"), objective="Find things")
        clean = services.checkpoints.create(told.space.id, given).checkpoint
        screen = ReviewScreen(services, clean.id)
        app.push_screen(screen)
        await settle(pilot)
        assert empty(screen) == EMPTY
        assert "No findings." in text_of(pilot)
        await press(pilot, "a", "n", "w")
        assert has_all(notes(pilot), ["Go to a finding", "There is no finding", "Nothing is"]) == []


async def test_what_others_settle_and_record_appears_and_is_told(tmp_path: Path) -> None:
    house, _ = house_of(tmp_path)
    async with at_work(house) as (_, pilot, _, told):
        screen = await opened(pilot, told)
        with closing(house.open("cli", actor="bob")) as other:
            reviewing = other.services.reviewing
            both = [Settling(each.finding.id, "accepted") for each in screen.findings[1:3]]
            reviewing.settle_all(both)
            await until(pilot, lambda: screen.findings[1].outcome == "accepted")
            await until(pilot, lambda: "bob accepted 2 findings meanwhile." in notes(pilot))
            assert screen.under_cursor is screen.findings[0]
            reviewing.record_rules(told.checkpoint.id)
            await until(pilot, lambda: "bob reviewed it meanwhile: 3 findings." in notes(pilot))
        assert "rules alone" in text_of(pilot)


async def test_a_database_that_takes_no_writes_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, model = house_of(tmp_path)
    async with at_work(house) as (app, pilot, services, told):
        # As on a disk that is mounted so; root is asked nothing there.
        monkeypatch.setattr("smriti_tui.store.backends.sqlite.os.access", lambda *_: False)
        screen = ReviewScreen(services, told.checkpoint.id)
        app.push_screen(screen)
        await settle(pilot)
        assert model.asked == 0
        assert bar(screen).startswith("The database is read only, so no review is made.")
        assert has_all(text_of(pilot), ["UNVERIFIED EVIDENCE", "not recorded"]) == []
        await press(pilot, "escape", "a", "D", "e", "w", "R")
        assert app.screen is screen
        assert notes(pilot).count("The database is read only") == 5
        assert screen.why_not("review.accept") == "the database is read only"
