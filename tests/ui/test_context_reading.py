"""The right pane of the context inspector follows the row under the cursor, on every tab."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from smriti_tui.app import SmritiApp
from smriti_tui.domain.render.context_request import request_rows
from smriti_tui.domain.state_text import ARTIFACT_CHARACTERS
from smriti_tui.screens.context import ContextScreen
from smriti_tui.screens.context_reading import ContextAsked
from smriti_tui.widgets.context_list import sent_rows
from smriti_tui.widgets.literal_view import LiteralView
from smriti_tui.widgets.row_list import RowList
from tests.ui.house import House
from tests.ui.screens_host import has_all, press, running, shown, text_of


def read(screen: ContextScreen) -> str:
    """All that the right pane holds."""
    sections = screen.query_one("#context-text", LiteralView).sections
    return "\n".join(f"{section.label}\n{section.text}" for section in sections)


async def test_what_stays_out_and_why_and_the_part_that_was_cut(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        await shown(pilot, screen)
        text = await press(pilot, "right_square_bracket", "g")
        assert "Text of part" not in text
        assert has_all(text, ["Left out: "]) == []
        assert screen.facts is not None
        rows = screen.query_one("#ctx-left", RowList)
        seen = []
        for left in screen.facts.left_out:
            seen.append(read(screen))
            assert left.reason in seen[-1]
            if left.kept is not None:
                cut = ("x,y\n" * 2500)[ARTIFACT_CHARACTERS:]
                assert f"{len(cut):,} characters that were cut" in seen[-1]
                assert seen[-1].endswith(cut)
            await press(pilot, "j")
        assert any("were cut" in each for each in seen)
        assert len(set(seen)) == len(seen) == rows.row_count


async def test_request_rows_show_their_whole_value(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        await shown(pilot, screen)
        screen.tab = "request"
        text = await press(pilot, "G")
        assert screen.facts is not None
        assert has_all(text, ["Request: sha256"]) == []
        assert screen.facts.sha256 in read(screen)
        await press(pilot, "g", "j")
        name, value = request_rows(screen.facts)[1]
        assert name == "model"
        assert read(screen).strip() == value


async def test_verify_has_nothing_beside_it_and_compare_follows(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=6))
        await shown(pilot, screen)
        screen.tab = "verify"
        text = await press(pilot, "enter")
        assert read(screen) == ""
        assert "Text of part" not in text
        assert app.focused is screen.query_one("#ctx-verify")
        text = await press(pilot, "c", "g")
        assert "You take part in a line of reasoning" in read(screen)
        await press(pilot, "G")
        assert read(screen) != ""
        assert "You take part" not in read(screen)
        rows = screen.query_one("#ctx-compare", RowList)
        seen = set()
        await press(pilot, "g")
        for _ in range(rows.row_count):
            seen.add(read(screen))
            await press(pilot, "j")
        assert any("Then make the rebuild a job." in each for each in seen)
        screen.tab = "sent"
        assert "Text of part 1" in await press(pilot)


async def test_a_narrow_screen_opens_the_row_of_any_tab(house: House) -> None:
    async with running(house, (80, 24)) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        await shown(pilot, screen)
        screen.tab = "request"
        text = await press(pilot, "G", "enter")
        assert screen.facts is not None
        assert screen.facts.sha256 in text
        text = await press(pilot, "escape")
        assert "[Request]" in text


async def test_a_demo_says_so_on_top(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        assert isinstance(app, SmritiApp)
        text = await shown(pilot, ContextScreen(services, ContextAsked(told.session.id, answer=8)))
        assert "DEMO" not in text.splitlines()[0]
        await press(pilot, "escape")
        assert app.opened is not None
        whole = app.opened
        app.opened = replace(whole, demo=True, stack=ExitStack())
        try:
            await shown(pilot, ContextScreen(services, ContextAsked(told.session.id, answer=8)))
            assert "DEMO" in text_of(pilot).splitlines()[0]
        finally:
            app.opened = whole


async def test_the_last_thing_left_out_is_no_count_where_it_fits(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        screen = ContextScreen(services, ContextAsked(told.session.id, answer=8))
        await shown(pilot, screen)
        assert screen.facts is not None
        some = screen.facts.left_out[:1]
        facts = replace(screen.facts, left_out=some * 6)
        assert "next tab" not in str(sent_rows(facts))
        facts = replace(screen.facts, left_out=some * 9)
        few = sent_rows(facts)
        assert "4 more: next tab" in str(few)
        assert "next tab" not in str(sent_rows(facts, len(few) + 3))
        assert len(sent_rows(facts, len(few) + 3)) == len(few) + 3
        assert "3 more: next tab" in str(sent_rows(facts, len(few) + 1))
