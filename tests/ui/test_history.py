"""The keys of pane 2 and of turns that make and mend history: each does it, says so, and leaves the
cursor where one goes on."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.screens.checkpoint_view import CheckpointView
from smriti_tui.screens.dialogs.blame import BlameDialog
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.edit_question import EditDialog
from smriti_tui.screens.dialogs.fork import ForkDialog
from smriti_tui.screens.dialogs.note import NoteDialog
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.row_list import RowList
from tests.support import content, send
from tests.ui.house import House, desk, notes, on_top, place_of, screen_text, settle, workspace
from tests.ui.screens_host import HOSTILE, SIZES, is_grid


@dataclass(frozen=True)
class Told:
    """main: base, then newest; side: aside, from base. The session has two questions."""

    space: SpaceId
    session: SessionId
    base: CheckpointId
    aside: CheckpointId
    newest: CheckpointId


async def tell(house: House) -> Told:
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create("search-index").id
        session = services.sessions.new(space, title="first talk").id
        await send(services, session, "Do we need a server?")
        base = services.checkpoints.create(space, content("Base", "D one"), session=session)
        await send(services, session, "And now?")
        aside = services.checkpoints.create_on_new_branch(
            space, content(HOSTILE, "D one", "D two"), branch="side", start=base.checkpoint.id
        )
        newest = services.checkpoints.create(space, content("Newest", "d ONE."))
    made = (each.checkpoint.id for each in (base, aside, newest))
    return Told(space, session, *made)


async def press(pilot: Pilot[int], *keys: str) -> str:
    for key in keys:
        await pilot.press(key)
    await settle(pilot)
    return screen_text(pilot)


def pane(pilot: Pilot[int]) -> CheckpointsPane:
    return workspace(pilot).query_one(CheckpointsPane)


async def at(pilot: Pilot[int], checkpoint: CheckpointId) -> None:
    """The cursor of pane 2 on a checkpoint."""
    if place_of(pilot) == "prompt":
        await press(pilot, "escape")
    await press(pilot, "2")
    assert pane(pilot).move_to(checkpoint)
    await settle(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_the_tree_has_lanes_signs_and_words(house: House, size: tuple[int, int]) -> None:
    told = await tell(house)
    with closing(house.open("cli")) as opened:
        services = opened.services
        services.branches.dispose(told.space, "side", "abandoned")
        services.notes.add(told.base, "日本 [b]works", "milestone")
        services.notes.add(told.aside, "", "noise")
        services.merging.write(told.newest, told.aside, {}, title="Joined", side="ours")
    async with house.app(size) as pilot:
        text = await press(pilot, "escape", "2")
        assert is_grid(pilot)
        rows = [" ".join(line.strip("│║ ").split()) for line in text.splitlines()]
        assert any(row.startswith(">O") and "HEAD" in row for row in rows)
        assert "|\\" in text
        if size[1] < 20:
            return
        assert any(f"| . {told.aside[:7]} noise" in row for row in rows)
        assert any(f"o {told.base[:7]}" in row for row in rows)
        assert "|/" in text
        assert size[0] < 100 or "milestone: 日本 [b]" in text


async def test_a_fork_has_a_name_that_is_offered_and_can_be_another(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        await at(pilot, told.base)
        text = await press(pilot, "f")
        assert on_top(pilot, ForkDialog)
        assert f"fork-{told.base[:7]}" in text
        await press(pilot, *(["backspace"] * 1), *"side", "enter")
        assert "There is a branch 'side' already" in screen_text(pilot)
        await press(pilot, *"way", "enter")
        assert not on_top(pilot, ForkDialog)
        place, header = desk(pilot).place, workspace(pilot).query_one(HeaderBar)
        assert place.session != told.session
        assert (place.branch_name, header.view.mode) == ("sideway", f"FORKED {told.base[:7]}")
        assert place_of(pilot) == "prompt"
        assert 'Forked: branch "sideway"' in notes(pilot)
        assert pane(pilot).view.mode == "FORKED"
        assert pane(pilot).view.mounted == told.base


async def test_a_fork_after_a_turn_and_a_question_in_other_words(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        services = desk(pilot).services
        await press(pilot, "escape", "3", "f", "enter")
        fork = desk(pilot).place.session
        assert fork is not None
        assert fork != told.session
        assert [turn.text for turn in services.sessions.turns(fork)][::2] == ["And now?"]
        desk(pilot).going.to_session(told.session, told.space)
        await settle(pilot)
        await press(pilot, "escape", "3", "e")
        assert on_top(pilot, EditDialog)
        assert "And now?" in screen_text(pilot)
        await press(pilot, *" Really", "escape")
        assert "Kept" in notes(pilot)
        await press(pilot, "e")
        assert "And now? Really" in screen_text(pilot)
        await press(pilot, "ctrl+s")
        edited = desk(pilot).place.session
        assert edited is not None
        assert edited not in (told.session, fork)
        asked = services.sessions.turns(edited)
        assert [turn.text for turn in asked if turn.role == "user"][-1] == "And now? Really"
        assert asked[-1].status == "complete"
        assert [turn.text for turn in services.sessions.turns(told.session)][2] == "And now?"
        assert workspace(pilot).query_one(Prompt).text == ""
        assert "Asked on a fork" in notes(pilot)


async def test_a_branch_is_renamed_closed_opened_again_and_gone_to(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        services = desk(pilot).services
        await at(pilot, told.aside)
        text = await press(pilot, "b")
        assert on_top(pilot, ChoiceDialog)
        assert "Branch side" in text
        await press(pilot, "4")
        assert services.spaces.branch(told.space, "side").disposition == "abandoned"
        assert "z undoes" in notes(pilot)
        assert "abandoned" in screen_text(pilot)
        await press(pilot, "z")
        assert services.spaces.branch(told.space, "side").disposition == "active"
        await press(pilot, "b", "2", *"new [b]name", "enter")
        assert services.spaces.branch(told.space, "new [b]name").head == told.aside
        assert "new [b]name" in screen_text(pilot)
        await press(pilot, "b", "1")
        assert desk(pilot).place.branch_name == "new [b]name"
        assert place_of(pilot) == "chat"
        await at(pilot, told.base)
        text = await press(pilot, "b")
        assert "always active" in text
        assert pilot.app.screen.query_one("#ways", RowList).row_count == 1


async def test_a_note_a_milestone_and_noise_are_added_and_seen(house: House) -> None:
    told = await tell(house)
    async with house.app((80, 24)) as pilot:
        services = desk(pilot).services
        await at(pilot, told.base)
        await press(pilot, "t", *"half", "escape")
        assert "Kept" in notes(pilot)
        await press(pilot, "t")
        assert on_top(pilot, NoteDialog)
        await press(pilot, *" done", "tab", "down", "ctrl+s")
        (note,) = services.checkpoints.notes(told.base)
        assert (note.kind, note.text) == ("milestone", "half done")
        assert f"Added a milestone to {told.base[:7]}" in notes(pilot)
        await press(pilot, "J")
        assert "milestone: half done" in screen_text(pilot)
        assert pane(pilot).cursor_key == told.base
        await press(pilot, "t", "ctrl+s")
        assert "has no text" in screen_text(pilot)
        await press(pilot, "tab", "down", "down", "enter")
        assert services.checkpoints.notes(told.base)[-1].kind == "noise"
        assert ". " in screen_text(pilot)


async def test_the_chain_is_proved_in_words(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        await at(pilot, told.newest)
        await press(pilot, "V")
        assert "Chain ok" in notes(pilot)
        assert "2 checkpoints" in notes(pilot)


async def test_blame_tells_where_an_item_came_from_and_opens_that(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        await at(pilot, told.newest)
        text = await press(pilot, "B")
        assert on_top(pilot, BlameDialog)
        assert "D1" in text
        text = await press(pilot, "enter")
        assert f"{told.base[:7]}  first stands here" in text
        assert "made from turns 1 to 2" in text
        await press(pilot, "escape")
        assert on_top(pilot, BlameDialog)
        await press(pilot, "enter", "enter")
        assert on_top(pilot, CheckpointView)
        assert told.base[:7] in screen_text(pilot)
        await press(pilot, "escape")
        assert pane(pilot).cursor_key == told.base


async def test_the_turns_behind_a_checkpoint_are_shown(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        desk(pilot).making._session_made(desk(pilot).services.sessions.new(told.space))
        await settle(pilot)
        await at(pilot, told.newest)
        await press(pilot, "o")
        assert "names no turns" in notes(pilot)
        await at(pilot, told.base)
        await press(pilot, "o")
        assert desk(pilot).place.session == told.session
        assert place_of(pilot) == "chat"
        assert desk(pilot).chat.marked_number() == 1
        assert "Turns 1 to 2 of this session are behind" in notes(pilot)


async def test_a_checkpoint_is_exported(house: House, tmp_path: Path) -> None:
    told = await tell(house)
    target = tmp_path / "one.md"
    async with house.app() as pilot:
        await at(pilot, told.aside)
        await press(pilot, "E")
        pilot.app.screen.query_one("#export-to", LineInput).fill(str(target))
        await press(pilot, "enter")
        assert "D two" in target.read_text()
        assert "1 file written" in workspace(pilot).query_one(NoticeBar).words


async def test_deleting_lists_what_depends_on_it_and_asks_twice(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        services = desk(pilot).services
        services.sessions.mount(told.session, told.aside)
        services.forking.from_checkpoint(told.base)
        await settle(pilot)
        await at(pilot, told.base)
        text = await press(pilot, "D")
        assert on_top(pilot, ConfirmDialog)
        for words in ("Newest (main)", told.aside[:7], "Fork of", "first talk"):
            assert words in text
        await press(pilot, "enter")
        assert len(services.history.rows(told.space)) == 3
        await press(pilot, "D")
        assert "for good" in await press(pilot, "y")
        await press(pilot, "escape")
        assert len(services.history.rows(told.space)) == 3
        for key in ("D", "y", "y"):
            await press(pilot, key)
        assert services.history.rows(told.space) == []
        assert "Deleted 3 checkpoints" in notes(pilot)
        assert "No checkpoint yet" in screen_text(pilot)
        assert services.sessions.get(told.session).last_seq == 4


async def test_deleting_a_leaf_asks_once_and_keeps_the_place(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        await at(pilot, told.aside)
        await press(pilot, "D")
        assert "Nothing depends on it" in screen_text(pilot)
        await press(pilot, "y")
        assert [row.id for row in pane(pilot).view.checkpoints] == [told.newest, told.base]
        assert pane(pilot).cursor_key == told.base
        assert place_of(pilot) == "checkpoints"


async def test_a_checkpoint_in_full_has_the_same_keys(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        await at(pilot, told.base)
        await press(pilot, "enter")
        assert on_top(pilot, CheckpointView)
        await press(pilot, "t")
        assert on_top(pilot, NoteDialog)
        await press(pilot, "escape", "enter", "b")
        assert on_top(pilot, ChoiceDialog)


async def test_elsewhere_the_keys_say_how_to_get_there(house: House) -> None:
    await tell(house)
    async with house.app() as pilot:
        workspace(pilot).action_run("checkpoint.remove")
        await settle(pilot)
        assert "goes to Checkpoints" in notes(pilot)


async def test_what_comes_leaves_cursor_scroll_and_marks(house: House) -> None:
    told = await tell(house)
    async with house.app((120, 24)) as pilot:
        services = desk(pilot).services
        await at(pilot, told.base)
        await press(pilot, "space")
        with closing(house.open("cli", "bob")) as other:
            other.services.checkpoints.create(told.space, content("Came"))
        for _ in range(100):
            await pilot.pause(0.05)
            if len(pane(pilot).view.checkpoints) == 4:
                break
        await settle(pilot)
        assert pane(pilot).cursor_key == told.base
        assert pane(pilot).marks == (told.base,)
        assert services.history.rows(told.space)[0].title == "Came"


async def test_where_a_database_takes_no_writes_the_palette_says_so(house: House) -> None:
    await tell(house)
    async with house.app() as pilot:
        await press(pilot, "escape", "2")
        workspace(pilot).query_one(HeaderBar).change(live="READ ONLY")
        for action in ("checkpoint.fork", "checkpoint.note", "checkpoint.remove", "branch.menu"):
            assert workspace(pilot).why_not(action) == "database is read only"
        assert workspace(pilot).why_not("checkpoint.verify") == ""
        await press(pilot, "3")
        assert workspace(pilot).why_not("checkpoint.verify") == "choose one in pane 2"


@pytest.mark.parametrize("size", SIZES[1:])
async def test_every_dialog_fits_and_shows_hostile_text_as_text(
    house: House, size: tuple[int, int]
) -> None:
    told = await tell(house)
    with closing(house.open("cli")) as opened:
        services = opened.services
        services.branches.rename(told.space, "side", "日本 [/x] " + "w" * 90)
        services.checkpoints.create(told.space, content("Later"), branch="日本 [/x] " + "w" * 90)
        services.sessions.rename(told.session, HOSTILE)
        services.sessions.mount(told.session, told.aside)
    async with house.app(size) as pilot:
        await at(pilot, told.aside)
        for key in "ftbBED":
            text = await press(pilot, key)
            assert pilot.app.screen is not workspace(pilot), key
            assert is_grid(pilot), key
            assert not set(text) & {"\x1b", "\u202e", "\x07"}, key
            await press(pilot, "escape")
            assert pilot.app.screen is workspace(pilot), key
        await press(pilot, "3", "e")
        assert is_grid(pilot)


async def test_what_is_mounted_can_be_deleted_and_the_top_line_says_so(house: House) -> None:
    told = await tell(house)
    async with house.app() as pilot:
        await at(pilot, told.aside)
        await press(pilot, "m")
        assert workspace(pilot).query_one(HeaderBar).view.mode == f"RESTORED {told.aside[:7]}"
        text = await press(pilot, "D")
        assert "first talk" in text
        await press(pilot, "y", "y")
        assert told.aside not in [row.id for row in pane(pilot).view.checkpoints]
        assert told.aside[:7] not in workspace(pilot).query_one(HeaderBar).view.mode
