"""The bar above the footer goes by itself once what it tells of is gone."""

from __future__ import annotations

from contextlib import closing

from smriti_tui.domain.errors import StoreError
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from tests.support import content
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace


async def test_no_model_is_no_news_once_one_was_chosen(house: House) -> None:
    house.environ["SMRITI_CHAT_MODEL"] = ""
    house.seed()
    async with house.app() as pilot:
        bar = workspace(pilot).query_one(NoticeBar)
        await pilot.press(*"hello", "enter")
        await settle(pilot)
        assert "ctrl+t" in bar.words
        await pilot.press("ctrl+t")
        await settle(pilot)
        await pilot.press(*"demo/scripted", "enter")
        await settle(pilot)
        assert desk(pilot).place.model == "demo/scripted"
        assert bar.words == ""
        assert not bar.display
        await pilot.press("enter")
        await settle(pilot)
        assert "2 assistant" in screen_text(pilot)


async def test_a_refused_send_is_no_news_once_one_succeeds(house: House) -> None:
    space, _ = house.seed()
    async with house.app() as pilot:
        bar = workspace(pilot).query_one(NoticeBar)
        await pilot.press(*"hello")
        await settle(pilot)
        basis = desk(pilot).place.next
        with closing(house.open("cli", actor="codex")) as other:
            other.services.checkpoints.create(space.id, content("From outside", "D9"))
        desk(pilot).here.counted(basis)
        desk(pilot).talk.submit("hello")
        await settle(pilot)
        assert "Before this was sent" in bar.words
        await pilot.press("enter")
        await settle(pilot)
        assert bar.words == ""
        assert workspace(pilot).query_one(Prompt).text == ""


async def test_only_the_notice_whose_cause_is_gone_goes(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        bar, live = workspace(pilot).query_one(NoticeBar), desk(pilot).live
        workspace(pilot).tell("The settings have a fault.", "Look at them.")
        live.reached(None)
        await settle(pilot)
        assert "The settings have a fault." in bar.words
        desk(pilot).voice.fail(StoreError("It could not be written."), "mount")
        live.reached(None)
        await settle(pilot)
        assert bar.words == ""


async def test_work_that_succeeds_again_takes_its_error_away(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        bar = workspace(pilot).query_one(NoticeBar)
        desk(pilot).voice.fail(StoreError("The Spaces could not be read."), "tree")
        await pilot.pause()
        assert "could not be read" in bar.words
        desk(pilot).tree.read()
        await settle(pilot)
        assert bar.words == ""


async def test_the_chosen_way_to_begin_has_a_sign(house: House) -> None:
    async with house.app() as pilot:
        shown = screen_text(pilot)
        assert "> 1  Look around in a demo Space" in shown
        assert "> 2" not in shown
        await pilot.press("down")
        await pilot.pause()
        shown = screen_text(pilot)
        assert "  1  Look around in a demo Space" in shown
        assert "> 2  Start an empty Space" in shown
        assert "> 1" not in shown


async def test_a_likely_secret_that_is_sent_is_told_of(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"key sk-abcdefghij0123456789xyz", "enter")
        await settle(pilot)
        await until(pilot, lambda: "may hold a secret" in notes(pilot))
        assert "`smriti redact --text -`" in notes(pilot)
        assert "sk-abcdefghij" not in notes(pilot)
