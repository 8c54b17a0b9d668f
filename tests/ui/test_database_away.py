"""What the person sees when the database misbehaves: real files, real locks, a real small disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from smriti_tui.store.engine import driver
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, screen_text, settle, until, workspace


@contextmanager
def foreign_writer(house: House) -> Iterator[Any]:
    """Another program in the middle of a long transaction, without any lock of ours."""
    with closing(driver().connect(str(house.folder / "smriti.db"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


async def test_a_write_that_waits_says_so_and_goes_on(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        bar = workspace(pilot).query_one(NoticeBar)
        with foreign_writer(house) as other:
            await pilot.press(*"hello", "enter")
            start = time.monotonic()
            await until(pilot, lambda: bar.display)
            assert time.monotonic() - start < 3
            assert "Waiting for the database" in screen_text(pilot)
            assert "esc gives up" in screen_text(pilot)
            other.execute("ROLLBACK")
        await settle(pilot)
        assert not bar.display
        assert "2 assistant" in screen_text(pilot)


async def test_esc_gives_a_wait_up_and_the_text_is_back(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        with foreign_writer(house):
            await pilot.press(*"hello", "enter")
            await until(pilot, lambda: "Waiting for the database" in screen_text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: "given up" in screen_text(pilot))
            assert workspace(pilot).query_one(Prompt).text == "hello"
        await pilot.press("enter")
        await settle(pilot)
        assert len(house.model.calls) == 1
        assert not workspace(pilot).query_one(NoticeBar).display


async def test_a_dialog_says_what_it_waits_for(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press("escape", "1", "k", "n", *"thesis")
        with foreign_writer(house):
            await pilot.press("enter")
            await until(pilot, lambda: "Waiting for the database" in screen_text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: "was given up" in screen_text(pilot))
        await pilot.press("enter")
        await settle(pilot)
        assert "thesis" in screen_text(pilot)
