"""Copying in the app: what is under the cursor, the menu, and files that never overwrite."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot

from smriti_tui.app import SmritiApp
from smriti_tui.clipboard import OSC_BYTES
from smriti_tui.screens.copyables import fences
from smriti_tui.screens.dialogs.copy_menu import CopyMenu
from tests.support import send
from tests.ui.house import House, desk, notes, screen_text, settle
from tests.ui.screens_host import HOSTILE, running

CODE = (
    "Look:\n\n- so\n\n  ```python\n  print('नमस्ते')\n  ```\n\n~~~~\nraw ```\n~~~~\n\n```sh\nunclosed"
)


@pytest.fixture(autouse=True)
def plain_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No programs of the system: the terminal is all there is."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "TMUX", "STY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)


async def chat_about(house: House, text: str) -> None:
    _, session = house.seed()
    with closing(house.open("cli")) as opened:
        await send(opened.services, session.id, text)


async def menu(pilot: Pilot[int]) -> CopyMenu:
    await pilot.press("Y")
    await settle(pilot)
    assert isinstance(pilot.app.screen, CopyMenu)
    return pilot.app.screen


def copies(pilot: Pilot[int]) -> dict[str, str]:
    screen = pilot.app.screen
    assert isinstance(screen, CopyMenu)
    return {copy.words: copy.text for copy in screen._copies}


async def test_y_copies_the_stored_text_and_claims_no_more_than_is_known(house: House) -> None:
    await chat_about(house, HOSTILE)
    async with house.app() as pilot:
        await pilot.press("escape", "k", "y")
        await settle(pilot)
        assert pilot.app.clipboard == HOSTILE
        said = notes(pilot)
        assert f"Sent {len(HOSTILE)} characters to the terminal (OSC 52)" in said
        assert "some ignore it: Y writes a file" in said
        await pilot.press("2", "y")
        await settle(pilot)
        assert len(pilot.app.clipboard) == 64
        await pilot.press("1", "y")
        await settle(pilot)
        assert pilot.app.clipboard == desk(pilot).tree.marked[1]


async def test_what_no_terminal_takes_is_not_claimed_to_be_copied(house: House) -> None:
    await chat_about(house, "x" * (OSC_BYTES + 1))
    async with house.app() as pilot:
        await pilot.press("escape", "k", "y")
        await settle(pilot)
        assert "Not copied" in notes(pilot)
        await menu(pilot)
        assert "75 kB" in screen_text(pilot)


async def test_the_menu_has_each_code_block_the_link_and_the_json(house: House) -> None:
    await chat_about(house, CODE)
    async with house.app() as pilot:
        await pilot.press("escape", "k")
        await menu(pilot)
        found = copies(pilot)
        assert found["Text"] == CODE
        assert found["Code block 1 python"] == "print('नमस्ते')"
        assert found["Code block 2"] == "raw ```"
        assert found["Code block 3 sh"] == "unclosed"
        assert json.loads(found["JSON"])["text"] == CODE
        assert "Code block 1 python" in screen_text(pilot)
        command = [sys.executable, "-m", "smriti_tui.cli.main"]
        words = shlex.split(found["Command that shows it"])[1:]
        env = {**os.environ, "HOME": str(house.folder), "SMRITI_HOME": str(house.folder)}
        done = await asyncio.to_thread(
            subprocess.run, [*command, *words], env=env, capture_output=True, text=True
        )
        assert "नमस्ते" in done.stdout, done.stderr
        await pilot.press("3")
        await settle(pilot)
        assert pilot.app.clipboard == "print('नमस्ते')"
        await pilot.press("j")
        await menu(pilot)
        assert len(copies(pilot)["Hash of its context"]) == 64


async def test_a_file_is_for_its_owner_and_takes_no_other_files_place(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await chat_about(house, HOSTILE)
    (tmp_path / "mine.md").write_text("precious")
    async with house.app((80, 24)) as pilot:
        await pilot.press("escape", "k")
        await menu(pilot)
        await pilot.press("w", "ctrl+u", *"mine.md", "enter")
        await settle(pilot)
        assert "mine.md exists already and stays as it is" in screen_text(pilot)
        assert (tmp_path / "mine.md").read_text() == "precious"
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, CopyMenu)
        await pilot.press("w", "ctrl+u", *"new.md", "enter")
        await settle(pilot)
        assert f"Wrote {len(HOSTILE)} characters to {tmp_path}/new.md" in notes(pilot)
    assert (tmp_path / "new.md").read_text() == HOSTILE
    assert stat.S_IMODE((tmp_path / "new.md").stat().st_mode) == 0o600


async def test_the_full_screens_have_the_menu_too(house: House) -> None:
    async with running(house) as (app, pilot, _, told):
        await pilot.press("escape", "2", "enter")
        await settle(pilot)
        await menu(pilot)
        found = copies(pilot)
        assert found["Id"] == told.checkpoint.id
        assert found["Decision D1"] == told.checkpoint.body.decisions[0].text
        assert found["Artifact: bench.csv"] == told.checkpoint.body.artifacts[0].content
        assert f"checkpoint show {told.checkpoint.id}" in found["Command that shows it"]
        await pilot.press("escape", "escape", "3", "x")
        await settle(pilot)
        await menu(pilot)
        found = copies(pilot)
        assert len(found["Hash of the context"]) == 64
        assert json.loads(found["JSON"])["messages"]
        assert isinstance(app, SmritiApp)


async def test_a_checkpoint_is_copied_as_a_context_pack_for_the_tool_one_chooses(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(house) as (app, pilot, services, told):
        await pilot.press("escape", "2")
        for opening in ((), ("enter",)):  # In the list, then on the checkpoint's own screen.
            await pilot.press(*opening)
            await settle(pilot)
            await menu(pilot)
            assert "Context pack for" in screen_text(pilot)
            assert "any tool, Claude, Cursor, ChatGPT" in screen_text(pilot)
            await pilot.press("6")
            await settle(pilot)
            found = copies(pilot)
            _, pack = services.packing.of_checkpoint(told.checkpoint.id, "claude")
            assert found["Context pack for Claude"] == pack.text
            assert list(found) == [
                f"Context pack for {tool}" for tool in ("any tool", "Claude", "Cursor", "ChatGPT")
            ]
            await pilot.press("2")
            await settle(pilot)
            assert app.clipboard == pack.text
            size = f"{len(pack.text):,} characters, about {pack.tokens:,} tokens"
            assert f"Sent the context pack for Claude: {size} to the terminal" in notes(pilot)
        await menu(pilot)
        await pilot.press("j", "j", "j", "j", "j", "w")  # To a file: of one of them.
        await settle(pilot)
        await pilot.press("j", "j", "w", "enter")
        await settle(pilot)
        assert "Wrote the context pack for Cursor: " in notes(pilot)
        _, pack = services.packing.of_checkpoint(told.checkpoint.id, "cursor")
        written = tmp_path / f"context-{told.checkpoint.id[:7]}-cursor.mdc"
        assert written.read_text(encoding="utf-8") == pack.text


async def test_the_mouse_selects_wide_text_whole(house: House) -> None:
    await chat_about(house, "漢字かな and नमस्ते 👩‍👩‍👧 end of it")
    async with house.app() as pilot:
        await pilot.press("escape", "k")
        pane = desk(pilot).panes.transcript
        line = next(y for y in range(pane.size.height) if "end of it" in pane.render_line(y).text)
        row = pane.render_line(line).text
        at = len(row) - len(row.lstrip())
        await pilot.mouse_down(pane, offset=(at, line))
        await pilot.hover(pane, offset=(at + 6, line))
        await pilot.mouse_up(pane, offset=(at + 6, line))
        await pilot.pause()
        assert pane.selected_text() == "漢字かな"
        await pilot.press("y")
        await settle(pilot)
        assert pilot.app.clipboard == "漢字かな"
        await menu(pilot)
        assert copies(pilot)["Selected text"] == "漢字かな"


def test_fences_are_those_of_the_renderer() -> None:
    assert list(fences(CODE)) == [
        ("python", "print('नमस्ते')"),
        ("", "raw ```"),
        ("sh", "unclosed"),
    ]
