"""Search everything: typed, filtered, and gone to."""

from __future__ import annotations

from contextlib import closing

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from smriti_tui.domain.errors import StoreError
from smriti_tui.domain.search_hit import Found
from smriti_tui.domain.search_snippet import Snippet
from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.search import SearchScreen
from smriti_tui.screens.search_rows import Choice, hit_row, nothing
from smriti_tui.services.searching import SearchService
from smriti_tui.widgets.literal_view import LiteralView
from smriti_tui.widgets.row_list import RowList
from smriti_tui.widgets.transcript import Transcript
from tests.bench.seed import add_sends
from tests.support import send
from tests.ui.house import House, desk, settle, until
from tests.ui.screens_host import HOSTILE, SIZES, has_all, is_grid, press, running, text_of


async def search(pilot: Pilot[int], words: str) -> str:
    """Opens the search and types."""
    await pilot.press("ctrl+f")
    await settle(pilot)
    for sign in words:
        await pilot.press("space" if sign == " " else sign)
    await until(pilot, lambda: "searching" not in text_of(pilot))
    await pilot.pause(0.15)
    await settle(pilot)
    return text_of(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_hits_appear_while_one_types(house: House, size: tuple[int, int]) -> None:
    async with running(house, size) as (app, pilot, _services, _told):
        base = len(app.screen_stack)
        text = await search(pilot, "fts5")
        assert isinstance(app.screen, SearchScreen)
        assert isinstance(app.focused, Input)
        assert has_all(text, ["decision D1", "Use SQLite FTS5", "hits", "Where:", "enter"]) == []
        assert is_grid(pilot)
        text = await press(pilot, *"zz")
        await until(pilot, lambda: "Nothing holds that." in text_of(pilot))
        await press(pilot, "escape")
        assert len(app.screen_stack) == base
        await search(pilot, "")
        assert app.screen.query_one(Input).value == "fts5zz"


async def test_a_hit_deep_in_a_long_session_is_gone_to(house: House) -> None:
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create("search-index")
        long = services.sessions.new(space.id, title="Long talk")
        await send(services, long.id, "Start")
        await send(services, long.id, "Where is the needle?")
        add_sends(services, long.id, 200, window=1024)
        other = services.sessions.new(space.id, title="Newest talk")
        await send(services, other.id, "Something else")
    async with house.app() as pilot:
        assert desk(pilot).place.session == other.id
        await search(pilot, "needle?")
        await press(pilot, "enter")
        await until(pilot, lambda: desk(pilot).chat.marked_number() == 3)
        assert desk(pilot).place.session == long.id
        assert isinstance(pilot.app.focused, Transcript)
        assert "Where is the needle?" in text_of(pilot)
        # Again, from the same session, with the words kept.
        await press(pilot, "G")
        await search(pilot, "")
        await press(pilot, "enter")
        await until(pilot, lambda: desk(pilot).chat.marked_number() == 3)


async def test_an_item_opens_its_checkpoint_there(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, _services, _told):
        await search(pilot, "load test")
        await press(pilot, "enter")
        assert isinstance(app.screen, CheckpointView)
        assert "> T1 Load test" in text_of(pilot)
        view = app.screen.query_one(LiteralView)
        assert [part.text[:4] for part in view.sections if part.word == "found"] == ["> T1"]
        await press(pilot, "escape")
        assert not isinstance(app.screen_stack[-1], CheckpointView)
        await search(pilot, "bench.csv")
        await press(pilot, "enter")
        await until(pilot, lambda: "bench.csv (text" in text_of(pilot))


async def test_names_lead_to_their_place(house: House) -> None:
    with closing(house.open("cli")) as opened:
        services = opened.services
        first = services.spaces.create("alpha")
        talk = services.sessions.new(first.id, title="Quiet talk")
        second = services.spaces.create("beta")
        services.sessions.new(second.id, title="Loud talk")
    async with house.app() as pilot:
        await search(pilot, "quiet")
        await press(pilot, "enter")
        assert desk(pilot).place.session == talk.id
        await search(pilot, "beta")
        await press(pilot, "enter")
        assert desk(pilot).place.space == second.id
        assert desk(pilot).tree.marked == ("space", second.id)


async def test_filters_change_by_keys(house: House) -> None:
    async with running(house, (100, 30)) as (app, pilot, services, _told):
        other = services.spaces.create("elsewhere")
        session = services.sessions.new(other.id, title="FTS5 there")
        await search(pilot, "fts5")
        assert "FTS5 there" in text_of(pilot)
        text = await press(pilot, "tab", "down")
        assert "this Space (search-index)" in text
        await until(pilot, lambda: "FTS5 there" not in text_of(pilot))
        text = await press(pilot, "right", "down", "down", "down")
        assert "[items]" in text
        assert "turn 1" not in text
        await press(pilot, "right", "down")
        assert "[ada]" in text_of(pilot)
        await press(pilot, "enter")
        assert isinstance(app.screen, CheckpointView)
        assert session.id


async def test_a_late_answer_is_dropped_and_a_fault_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(house) as (app, pilot, _services, _told):
        await search(pilot, "fts5")
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        rows = screen.query_one("#search-rows", RowList)
        count = rows.row_count
        screen.post_message(SearchScreen.Answered(1, Found((), False), ""))
        await pilot.pause()
        assert rows.row_count == count > 0

        def fail(*_: object, **__: object) -> Found:
            raise StoreError("The disk is gone.", "Look for it.")

        monkeypatch.setattr(SearchService, "search", fail)
        await press(pilot, "x")
        await until(pilot, lambda: "The disk is gone." in text_of(pilot))
        assert "failed" in text_of(pilot)


def test_rows_keep_the_grid_and_show_the_hit() -> None:
    from smriti_tui.domain.search_hit import Hit

    found = Snippet(f"{HOSTILE} " * 5, "नमस्ते", f" {HOSTILE}")
    hit = Hit(1, "turn", found, "ada", "2026-03-02T14:00:00.000000Z", None, None, turn=3)
    row = hit_row(hit, "2026-03-02T15:00:00.000000Z", 60)
    pieces = row.lines[1].left
    assert pieces[1].text == "नमस्ते"
    assert pieces[1].tone == "hit"
    assert pieces[0].text.startswith("   .. ")
    assert row.lines[0].right == "1h"
    assert "filters" in nothing("x", Choice(what="items"))


async def test_the_search_opens_over_screens_and_dialogs_and_a_jump_leaves_them(
    house: House,
) -> None:
    async with running(house) as (app, pilot, _services, told):
        base = len(app.screen_stack)
        await press(pilot, "escape", "2", "enter")
        assert isinstance(app.screen, CheckpointView)
        await press(pilot, "Y")  # A menu over the checkpoint.
        await search(pilot, "")
        assert len(app.screen_stack) == base + 3
        await press(pilot, "ctrl+f")
        assert len(app.screen_stack) == base + 3  # It is there already.
        await press(pilot, "escape")
        assert len(app.screen_stack) == base + 2  # Nothing was left.
        await search(pilot, "make the rebuild")
        await press(pilot, "enter")
        assert len(app.screen_stack) == base
        assert desk(pilot).here.now.session == told.session.id
        assert isinstance(app.focused, Transcript)


async def test_what_is_typed_in_a_dialog_or_a_form_is_not_left_for_a_search(house: House) -> None:
    async with running(house) as (app, pilot, _services, _told):
        base = len(app.screen_stack)
        await press(pilot, "ctrl+n", "a", "b")
        text = await press(pilot, "ctrl+f")
        assert "What is typed here would be lost." in text
        await press(pilot, "backspace", "backspace", "ctrl+f")
        assert isinstance(app.screen, SearchScreen)
        await press(pilot, "escape", "escape", "escape", "2", "n")
        assert len(app.screen_stack) == base + 1
        assert "esc leaves the form and keeps what is typed" in await press(pilot, "ctrl+f")


async def test_other_words_put_the_cursor_on_their_best_hit(house: House) -> None:
    """While one types, the hits of the first letters come and go."""
    async with running(house, (120, 36)) as (app, pilot, _services, _told):
        await search(pilot, "f")
        rows = app.screen.query_one(RowList)
        await press(pilot, "down", "down")
        lower = rows.cursor_key
        assert lower != rows._rows[0].key
        assert isinstance(app.screen, SearchScreen)
        app.screen._search()
        await settle(pilot)
        assert rows.cursor_key == lower, "the same words: it stays"
        await press(pilot, "t")
        await until(pilot, lambda: "searching" not in text_of(pilot))
        await pilot.pause(0.15)
        await settle(pilot)
        assert rows.cursor_key == rows._rows[0].key
