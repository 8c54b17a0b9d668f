"""`z` and `Z` in every pane: mounting, names, answers, new sessions; over a restart, not over the
writes of others."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.services.logs import StoredEvent
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.spaces_pane import SpacesPane
from tests.ui.house import House, desk, notes, screen_text, settle, until, workspace

FIRST = Path(__file__).parents[1] / "store" / "data" / "schema_0001.sql"
"""A database as the first version left it: a mounted session, renamed before."""


def line(pilot: Pilot[int]) -> int:
    """The current line of the open session as it is shown."""
    look = desk(pilot).place.look
    assert look is not None
    return look.session.current_line


async def press(pilot: Pilot[int], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def test_a_mount_is_undone_and_done_again_in_all_panes(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await press(pilot, "escape", "z")
        assert "Nothing to undo" in notes(pilot)
        await press(pilot, "2", "m")
        assert line(pilot) == 2
        assert "stay out. z undoes." in notes(pilot) or "no turn was there. z undoes." in notes(
            pilot
        )
        mounted = workspace(pilot).query_one(CheckpointsPane).view.mounted
        assert mounted
        await press(pilot, "1", "z")
        await until(pilot, lambda: line(pilot) == 1)
        assert f"Undone: mounted {mounted[:7]}. Z does it again." in notes(pilot)
        assert "RESTORED" not in screen_text(pilot)
        assert not workspace(pilot).query_one(CheckpointsPane).view.mounted
        await press(pilot, "3", "Z")
        await until(pilot, lambda: line(pilot) == 2)
        assert f"Done again: mounted {mounted[:7]}. z undoes." in notes(pilot)
        await until(pilot, lambda: f"RESTORED {mounted[:7]}" in screen_text(pilot))
        await press(pilot, "Z")
        assert "Nothing to do again." in notes(pilot)


async def test_keys_pressed_quickly_keep_their_order(house: House) -> None:
    _, session = house.seed()
    async with house.app() as pilot:
        await press(pilot, "escape", "2", "m")
        await press(pilot, "z", "Z", "z", "Z", "z")
        log = desk(pilot).services.log.read(f"session/{session.id}")
        wrote = [event.type for event in log if isinstance(event, StoredEvent)]
        assert wrote[-5:] == [
            "line.left", "line.resumed", "line.left", "line.resumed", "line.left",
        ]  # fmt: skip
        assert "Undone: mounted" in notes(pilot)
        await until(pilot, lambda: line(pilot) == 1)


async def test_a_name_comes_back_after_a_restart(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await press(pilot, "escape", "1")
        workspace(pilot).query_one(SpacesPane).move_to(f"session:{desk(pilot).place.session}")
        await press(pilot, "e", "end", "x", "enter")
        assert "first talkx" in screen_text(pilot)
        assert 'is called "first talkx" now. z undoes.' in notes(pilot)
    async with house.app() as pilot:
        await press(pilot, "escape", "z")
        assert 'Undone: renamed session "first talk" to "first talkx".' in notes(pilot)
        await until(pilot, lambda: "first talkx" not in screen_text(pilot).split("Undone")[0])
        with closing(house.open("cli")) as opened:
            session = desk(pilot).place.session
            assert session is not None
            assert opened.services.sessions.get(session).title == "first talk"


async def test_while_one_types_z_is_text_and_the_way_to_it_is_named(house: House) -> None:
    house.seed()
    async with house.app((80, 24)) as pilot:
        await press(pilot, "escape", "ctrl+n")
        await press(pilot, "enter")
        assert "esc, then z undoes." in notes(pilot)
        await press(pilot, "z")
        assert desk(pilot).panes.prompt.text == "z"
        await press(pilot, "escape", "z")
        assert "Unsent text stands in session" in notes(pilot)


async def test_an_empty_new_session_is_taken_away_and_brought_back(house: House) -> None:
    _, first = house.seed()
    async with house.app() as pilot:
        await press(pilot, "ctrl+n", "enter")
        made = desk(pilot).place.session
        assert made not in (None, first.id)
        await press(pilot, "escape", "z")
        await until(pilot, lambda: desk(pilot).place.session == first.id)
        assert "Undone: opened session" in notes(pilot)
        assert "There is no session" not in notes(pilot)
        await press(pilot, "Z")
        await until(pilot, lambda: desk(pilot).place.session == made)
        await press(pilot, "i", "h", "i", "enter")
        await press(pilot, "escape", "z")
        assert "is not empty any more" in notes(pilot)


async def test_a_chosen_answer_is_undone(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await press(pilot, *"hello", "enter")
        await press(pilot, "escape", "R")
        await press(pilot, "{")
        assert "is the one that is sent now. z undoes." in notes(pilot)
        await until(pilot, lambda: "answer 3 stays out (not chosen)" in screen_text(pilot))
        await press(pilot, "z")
        await until(pilot, lambda: "answer 2 stays out (not chosen)" in screen_text(pilot))
        assert "Undone: chose answer 2." in notes(pilot)


async def test_what_somebody_else_wrote_is_named(house: House) -> None:
    _, session = house.seed()
    async with house.app() as pilot:
        await press(pilot, "escape", "2", "m")

        def theirs() -> None:
            with closing(house.open("cli", actor="codex")) as opened:
                opened.services.sessions.unmount(session.id)

        await asyncio.to_thread(theirs)
        await press(pilot, "z")
        assert "codex (cli) unmounted" in notes(pilot)
        assert "Undo does not reach over what others wrote" in notes(pilot)
        assert line(pilot) == 1


async def test_a_database_of_the_first_version_is_opened_and_its_last_action_undone(
    house: House,
) -> None:
    database = sqlite3.connect(house.folder / "smriti.db")
    database.executescript(FIRST.read_text(encoding="utf-8"))
    database.close()
    async with house.app() as pilot:
        assert "beta" in screen_text(pilot)
        assert line(pilot) == 2
        await press(pilot, "escape", "z")
        await until(pilot, lambda: line(pilot) == 1)
        assert "Undone: mounted" in notes(pilot)
