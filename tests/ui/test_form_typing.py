"""Typing in the checkpoint form: one esc leaves, up reaches the list, the cursor is at the end."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.widgets import Input, TextArea

from smriti_tui.screens.help import HelpScreen
from smriti_tui.widgets.item_editor import ItemEditor, ItemRows
from tests.ui.house import House
from tests.ui.screens_host import press, running, text_of
from tests.ui.test_form import editor, opened_form, save_beside


async def test_one_esc_leaves_from_every_text_field(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        for field in ("#title", "#summary", "#items-decisions EditorLine"):
            form, results = await opened_form(pilot, services, told)
            form.query_one(field).focus()
            await press(pilot, "x")
            if "Kept from" in text_of(pilot):
                await press(pilot, "escape")  # The bar goes first.
            await press(pilot, "escape")
            assert results == [None]
            assert app.screen is not form


async def test_esc_ends_an_open_edit_first_and_loses_nothing(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        decisions = editor(form, "decisions")
        old = [item.text for item in decisions.items]
        decisions.query_one(ItemRows).focus()
        await press(pilot, "g", "e", "!", "escape")
        assert app.screen is form
        assert app.focused is decisions.query_one(ItemRows)
        assert decisions.pending == ""
        assert [item.text for item in decisions.items] == [f"{old[0]}!", *old[1:]]
        assert "Editing" not in text_of(pilot)
        await press(pilot, "e", "?", "shift+tab", "shift+tab", "escape")
        assert results == [None]
        again, _ = await opened_form(pilot, services, told)
        assert [item.text for item in editor(again, "decisions").items] == [f"{old[0]}!?", *old[1:]]
        assert editor(again, "decisions").pending == ""


async def test_an_edit_that_was_emptied_leaves_the_item_as_it_was(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        decisions = editor(form, "decisions")
        old = decisions.items
        decisions.query_one(ItemRows).focus()
        await press(pilot, "g", "e")
        decisions.query_one(TextArea).load_text("")
        await press(pilot, "escape")
        assert decisions.items == old
        assert "Editing" not in text_of(pilot)
        await press(pilot, "n", *"new", "enter")
        assert [item.text for item in decisions.items] == [*(item.text for item in old), "new"]


async def test_up_on_an_empty_line_goes_to_the_item_above(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        decisions = editor(form, "decisions")
        line, rows = decisions.query_one(TextArea), decisions.query_one(ItemRows)
        line.focus()
        assert "up List" in (await press(pilot)).splitlines()[-1]
        assert "up List" not in (await press(pilot, "a")).splitlines()[-1]
        await press(pilot, "up")
        assert line.has_focus
        assert "up List" in (await press(pilot, "end", "backspace")).splitlines()[-1]
        await press(pilot, "up")
        assert rows.has_focus
        assert rows.cursor_row == len(decisions.items) - 1
        empty = next(each for each in form.query(ItemEditor) if not each.items)
        empty.query_one(TextArea).focus()
        assert "up List" not in (await press(pilot)).splitlines()[-1]
        await press(pilot, "up")
        assert app.focused is empty.query_one(TextArea)


async def test_the_cursor_is_at_the_end_of_a_filled_field(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        before = form.state()
        await press(pilot, *"Ab", "tab", "!", "tab", "!")
        assert isinstance(app.focused, TextArea)
        state = form.state()
        assert state.objective == f"{before.objective}!"
        assert state.summary == f"{before.summary}!"
        await press(pilot, "shift+tab", "shift+tab", "c")
        assert form.query_one("#title", Input).value == "Abc"


async def test_it_opens_at_its_top(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, services, told):
        for _ in range(3):
            form, _results = await opened_form(pilot, services, told)
            assert form.query_one("#form-body", VerticalScroll).scroll_offset.y == 0
            assert "Carry over" in text_of(pilot)
            assert app.focused is form.query_one("#title")
            await press(pilot, "escape")


async def test_while_typing_the_footer_offers_keys_that_are_no_letters(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        foot = text_of(pilot).splitlines()[-1]
        assert "f1 Help" in foot
        assert "^p Commands" in foot
        editor(form, "decisions").query_one(ItemRows).focus()
        foot = (await press(pilot)).splitlines()[-1]
        assert "? Help" in foot
        assert ": Commands" in foot


async def test_its_help_is_its_own(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        text = await press(pilot, "f1")
        assert isinstance(app.screen, HelpScreen)
        assert "Help: Checkpoint form" in text
        assert "\nContext inspector\n" not in app.screen.text
        assert "List in a form" in app.screen.text
        await press(pilot, "escape")
        editor(form, "decisions").query_one(ItemRows).focus()
        assert "Help: List in a form" in await press(pilot, "question_mark")


async def test_carrying_over_names_what_it_is_written_after(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        await opened_form(pilot, services, told)
        assert "Carry over from the head:" in text_of(pilot)
        await press(pilot, *"Old", "escape")
        save_beside(house, told)
        await opened_form(pilot, services, told)
        assert f"Carry over from {told.checkpoint.id[:7]}:" in text_of(pilot)


async def test_a_form_on_a_mounted_line_names_the_mounted_checkpoint(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        save_beside(house, told)
        services.sessions.mount(told.session.id, told.checkpoint.id)
        await opened_form(pilot, services, told)
        assert f"Carry over from {told.checkpoint.id[:7]}:" in text_of(pilot)


async def test_tab_goes_from_field_to_field_where_letters_stay_text(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, _ = await opened_form(pilot, services, told)
        before = len(editor(form, "decisions").items)
        assert before
        await press(pilot, *"T", "tab", "tab", "tab", *"Dec", "enter", "tab", *"n", "enter")
        assert [item.text for item in editor(form, "decisions").items][before:] == ["Dec"]
        assert editor(form, "assumptions").items[-1].text == "n"
        await press(pilot, "shift+tab", "shift+tab", "up")
        assert isinstance(form.focused, ItemRows)
