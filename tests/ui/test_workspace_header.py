"""The top line: what the next send holds, and how it is cut on narrow terminals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from smriti_tui.domain.errors import StoreError
from smriti_tui.domain.model import Cost
from smriti_tui.domain.spending import Spent, spent_words
from smriti_tui.widgets.header_bar import HeaderBar, HeaderView, count, header_parts, share
from tests.ui.house import House, desk, screen_text, settle, until, workspace

FULL = HeaderView(
    space="search-index", branch="main", mode="RESTORED 4c1e9a0", out=12, tokens=2100,
    limit=128_000, cost="$0.12", model="demo/scripted", live="LIVE", clock="14:02",
)  # fmt: skip


def test_the_words_of_the_design() -> None:
    assert words(FULL, 160) == [
        "search-index", "branch main", "RESTORED 4c1e9a0: 12 turns stay out",
        "ctx 2.1k, 2% of 128k", "$0.12", "demo/scripted", "LIVE 14:02",
    ]  # fmt: skip
    assert words(FULL, 120) == [
        "search-index", "branch main", "RESTORED 4c1e9a0: 12 turns stay out", "ctx 2.1k 2%",
        "$0.12", "demo/scripted", "LIVE 14:02",
    ]  # fmt: skip
    assert words(FULL, 80) == [
        "search-index", "main", "RESTORED 4c1e9a0: 12 out", "2.1k 2%", "$0.12", "demo/scri..",
        "LIVE",
    ]  # fmt: skip
    assert words(replace(FULL, mode="HEAD 4c1e9a0", out=0), 80)[3:6] == [
        "ctx 2.1k 2%", "$0.12", "demo/scripted",
    ]  # fmt: skip


def words(view: HeaderView, width: int) -> list[str]:
    parts, live = header_parts(view, width)
    return [*(text for _, text in parts), live]


def test_what_nobody_knows_is_said_to_be_so() -> None:
    blind = replace(FULL, tokens=None, cost=spent_words(Spent().add(2, [(None, 1)])))
    for width in (160, 80):
        assert {"ctx unknown", "cost unknown"} <= set(words(blind, width))
    over = replace(FULL, tokens=131_000, too_big=True)
    assert words(over, 160)[3] == "ctx 131k too big"
    assert "131k too big" in " ".join(words(over, 80))
    assumed = replace(FULL, limit=8192, assumed=True)
    assert words(assumed, 160)[3] == "ctx 2.1k, 26% of 8.2k (assumed)"
    assert words(assumed, 80)[3] == "2.1k 26%?"


@pytest.mark.parametrize(
    ("tokens", "text"),
    [(0, "0%"), (1, "<1%"), (1280, "1%"), (1930, "2%"), (127_999, "99%"), (128_000, "100%"),
     (256_000, "200%")],
)  # fmt: skip
def test_the_share_of_the_window_is_never_told_as_nothing_or_all(tokens: int, text: str) -> None:
    assert share(tokens, 128_000) == text


@pytest.mark.parametrize(
    ("costs", "text"),
    [
        ([], "$0.00"),
        ([("0", 3)], "$0.00"),
        ([("0.11", 1), ("0.0049", 2)], "$0.12"),
        ([("0.0002", 1)], "$0.0002"),
        ([("0.12", 1), (None, 1)], "$0.12+"),
        ([("NaN", 1), (None, 1)], "cost unknown"),
    ],
)
def test_a_cost_that_is_not_whole_says_so(costs: list[tuple[str | None, int]], text: str) -> None:
    assert spent_words(Spent().add(9, costs)) == text


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


async def test_the_cost_of_the_session_grows_with_its_answers(house: House) -> None:
    house.seed()
    house.model.cost = Cost("0.03", "library")
    async with house.app() as pilot:
        header = workspace(pilot).query_one(HeaderBar)
        assert header.view.cost == "$0.00"
        for asked, cost in ((Cost("0.03", "library"), "$0.03"), (None, "$0.03+")):
            house.model.cost = asked
            await pilot.press(*"more", "enter")
            await until(pilot, lambda cost=cost: header.view.cost == cost)  # type: ignore[misc]
        await pilot.press("ctrl+n", "enter")
        await settle(pilot)
        assert header.view.cost == "$0.00"
        assert "$0.00" in screen_text(pilot).split("\n")[0]


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
