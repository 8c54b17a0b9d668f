"""Keys from the settings reach every screen, dialogs and the prompt; what is wrong is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from textual.widgets import Input

from smriti_tui.config.light import read_light
from smriti_tui.keys import ACTIONS, key_table
from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.dialogs.new_session import SessionDialog
from smriti_tui.screens.help import HelpScreen
from smriti_tui.screens.palette import PaletteScreen
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.prompt import Prompt
from tests.ui.house import House, desk, on_top, screen_text, settle, workspace

OWN = MappingProxyType(
    {
        "checkpoint.mount": "P", "nav.down": "J down", "nav.preview_down": "j",
        "nav.back": "ctrl+r", "app.palette": "", "app.help": "f6 f7", "chat.stop": "S",
        "no.such": "z", "session.new": "ctrl+q",
    }
)  # fmt: skip


def test_a_file_with_all_kinds_of_faults_changes_only_what_is_right(tmp_path: Path) -> None:
    folder = tmp_path / ".config" / "smriti"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        '[keys]\n"checkpoint.mount" = "u"\n"no.such" = "z"\nchat.retry = ""\n'
        'chat.stop = "ctrl+x, S"\napp.palette = "crtl+p"\n"nav.zoom" = 3\n'
        '"nav.down" = "n"\n"space.new" = "j"\n',
        encoding="utf-8",
    )
    table = key_table(read_light({"HOME": str(tmp_path)}).keys)
    assert [(clash.action, clash.key, clash.other) for clash in table.clashes] == [
        ("checkpoint.mount", "u", "checkpoint.unmount"),
        ("nav.down", "n", "checkpoint.new"),
        ("space.new", "j", "nav.down"),
    ]
    assert table.unknown == ("no.such",)
    assert table.odd == (("app.palette", "crtl+p"),)
    changed = {new.id: new.keys for new, old in zip(table.actions, ACTIONS, strict=True)
               if new.keys != old.keys}  # fmt: skip
    assert changed == {"chat.retry": (), "chat.stop": ("ctrl+x", "S")}


def test_two_actions_may_change_their_keys_with_each_other() -> None:
    table = key_table({"checkpoint.mount": "u", "checkpoint.unmount": "m"})
    assert table.clashes == ()
    assert (table.key("checkpoint.mount"), table.key("checkpoint.unmount")) == ("u", "m")


async def test_own_keys_reach_panes_screens_dialogs_palette_and_help(house: House) -> None:
    house.light = replace(house.light, keys=OWN)
    house.seed(checkpoints=3)
    async with house.app() as pilot:
        screen = workspace(pilot)
        assert "The key ctrl+q of session.new is taken by app.quit" in screen_text(pilot)
        await pilot.press("ctrl+r", "ctrl+r", "2")  # the bar, then out of the prompt
        await pilot.pause()
        pane = screen.query_one(CheckpointsPane)
        first = pane.cursor_key
        await pilot.press("j", "m", "ctrl+p")
        await settle(pilot)
        assert pane.cursor_key == first
        assert not on_top(pilot, PaletteScreen)
        assert "P Mount" in screen_text(pilot)
        await pilot.press("J", "f7")
        await pilot.pause()
        assert on_top(pilot, HelpScreen)
        assert "P  " in getattr(pilot.app.screen, "text", "")
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert on_top(pilot, type(screen))
        await pilot.press("enter")
        await settle(pilot)
        assert on_top(pilot, CheckpointView)
        await pilot.press("P")
        await settle(pilot)
        look = desk(pilot).place.look
        assert look is not None
        assert look.view.mode == "RESTORED"
        await pilot.press("ctrl+n")
        await settle(pilot)
        assert on_top(pilot, SessionDialog)
        assert "^r Back" in screen_text(pilot)
        await pilot.press(*"esc", "escape")
        await pilot.pause()
        assert pilot.app.screen.query_one(Input).value == "esc"
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert on_top(pilot, type(screen))


async def test_send_and_new_line_may_change_places(house: House) -> None:
    house.light = replace(
        house.light,
        keys=MappingProxyType({"chat.send": "ctrl+j", "chat.newline": "enter"}),
    )
    house.seed()
    async with house.app((80, 24)) as pilot:
        await pilot.press(*"one", "enter", *"two")
        await settle(pilot)
        assert workspace(pilot).query_one(Prompt).text == "one\ntwo"
        assert "^j send" in screen_text(pilot)
        await pilot.press("ctrl+j")
        await settle(pilot)
        look = desk(pilot).place.look
        assert look is not None
        assert look.turns[0].text == "one\ntwo"
