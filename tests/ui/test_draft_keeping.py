"""A draft outlives its screen and its process, and is saved on the head that it was written on."""

from __future__ import annotations

import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from smriti_tui.domain.draft import dump, load
from smriti_tui.screens.compare import CompareScreen
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.draft.dialogs import FieldsDialog
from smriti_tui.screens.draft.screen import DraftScreen
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.services.unsent import UnsentService
from smriti_tui.widgets.notice_bar import NoticeBar
from tests.support import content, send
from tests.ui.draft_host import JOB, MIXED, Drafting, drafting, item, reply
from tests.ui.house import desk, notes, on_top, settle
from tests.ui.screens_host import has_all, press, text_of

PLAIN = reply(decisions=[item("A job", JOB)])


def save_beside(it: Drafting) -> str:
    """Somebody else saves on the same branch."""
    with closing(it.house.open("cli", "bo")) as other:
        made = other.services.checkpoints.create(
            it.told.space.id, content("Theirs", "Their decision"), carry_all=True
        )
    return made.checkpoint.id


async def test_what_stands_in_a_dialog_comes_back(tmp_path: Path) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot, thing = it.pilot, it.screen.place.thing
        await it.to("Use a cron entry")
        await press(pilot, "e", "end", "!")
        await pilot.pause(0.6)
        await settle(pilot)
        held = load(UnsentService(it.services.caller).take(thing).text)
        assert held is not None
        assert held.writing["text"] == "Use a cron entry!"
        await press(pilot, "escape", "escape", "f2")
        assert not isinstance(pilot.app.screen, FieldsDialog)  # It was left by esc.
        await press(pilot, "escape")
        UnsentService(it.services.caller).keep(thing, dump(held))
        await press(pilot, "f2")
        assert isinstance(pilot.app.screen, FieldsDialog)
        assert "Use a cron entry!" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert it.entry("Use a cron entry!").keep == "asks"


LEFT = """
import sys, time
from tests.ui.house import House, PacedModel
from smriti_tui.services.unsent import UnsentService
from pathlib import Path
opened = House(Path(sys.argv[1]), PacedModel()).open()
UnsentService(opened.services.caller).keep(sys.argv[2], sys.argv[3])
print("kept", flush=True)
time.sleep(60)
"""


async def test_a_live_process_is_announced_and_a_dead_one_s_draft_taken_over(
    tmp_path: Path,
) -> None:
    async with drafting(tmp_path, MIXED) as it:
        pilot, place = it.pilot, it.screen.place
        text = dump(replace(it.state, title="Theirs"))
        process = await create_subprocess_exec(
            sys.executable, "-c", LEFT, str(tmp_path), place.thing, text, stdout=PIPE
        )
        try:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"kept\n"
            await press(pilot, "space")  # Who was here first hears of it with the next step.
            assert f"process {process.pid}" in it.screen.query_one(NoticeBar).words
            await press(pilot, "escape", "escape")
            UnsentService(it.services.caller).keep(place.thing, "")
            await press(pilot, "f2")
            told = it.screen.query_one(NoticeBar).words
            assert f"process {process.pid}" in told
            assert "each keeps its own" in told
            assert len(it.model.asked) == 1  # Nobody pays twice without asking.
            await press(pilot, "escape", "escape")
        finally:
            process.kill()
            await process.wait()
        UnsentService(it.services.caller).keep(place.thing, "")
        text = await press(pilot, "f2")
        assert has_all(text, ["Taken over from a process that ended", "Theirs"]) == []
        assert len(it.model.asked) == 1


async def test_a_head_that_moved_is_told_and_asked_about(tmp_path: Path) -> None:
    async with drafting(tmp_path, PLAIN) as it:
        pilot = it.pilot
        theirs = save_beside(it)
        await press(pilot, "w")
        assert on_top(pilot, ChoiceDialog)
        assert has_all(text_of(pilot), ["Theirs", "Their decision", "new branch"]) == []
        await press(pilot, "1")
        assert on_top(pilot, DraftScreen)  # It holds what was not seen here yet.
        assert "The new head holds more" in text_of(pilot)
        assert [e.text for e in it.state.of("decisions", carried=True)][:1] == ["Their decision"]
        await press(pilot, "escape", "w")
        made = it.services.checkpoints.of_space(it.told.space.id)[0]
        body = it.services.checkpoints.get(made.id).body
        assert body.parents == (theirs,)
        assert {each.text for each in body.decisions} > {"A job", "Their decision"}


async def test_it_goes_beside_a_moved_head_and_into_a_merge(tmp_path: Path) -> None:
    async with drafting(tmp_path, PLAIN) as it:
        save_beside(it)
        await press(it.pilot, "w", "3")
        assert isinstance(it.pilot.app.screen, CompareScreen)
        made = it.services.checkpoints.of_space(it.told.space.id)[0]
        assert made.branch_name == "main-beside"


async def test_on_a_mounted_line_a_branch_is_named_first(tmp_path: Path) -> None:
    async with drafting(tmp_path, PLAIN, keys=()) as it:
        save_beside(it)
        it.services.sessions.mount(it.told.session.id, it.told.checkpoint.id)
        await send(it.services, it.told.session.id, JOB)
        await settle(it.pilot)
        it.model.replies = [reply(decisions=[item("A job", JOB, 9)])]
        text = await press(it.pilot, "f2")
        assert has_all(text, ["new branch", "w asks for a name"]) == []
        await press(it.pilot, "w", *"jobs", "ctrl+s")
        made = it.services.checkpoints.of_space(it.told.space.id)[0]
        assert made.branch_name == "jobs"
        assert "Saved" in notes(it.pilot)


async def test_a_draft_that_was_saved_and_not_forgotten_is_not_saved_again(tmp_path: Path) -> None:
    async with drafting(tmp_path, PLAIN) as it:
        kept, thing = dump(it.state), it.screen.place.thing
        await press(it.pilot, "w")
        UnsentService(it.services.caller).keep(thing, kept)
        text = await press(it.pilot, "f2")
        assert "The draft of before is saved" in text
        assert it.state.of("decisions") == ()


async def test_quitting_asks_while_a_draft_is_not_saved(tmp_path: Path) -> None:
    async with drafting(tmp_path, PLAIN) as it:
        pilot = it.pilot
        text = await press(pilot, "ctrl+q")
        assert has_all(text, ["A draft is not saved. Quit?", "f2 opens it again"]) == []
        await press(pilot, "escape", "escape")
        assert on_top(pilot, WorkspaceScreen)
        await press(pilot, "ctrl+q")
        assert on_top(pilot, ConfirmDialog)
        await press(pilot, "escape", "f2", "w")
        assert not desk(pilot).drafting.unsaved
