"""Filters, marks and the preview: what is typed at a pane's foot, and the keys that walk hits."""

from __future__ import annotations

from contextlib import closing

import pytest
from textual.widgets import Input

from smriti_tui.screens.desk import checkpoints
from smriti_tui.widgets import checkpoints_pane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.filter_line import FilterLine
from smriti_tui.widgets.preview_pane import PreviewPane
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.row_filter import sift
from smriti_tui.widgets.row_list import Piece, Row, RowLine
from tests.support import content
from tests.ui.house import House, on_top, place_of, screen_text, settle, until, workspace

WORDS = ["plain", "Grüße", "日本語の検索", "مرحبا بالعالم", "हिन्दी खोज", "see [/x] and [b]"]


def rows(*words: str) -> tuple[Row, ...]:
    return tuple(Row(str(at), (RowLine((Piece(word),)),)) for at, word in enumerate(words))


def test_any_words_are_literal_and_capitals_and_accents_do_not_matter() -> None:
    for typed, found in [
        ("GRÜSSE", {"1"}), ("gru\u0308sse", {"1"}), ("検索", {"2"}), ("بالعالم", {"3"}),
        ("खोज हिन्दी", {"4"}), ("[/x]", {"5"}), ("see plain", set()), ("  ", set()),
    ]:  # fmt: skip
        assert sift(rows(*WORDS), typed).hits == found, typed
    assert len(sift(rows(*WORDS), " ").rows) == len(WORDS)


def test_a_hit_keeps_what_it_hangs_under() -> None:
    tree = (
        Row("a", (RowLine((Piece("one"),)),)),
        Row("b", (RowLine((Piece("needle"),)),), under="a"),
        Row("c", (RowLine((Piece("two"),)),)),
    )
    sifted = sift(tree, "needle")
    assert [row.key for row in sifted.rows] == ["a", "b"]
    assert sifted.hits == {"b"}


async def test_a_filter_is_typed_kept_walked_and_cleared(house: House) -> None:
    space, _ = house.seed(checkpoints=3)
    with closing(house.open("cli")) as other:
        other.services.checkpoints.create(space.id, content("State of zebras", "D"))
    async with house.app() as pilot:
        screen = workspace(pilot)
        pane = screen.query_one(CheckpointsPane)
        await pilot.press("escape", "2", "slash", *"state")
        await pilot.pause()
        assert screen.query_one(FilterLine).typing
        assert "4 of 4" in screen_text(pilot)
        await pilot.press("space", *"zeb")
        await pilot.pause()
        assert "1 of 4" in screen_text(pilot)
        assert "State 1" not in screen_text(pilot)
        # Another program writes: the filter stays, and what fits comes in.
        with closing(house.open("cli")) as other:
            other.services.checkpoints.create(space.id, content("State: zebras again", "D"))
        await until(pilot, lambda: "2 of 5" in screen_text(pilot))
        await pilot.press("enter")
        await pilot.pause()
        assert screen.focused is pane
        assert "n Next hit  N Previous  esc Clear" in screen_text(pilot)
        before = pane.cursor_key
        await pilot.press("n")
        await pilot.pause()
        assert pane.cursor_key not in (None, before)
        assert on_top(pilot, type(screen))  # n did not open the form
        await pilot.press("N")
        await pilot.pause()
        assert pane.cursor_key == before
        screen.dismiss_notice()  # What the other one saved may be told there.
        await pilot.press("escape")
        await pilot.pause()
        assert not screen.query(FilterLine)
        assert pane.cursor_key == before
        assert "State 1" in screen_text(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert not on_top(pilot, type(screen))  # without a filter n is new again


async def test_slash_in_the_chat_finds_turns_and_escape_goes_one_step_at_a_time(
    house: House,
) -> None:
    house.seed()
    async with house.app() as pilot:
        screen = workspace(pilot)
        for words in ("needle", "nothing"):
            await pilot.press(*words, "enter")
            await settle(pilot)
        chat = screen.places.stop("chat")
        await pilot.press(*"kept", "escape", "slash", *"needle")
        await pilot.pause()
        assert " of 3 turns" in screen_text(pilot)
        await pilot.press("enter", "n")
        await pilot.pause()
        assert screen.focused is chat
        assert "1 of 3 turns" in screen_text(pilot)
        await pilot.press("i")
        await pilot.pause()
        assert screen.focused is screen.query_one(Prompt)
        await pilot.press("escape")  # leaves typing; the filter of the chat is the next step
        assert screen.query(FilterLine)
        await pilot.press("escape")
        await pilot.pause()
        assert not screen.query(FilterLine)
        assert screen.query_one(Prompt).text == "kept"
        await pilot.press("escape", "escape")
        assert pilot.app.is_running


async def test_escape_while_typing_a_filter_clears_it_and_an_empty_one_goes_by_enter(
    house: House,
) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        screen = workspace(pilot)
        await pilot.press("escape", "1", "slash", *"zzz")
        await until(pilot, lambda: "Nothing here holds these words." in screen_text(pilot))
        assert screen.query_one(FilterLine).query_one(Input).has_focus
        await pilot.press("escape")
        await pilot.pause()
        assert screen.focused is screen.query_one("#spaces")
        await pilot.press("slash")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert not screen.query(FilterLine)
        assert screen.focused is screen.query_one("#spaces")
        await pilot.press("2", "slash", *"state", "enter", "1")
        await pilot.pause()
        await pilot.pause()
        assert "/ state" not in screen_text(pilot)  # The line goes with its pane.
        await pilot.press("2")
        await pilot.pause()
        await pilot.pause()
        assert "/ state" in screen_text(pilot)


async def test_a_filter_of_checkpoints_asks_for_older_ones_until_it_finds_some(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "PAGE", 2)
    monkeypatch.setattr(checkpoints_pane, "NEAR_END", 0)
    house.seed(checkpoints=9)
    async with house.app() as pilot:
        pane = workspace(pilot).query_one(CheckpointsPane)
        assert pane.whole_count == 2
        await pilot.press("escape", "2", "slash", *"Stat")
        await until(pilot, lambda: pane.whole_count > 2)
        await pilot.press(*"zz")
        await until(pilot, lambda: pane.whole_count == 9)
        await settle(pilot)
        assert "0 of 9" in screen_text(pilot)


async def test_marks_take_in_a_range_and_escape_clears_them(house: House) -> None:
    house.seed(checkpoints=4)
    async with house.app() as pilot:
        pane = workspace(pilot).query_one(CheckpointsPane)
        await pilot.press("escape", "2", "space", "j", "j", "space")
        await pilot.pause()
        assert len([*pane.marks]) == 3
        assert "2 Checkpoints   3 marked" in screen_text(pilot)
        assert f"o*{pane.marks[1][:7]}" in screen_text(pilot)
        await pilot.press("k", "space")
        assert len([*pane.marks]) == 2
        await pilot.press("escape")
        await pilot.pause()
        assert [*pane.marks] == []
        assert "marked" not in screen_text(pilot)
        assert place_of(pilot) == "checkpoints"


async def test_the_preview_follows_the_cursor_and_scrolls_from_the_list(house: House) -> None:
    house.seed(checkpoints=1)
    with closing(house.open("cli")) as other:
        space = other.services.spaces.all()[0]
        many = content("Many", *(f"Decision number {number}" for number in range(20)))
        other.services.checkpoints.create(space.id, many)
    async with house.app((80, 24)) as pilot:
        screen = workspace(pilot)
        preview = screen.query_one(PreviewPane)
        await pilot.press("escape", "2")
        await until(pilot, lambda: "D1 Decision number 0" in screen_text(pilot))
        assert preview.region.height <= 24 // 3
        await pilot.press("J")
        await pilot.pause()
        assert preview.scroll_offset.y > 0
        assert screen.focused is screen.query_one(CheckpointsPane)
        await pilot.press("K", "j")
        await until(pilot, lambda: "D1 D1" in screen_text(pilot))
        await pilot.press("3")
        await pilot.pause()
        assert not preview.seen
