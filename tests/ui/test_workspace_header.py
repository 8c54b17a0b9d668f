"""The top line: what the next send holds, and how it is cut on narrow terminals."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from smriti_tui.domain.errors import StoreError
from smriti_tui.widgets.header_bar import HeaderBar, HeaderView, count, header_parts
from tests.ui.house import House, desk, screen_text, settle, workspace

FULL = HeaderView(
    space="search-index", branch="main", mode="RESTORED 4c1e9a0", out=12, tokens=2100,
    limit=128_000, model="demo/scripted", live="LIVE", clock="14:02",
)  # fmt: skip


def test_the_words_of_the_design() -> None:
    parts, live = header_parts(FULL, 120)
    assert [text for _, text in parts] == [
        "search-index", "branch main", "RESTORED 4c1e9a0: 12 turns stay out", "ctx 2.1k of 128k",
        "demo/scripted",
    ]  # fmt: skip
    assert live == "LIVE 14:02"
    parts, live = header_parts(FULL, 80)
    assert [text for _, text in parts] == [
        "search-index", "main", "RESTORED 4c1e9a0: 12 out", "ctx 2.1k", "demo/scripted",
    ]  # fmt: skip
    assert live == "LIVE"


@pytest.mark.parametrize("width", range(20, 140, 7))
def test_it_is_cut_from_the_right_and_never_too_wide(width: int) -> None:
    parts, live = header_parts(FULL, width)
    gap = 3 if width >= 100 else 2
    used = sum(cell_len(text) + gap for _, text in parts) + cell_len(live) + 2
    assert used <= width + gap
    whole = [name for name, _ in header_parts(FULL, 200)[0]]
    assert [name for name, _ in parts] == whole[: len(parts)]


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (2114, "2.1k"), (99_949, "99.9k"), (128_000, "128k")],
)
def test_numbers_are_short(number: int, text: str) -> None:
    assert count(number) == text


async def test_the_size_follows_what_is_typed_and_is_what_a_send_would_hold(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        header = workspace(pilot).query_one(HeaderBar)
        before = header.view.tokens
        await pilot.press(*"a longer message than nothing at all")
        await pilot.pause(0.5)
        await settle(pilot)
        typed = header.view.tokens
        assert typed is not None
        assert before is not None
        assert typed > before
        found = desk(pilot)
        assert found.place.session is not None
        exact = found.services.chat.preview(
            found.place.session, "a longer message than nothing at all"
        )
        assert typed == exact.context.estimate.tokens


async def test_a_click_on_the_mode_opens_the_inspector(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        at = screen_text(pilot).split("\n")[0].index("HEAD")
        await pilot.click(HeaderBar, offset=(at + 1, 0))
        await settle(pilot)
        assert "CONTEXT" in screen_text(pilot)


async def test_an_unreachable_database_is_said_and_so_is_its_return(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await pilot.press(*"kept")
        desk(pilot).live.reached(StoreError("The database cannot be read.", "Look at the disk."))
        await pilot.pause()
        shown = screen_text(pilot)
        assert "OFFLINE" in shown
        assert "The database cannot be read. Look at the disk. What you type is kept." in shown
        desk(pilot).live.reached(None)
        await settle(pilot)
        shown = screen_text(pilot)
        assert "OFFLINE" not in shown
        assert "cannot be read" not in shown
        assert "kept" in shown
