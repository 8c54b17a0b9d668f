"""Two checkpoints side by side."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from smriti_tui.domain.model import Item
from smriti_tui.screens.compare import CompareScreen
from smriti_tui.screens.compare_asked import CompareAsked
from smriti_tui.widgets.literal_view import LiteralView
from smriti_tui.widgets.row_list import RowList
from tests.support import content
from tests.ui.house import House, desk, on_top, settle
from tests.ui.merging import apart, merging_app, opened, says
from tests.ui.screens_host import HOSTILE, SIZES, has_all, is_grid, press, text_of


def side(screen: CompareScreen, number: int) -> str:
    """The text of a side."""
    found = screen.query_one(f"#side-{number}", LiteralView).sections
    return "\n".join("".join(piece.text for piece in each.pieces) for each in found)


async def test_what_differs_is_listed_and_told_by_signs(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with merging_app(house) as (pilot, services, lines):
        screen = await opened(pilot, services, CompareAsked(b=lines.theirs.id, a=lines.ours.id))
        assert side(screen, 1) == "[-Use SQLite FTS5, no search server, up to 2 M docs-]"
        assert side(screen, 2) == "{+Use Tantivy behind a thin service+}"
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settle(pilot)
            text = text_of(pilot)
            wanted = ["COMPARE", "~ D1 changed", "+ D2 only in B", "3 equal (=)"]
            assert has_all(text, wanted) == []
            assert "D3" not in text
            assert is_grid(pilot)
            if size[0] < 100:
                assert "Tantivy" not in text
                text = await press(pilot, "tab")
                assert has_all(text, ["{+Use Tantivy behind a", "B "]) == []
                assert is_grid(pilot)
                await press(pilot, "shift+tab")
        await press(pilot, "N")
        assert side(screen, 1).endswith("  a,1\n- b,2\n  c,3\n- d,4\n")
        assert side(screen, 2).endswith("  a,1\n+ b,9\n  c,3\n")
        await press(pilot, "escape")
        assert not on_top(pilot, CompareScreen)


async def test_equal_things_show_when_asked_and_the_cursor_stays(house: House) -> None:
    async with merging_app(house) as (pilot, services, lines):
        screen = await opened(pilot, services, CompareAsked(b=lines.theirs.id, a=lines.ours.id))
        await press(pilot, "j", "=")
        rows = screen.query_one("#compare-list", RowList)
        assert rows.cursor_key == "decisions:b1"
        text = await press(pilot, "k")
        assert has_all(text, ["= D2 same", "see [/x] and [bold]not[/]", "␛]0;title␇"]) == []
        assert HOSTILE not in text
        assert is_grid(pilot)
        text = await press(pilot, "=")
        assert "= D2" not in text
        assert rows.cursor_key is not None


async def test_the_sides_are_swapped_and_the_thing_stays(house: House) -> None:
    async with merging_app(house) as (pilot, services, lines):
        screen = await opened(pilot, services, CompareAsked(b=lines.theirs.id, a=lines.ours.id))
        await press(pilot, "j", "v")
        text = text_of(pilot)
        assert f"COMPARE {lines.theirs.id[:7]} with {lines.ours.id[:7]}" in text
        assert ">+ D2 only in A" in " ".join(text.split())
        await press(pilot, "k")
        assert side(screen, 1) == "[-Use Tantivy behind a thin service-]"


async def test_where_an_item_comes_from(house: House) -> None:
    async with merging_app(house, (80, 24)) as (pilot, services, lines):
        await opened(pilot, services, CompareAsked(b=lines.theirs.id, a=lines.ours.id))
        text = await press(pilot, "o")
        wanted = ["Where D1 comes from", "was changed in", "Up to 2 M", "first stands in", "Base"]
        assert has_all(text, wanted) == []
        assert is_grid(pilot)
        await press(pilot, "escape", "N")
        await says(pilot, "Only items are followed back", "o")


async def test_unrelated_and_crossing_histories_are_told(house: House) -> None:
    with closing(house.open("cli")) as other:
        lines = apart(other.services)
        services = other.services
        alone = services.spaces.create("another")
        stranger = services.checkpoints.create(alone.id, content("Else", "X")).checkpoint
    async with merging_app(house, lines=lines) as (pilot, services, _):
        await opened(pilot, services, CompareAsked(b=stranger.id, a=lines.ours.id))
        text = text_of(pilot)
        assert has_all(text, ["unrelated", "nothing of one comes from the other"]) == []
        text = await press(pilot, "M")
        assert "different Spaces" in text


async def test_c_compares_the_marked_checkpoint_or_head_with_the_one_under_the_cursor(
    house: House,
) -> None:
    async with merging_app(house) as (pilot, _services, lines):
        await press(pilot, "escape", "2")
        found = desk(pilot).checkpoints
        found.mark(lines.base.id)
        await press(pilot, "c")
        assert f"COMPARE {lines.ours.id[:7]} with {lines.base.id[:7]}" in text_of(pilot)
        assert "One comes from the other" in text_of(pilot)
        await press(pilot, "escape", "space")
        found.mark(lines.ours.id)
        await press(pilot, "c")
        assert f"COMPARE {lines.base.id[:7]} with {lines.ours.id[:7]}" in text_of(pilot)
        await press(pilot, "escape", "escape")
        found.mark(lines.ours.id)
        await says(pilot, "This is HEAD itself", "c")


async def test_long_texts_are_compared_beside_the_keys(house: House) -> None:
    with closing(house.open("cli")) as other:
        lines = apart(other.services)
        long = " ".join(f"word{number}" for number in range(1500))
        given = replace(content("Long"), decisions=(Item("", long),))
        made = other.services.checkpoints.create(lines.space.id, given).checkpoint
        uid = made.body.decisions[0].uid
        more = replace(given, decisions=(Item(uid, long.replace("word700 ", "other ")),))
        last = other.services.checkpoints.create(lines.space.id, more).checkpoint
    async with merging_app(house, lines=lines) as (pilot, services, _):
        screen = await opened(pilot, services, CompareAsked(b=last.id, a=made.id))
        await settle(pilot)
        assert "word699 [-word700-] word701" in side(screen, 1)
        assert "word699 {+other+} word701" in side(screen, 2)
