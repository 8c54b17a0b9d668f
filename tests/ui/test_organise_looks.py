"""Dialogs and rows of pane 1 with names that try everything, at three sizes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from textual.screen import Screen

from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.export_space import ExportDialog, Exported
from smriti_tui.screens.dialogs.rename import RenameDialog
from smriti_tui.widgets.spaces_pane import SpacesPane
from tests.support import send
from tests.ui.house import House, desk, screen_text, settle, workspace
from tests.ui.screens_host import HOSTILE, SIZES, is_grid

SIGNS = "\x1b\x07\u202e"


def dialogs() -> list[Screen[Any]]:
    async def suggest(_: object) -> str:
        return HOSTILE

    ways = (("a", HOSTILE), ("b", HOSTILE))
    return [
        ExportDialog(f"Space {HOSTILE}", HOSTILE, Path("/x"), lambda _f, p, _w: Exported(p)),
        RenameDialog("session", HOSTILE, lambda name: name, suggest),
        ChoiceDialog(f"Remove {HOSTILE}", HOSTILE, ways),
        ConfirmDialog(f"Delete {HOSTILE}", HOSTILE, typed=HOSTILE),
    ]


async def test_no_name_breaks_a_dialog_or_drives_the_terminal(house: House) -> None:
    async with house.app() as pilot:
        for size in SIZES:
            await pilot.resize_terminal(*size)
            for dialog in dialogs():
                pilot.app.push_screen(dialog)
                await settle(pilot)
                if isinstance(dialog, RenameDialog):
                    await pilot.press("ctrl+r")
                    await settle(pilot)
                text = screen_text(pilot)
                assert is_grid(pilot), (size, dialog)
                assert not set(SIGNS) & set(text)
                assert "[/x]" in text
                pilot.app.pop_screen()


async def test_rows_of_any_name_and_of_what_lies_in_no_space(house: House) -> None:
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create(HOSTILE)
        unnamed = services.sessions.new(space.id)
        await send(services, unnamed.id, f"{HOSTILE}\nsecond line")
        services.sessions.pin(unnamed.id)
        loose, away = services.sessions.new_fresh(title="loose"), services.sessions.new_fresh()
        services.sessions.archive(away.id)
    async with house.app() as pilot:
        pane = workspace(pilot).query_one(SpacesPane)
        assert is_grid(pilot)
        text = screen_text(pilot)
        assert not set(SIGNS) & set(text)
        assert " ^> see [/x]" in text
        keys = [row.key for row in pane._rows]
        assert keys[-2:] == [f"session:{loose.id}", "archived:loose"]
        workspace(pilot).go("spaces")
        await pilot.press("G", "right")
        await settle(pilot)
        assert [row.key for row in pane._rows][-1] == f"session:{away.id}"
        await pilot.press("down", "E")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ExportDialog)
        assert "Export session Session 20" in screen_text(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert desk(pilot).tree.marked == ("session", away.id)
        await pilot.press("k", "D")
        await settle(pilot)
        assert len(pilot.app.screen_stack) == 1
