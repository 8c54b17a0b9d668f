"""Dialogs: small boxes that keep what is typed, show faults at their field, and lead back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from smriti_tui.domain.errors import Invalid, StoreBusy
from smriti_tui.domain.model import Artifact
from smriti_tui.screens.dialogs.artifact import ArtifactDialog
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.error import ErrorDialog
from smriti_tui.screens.dialogs.model_picker import ModelPicked, ModelPicker
from smriti_tui.screens.dialogs.new_session import SessionDialog
from smriti_tui.screens.dialogs.new_space import SpaceDialog
from smriti_tui.screens.dialogs.rename import RenameDialog
from smriti_tui.widgets.row_list import RowList
from tests.ui.house import House, settle
from tests.ui.screens_host import HOSTILE, SIZES, has_all, is_grid, press, running, text_of

SECRET = "sk-canary-0123456789abcdef"
OPENS_S = 0.5
"""Ten times the promise: the machine has company. The bench measures."""


async def test_a_space_is_made_and_changed(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        results: list[object] = []
        before = app.focused
        app.push_screen(SpaceDialog(services), results.append)
        await settle(pilot)
        await press(pilot, "enter")
        text = text_of(pilot)
        assert has_all(text, ["New Space", "! The Space has no name."]) == []
        assert isinstance(app.focused, Input)
        assert app.focused.id == "space-name"
        await press(pilot, "B", "tab", "d", "enter")
        assert [getattr(space, "name", None) for space in results] == ["B"]
        assert app.focused is before
        made = services.spaces.find("B")
        assert made.description == "d"
        app.push_screen(SpaceDialog(services, told.space), results.append)
        await settle(pilot)
        await press(pilot, "end", "2", "tab", "tab", "/", "x", "enter")
        changed = services.spaces.get(told.space.id)
        assert (changed.name, changed.project_root) == ("search-index2", "/x")


async def test_escape_changes_nothing_and_leads_back(house: House) -> None:
    async with running(house) as (app, pilot, services, _told):
        results: list[object] = []
        before = app.focused
        app.push_screen(SpaceDialog(services), results.append)
        await settle(pilot)
        await press(pilot, "X", "escape")
        assert results == [None]
        assert app.focused is before
        assert len(services.spaces.all()) == 1


async def test_a_paste_of_several_lines_loses_no_word(house: House) -> None:
    async with running(house) as (app, pilot, services, _told):
        app.push_screen(SpaceDialog(services))
        await settle(pilot)
        app.post_message(events.Paste("one\ntwo\r\nthree"))
        await settle(pilot)
        assert isinstance(app.focused, Input)
        assert app.focused.value == "one two three"


async def test_a_session_on_a_branch(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        results: list[object] = []
        app.push_screen(SessionDialog(services, told.space.id, ("main",)), results.append)
        await settle(pilot)
        await press(pilot, "T", "w", "o", "enter")
        assert [getattr(each, "title", None) for each in results] == ["Two"]
        app.push_screen(SessionDialog(services, told.space.id, ("gone",), "gone"), results.append)
        await settle(pilot)
        text = await press(pilot, "enter")
        assert "! There is no branch" in text
        assert len(results) == 1


@pytest.mark.parametrize("size", SIZES)
async def test_the_model_picker(house: House, size: tuple[int, int], tmp_path: Path) -> None:
    house.environ["OPENAI_API_KEY"] = SECRET
    async with running(house, size) as (app, pilot, services, _told):
        results: list[ModelPicked | None] = []
        names = ("openai/gpt-4o", "anthropic/claude-x", "demo/scripted", "demo/contrarian")
        file = tmp_path / "config.toml"
        app.push_screen(ModelPicker(services, names, "demo/scripted"), results.append)
        await settle(pilot)
        text = text_of(pilot)
        wanted = ["8,192 assumed key found", "no key", "128,000 no key needed", ">demo/scripted"]
        assert has_all(text, wanted) == []
        assert SECRET not in text
        assert is_grid(pilot)
        await press(pilot, "down", "enter")
        assert results == [ModelPicked("demo/contrarian")]
        assert not exists(file)


async def test_without_a_current_model_the_first_one_is_marked(
    house: House, tmp_path: Path
) -> None:
    async with running(house) as (app, pilot, services, _told):
        names = ("demo/scripted", "demo/contrarian")
        app.push_screen(ModelPicker(services, names, None))
        await settle(pilot)
        assert ">demo/scripted" in text_of(pilot)
        assert app.screen.query_one("#models", RowList).cursor_key == "demo/scripted"
        text = await press(pilot, "down")
        assert has_all(text, [">demo/contrarian", " demo/scripted"]) == []


async def test_a_model_without_a_key_says_which_variable(house: House, tmp_path: Path) -> None:
    async with running(house) as (app, pilot, services, _told):
        results: list[ModelPicked | None] = []
        app.push_screen(ModelPicker(services, ("demo/scripted",), None), results.append)
        await settle(pilot)
        text = await press(pilot, *"openai/gpt-9")
        assert "use openai/gpt-9" in text
        text = await press(pilot, "enter")
        assert has_all(text, ["There is no key", "OPENAI_API_KEY"]) == []
        assert results == []
        text = await press(pilot, *["backspace"] * 12, *"[x]", "enter")
        assert has_all(text, ["[x] is neither a model alias"]) == []
        await press(pilot, "escape")
        assert results == [None]


async def test_a_default_is_written_into_the_settings(house: House) -> None:
    async with running(house) as (app, pilot, services, _told):
        results: list[ModelPicked | None] = []
        file = services.settings.now.config_file
        app.push_screen(ModelPicker(services, ("demo/contrarian",), None), results.append)
        await settle(pilot)
        await press(pilot, "ctrl+s")
        assert results == [ModelPicked("demo/contrarian", default=True)]
        assert 'model = "demo/contrarian"' in read(file)


def exists(path: Path) -> bool:
    return path.exists()


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


async def test_confirming_defaults_to_no(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, _services, _told):
        results: list[bool | None] = []
        for key in ("enter", "escape", "n", "y"):
            app.push_screen(ConfirmDialog("Close it?", f"It is dirty: {HOSTILE}"), results.append)
            await settle(pilot)
            assert "[/x] and [bold]not[/]" in text_of(pilot)
            assert is_grid(pilot)
            await press(pilot, key)
        assert results == [False, None, False, True]


async def test_a_name_must_be_typed_out(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, _services, _told):
        results: list[bool | None] = []
        app.push_screen(ConfirmDialog("Delete?", typed="ab", yes="Delete"), results.append)
        await settle(pilot)
        text = await press(pilot, "a", "enter")
        assert "! That is another name." in text
        await press(pilot, "b", "enter")
        assert results == [True]


async def test_choosing_by_digit_or_enter(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, _services, _told):
        results: list[str | None] = []
        ways = (("top", "On top"), ("beside", "Beside"))
        for keys in (("2",), ("enter",), ("j", "enter"), ("9", "escape")):
            app.push_screen(ChoiceDialog("Where", "It moved.", ways), results.append)
            await settle(pilot)
            await press(pilot, *keys)
        assert results == ["beside", "top", "beside", None]


async def test_an_error_says_what_and_what_next(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, _services, _told):
        error = StoreBusy(f"The database is busy {HOSTILE}.", "Try again.")
        app.push_screen(ErrorDialog(error, what="Saving", log="/l/smriti.log"))
        await settle(pilot)
        text = text_of(pilot)
        assert (
            has_all(text, ["Saving failed", "[/x]", "Try again.", "Details: /l/smriti.log"]) == []
        )
        assert "Traceback" not in text
        await press(pilot, "escape")
        assert app.screen is app.workspace


async def test_renaming(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, services, told):
        results: list[object] = []

        def rename(name: str) -> object:
            if name == "Onex":
                raise Invalid("Not that one.", field="name")
            return services.sessions.rename(told.session.id, name)

        app.push_screen(RenameDialog("session", "One", rename), results.append)
        await settle(pilot)
        text = await press(pilot, "end", "x", "enter")
        assert "! Not that one." in text
        await press(pilot, "y", "enter")
        assert services.sessions.get(told.session.id).title == "Onexy"
        assert len(results) == 1


async def test_an_artifact_needs_a_label(house: House) -> None:
    async with running(house) as (app, pilot, _services, _told):
        results: list[Artifact | None] = []
        app.push_screen(ArtifactDialog(), results.append)
        await settle(pilot)
        text = await press(pilot, "ctrl+s")
        assert "! The artifact has no label." in text
        await press(pilot, "L", "tab", "tab", "a", "enter", "b", "ctrl+s")
        assert [(a.label, a.type, a.content) for a in results if a] == [("L", "text", "a\nb")]


async def test_a_dialog_opens_at_once(house: House) -> None:
    async with running(house) as (app, pilot, services, _told):
        app.push_screen(SpaceDialog(services))
        await settle(pilot)
        await press(pilot, "escape")
        began = time.perf_counter()
        await app.push_screen(SpaceDialog(services))
        assert time.perf_counter() - began < OPENS_S
        assert app.screen.query_one("#dialog").is_mounted
        assert isinstance(app.screen.query_one("#space-name"), Input)


async def test_lists_in_dialogs_are_reached_by_tab(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        app.push_screen(SessionDialog(services, told.space.id, ("main", "x"), "main"))
        await settle(pilot)
        await press(pilot, "tab", "j")
        assert isinstance(app.focused, RowList)
        assert app.focused.cursor_key == "x"
