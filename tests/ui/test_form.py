"""A checkpoint written by hand: what is saved, what is left out aloud, and what survives."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from smriti_tui.domain.form import FormState, dump, load
from smriti_tui.domain.model import Checkpoint
from smriti_tui.screens.checkpoint_form import CheckpointForm
from smriti_tui.screens.compare import CompareScreen
from smriti_tui.screens.dialogs.artifact import ArtifactDialog
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.form_loading import FormPlace
from smriti_tui.services import Services
from smriti_tui.services.unsent import UnsentService
from smriti_tui.widgets.item_editor import ItemEditor
from smriti_tui.widgets.row_list import RowList
from tests.support import content, send
from tests.ui.house import House, desk, settle, until
from tests.ui.screens_host import HOSTILE, SIZES, Story, has_all, is_grid, press, running, text_of


async def opened_form(
    pilot: Pilot[int], services: Services, told: Story
) -> tuple[CheckpointForm, list[Checkpoint | None]]:
    """The form of the story's session, ready for typing."""
    results: list[Checkpoint | None] = []
    form = CheckpointForm(services, FormPlace(told.space.id, told.space.name, told.session.id))
    pilot.app.push_screen(form, results.append)
    await settle(pilot)
    return form, results


def editor(form: CheckpointForm, kind: str) -> ItemEditor:
    return form.query_one(f"#items-{kind}", ItemEditor)


def saved_one(results: list[Checkpoint | None]) -> Checkpoint:
    assert len(results) == 1
    assert results[0] is not None
    return results[0]


@pytest.mark.parametrize("size", SIZES)
async def test_it_opens_with_everything_carried_over(house: House, size: tuple[int, int]) -> None:
    async with running(house, size) as (app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        assert isinstance(app.focused, Input)
        assert app.focused.id == "title"
        text = text_of(pilot)
        assert has_all(text, ["NEW CHECKPOINT", "[all]", "Leaves nothing of", "Title"]) == []
        assert is_grid(pilot)
        await press(pilot, "N", "ctrl+s")
        made = saved_one(results).body
        head = told.checkpoint.body
        assert made.title == "N"
        assert made.decisions == head.decisions
        assert made.tasks == head.tasks
        assert (made.entities, made.artifacts) == (head.entities, head.artifacts)
        assert made.parents == (told.checkpoint.id,)
        assert made.source is not None
        assert (made.source.first, made.source.last) == (5, 8)
        assert form is not app.screen


async def test_what_it_leaves_out_is_counted_aloud(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        _form, results = await opened_form(pilot, services, told)
        text = await press(pilot, "N", "shift+tab", "space")
        out = f"Leaves out of {told.checkpoint.id[:7]}: 2 decisions, 1 task, 1 artifact"
        assert has_all(text, ["[none]", out, "(retired by leaving out)"]) == []
        text = await press(pilot, "space")
        assert "Leaves nothing" in text
        await press(pilot, "space", "ctrl+s")
        made = saved_one(results).body
        assert (made.decisions, made.tasks, made.artifacts) == ((), (), ())


async def test_items_are_written_edited_moved_and_taken_out(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        decisions = editor(form, "decisions")
        decisions.query_one(TextArea).focus()
        await press(pilot, *"first", "ctrl+j", *"line", "enter", *"C", "enter", *"open end")
        old = told.checkpoint.body.decisions
        texts = [item.text for item in decisions.items]
        assert texts == [old[0].text, old[1].text, "first\nline", "C"]
        decisions.query_one(RowList).focus()
        await press(pilot, "g", "D", "enter")
        assert f"Leaves out of {told.checkpoint.id[:7]}: 1 decision " in text_of(pilot)
        await press(pilot, "z")
        assert "Leaves nothing" in text_of(pilot)
        await press(pilot, "G", "<", "g", "e")
        await press(pilot, "end", "!", "enter")
        form.query_one("#title", Input).value = "T"
        await press(pilot, "ctrl+s")
        made = saved_one(results).body.decisions
        assert [item.text for item in made] == [
            f"{old[0].text}!", old[1].text, "C", "first\nline", "open end",
        ]  # fmt: skip
        assert [item.uid for item in made[:2]] == [item.uid for item in old]


async def test_a_task_is_done_and_gets_an_intent(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        editor(form, "tasks").query_one(RowList).focus()
        await press(pilot, "g", "space", "t")
        form.query_one("#title", Input).value = "T"
        await press(pilot, "ctrl+s")
        first = saved_one(results).body.tasks[0]
        assert (first.text, first.status, first.intent_hint) == ("Load test", "done", None)


async def test_faults_stand_at_their_field(house: House) -> None:
    async with running(house, (80, 24)) as (app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        form.query_one("#summary").focus()
        text = await press(pilot, "ctrl+s")
        assert "! The checkpoint has no title. Type one." in text
        assert app.focused is form.query_one("#title")
        form.query_one("#title", Input).value = "x" * 301
        text = await press(pilot, "ctrl+s")
        assert "! The title must be one line of at most 300 characters." in text
        assert results == []
        form.query_one("#title", Input).value = "x"
        await press(pilot, "ctrl+s")
        assert saved_one(results).title == "x"


async def test_leaving_keeps_everything(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        await press(pilot, *"Half")
        editor(form, "assumptions").query_one(TextArea).focus()
        await press(pilot, *"not yet", "ctrl+j", *"added")
        await press(pilot, "escape")
        assert results == [None]
        again, _ = await opened_form(pilot, services, told)
        assert "Kept from before." in text_of(pilot)
        assert again.state().title == "Half"
        assert editor(again, "assumptions").pending == "not yet\nadded"
        await press(pilot, "escape", "ctrl+s")
        found = services.checkpoints.of_space(told.space.id)[0]
        body = services.checkpoints.get(found.id).body
        assert [item.text for item in body.assumptions] == ["not yet\nadded"]
        third, _ = await opened_form(pilot, services, told)
        assert third.state().title == ""


async def test_quitting_keeps_the_last_moment(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        await opened_form(pilot, services, told)
        await pilot.press(*"Half")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    with closing(house.open("cli")) as opened:
        held = UnsentService(opened.services.caller).take(f"form/{told.session.id}")
        kept = load(held.text)
        assert kept is not None
        assert kept.title == "Half"


async def test_a_form_that_nobody_touched_is_not_kept(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        await opened_form(pilot, services, told)
        await press(pilot, "x", "backspace", "escape")
        held = UnsentService(services.caller).take(f"form/{told.session.id}")
        assert held.text == ""


WRITER = """
import sys, time
from pathlib import Path
from tests.support import opened_services
from smriti_tui.services.unsent import UnsentService
with opened_services(Path(sys.argv[1])) as services:
    UnsentService(services.caller).keep(sys.argv[2], sys.argv[3])
    print("kept", flush=True)
    time.sleep(60)
"""


def another_process(house: House, thing: str, text: str) -> subprocess.Popen[str]:
    """A process that holds unsent text until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(house.folder), thing, text],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "kept\n"
    return process


async def test_a_killed_process_leaves_its_form_and_a_live_one_is_announced(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        thing = f"form/{told.session.id}"
        text = dump(FormState(title="From the dead", head=told.checkpoint.id, last=8))
        process = another_process(house, thing, text)
        try:
            form, _ = await opened_form(pilot, services, told)
            assert f"(pid {process.pid} on" in text_of(pilot)
            assert form.state().title == ""
            await press(pilot, "escape", "escape")
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        form, _ = await opened_form(pilot, services, told)
        assert "Taken over from a process that ended." in text_of(pilot)
        assert form.state().title == "From the dead"
        assert UnsentService(services.caller).take(thing).adopted is False


def save_beside(house: House, told: Story) -> str:
    """What another writer does meanwhile; the new head's id."""
    with closing(house.open("cli", "codex")) as other:
        given = content("By codex", "Their decision")
        return other.services.checkpoints.create(told.space.id, given, carry_all=True).checkpoint.id


async def test_a_stale_head_keeps_all_and_saves_on_top(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        await press(pilot, *"Mine")
        theirs = save_beside(house, told)
        text = await press(pilot, "ctrl+s")
        assert isinstance(app.screen, ChoiceDialog)
        assert has_all(text, ["The head has moved", f"On top of {theirs[:7]}"]) == []
        await press(pilot, "escape")
        assert app.screen_stack[-1] is form
        assert form.state().title == "Mine"
        await press(pilot, "ctrl+s", "1")
        await until(pilot, lambda: bool(results))
        made = saved_one(results).body
        assert made.parents == (theirs,)
        assert "Their decision" in [item.text for item in made.decisions]


async def test_a_head_that_moves_is_told_at_once_with_what_came(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        await press(pilot, *"Mine")
        theirs = save_beside(house, told)
        await until(pilot, lambda: "HEAD moved" in text_of(pilot))
        text = text_of(pilot)
        wanted = [f"saved {theirs[:7]}", "on main.", "+ decision: Their decision", "ctrl+s asks"]
        assert has_all(text, wanted) == []
        assert form.state().title == "Mine"
        uids = [item.uid for item in form.state().decisions]
        await press(pilot, "escape", "ctrl+s")
        assert has_all(text_of(pilot), ["+ decision: Their decision", "merge the two"]) == []
        await press(pilot, "1")
        await until(pilot, lambda: bool(results))
        made = saved_one(results).body
        assert [item.uid for item in made.decisions][: len(uids)] == uids


async def test_a_stale_head_can_be_merged_with_what_is_typed(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        desk(pilot).making.checkpoint()
        await settle(pilot)
        await press(pilot, *"Mine")
        theirs = save_beside(house, told)
        await press(pilot, "ctrl+s", "3")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        await settle(pilot)
        mine = services.spaces.branch(told.space.id, "main-beside").head
        assert mine is not None
        assert services.checkpoints.get(mine).body.parents == (told.checkpoint.id,)
        assert services.spaces.branch(told.space.id, "main").head == theirs
        assert has_all(text_of(pilot), ["MERGE", mine[:7]]) == []


async def test_on_top_without_carrying_says_what_more_it_leaves_out(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        await press(pilot, *"Mine", "shift+tab", "space")
        theirs = save_beside(house, told)
        text = await press(pilot, "ctrl+s", "1")
        assert results == []
        out = f"Leaves out of {theirs[:7]}: 3 decisions, 1 task"
        assert has_all(text, ["The new head holds more than this form.", out]) == []
        assert form.state().head == theirs
        await press(pilot, "ctrl+s")
        assert saved_one(results).body.parents == (theirs,)


async def test_a_stale_head_on_a_new_branch(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        _form, results = await opened_form(pilot, services, told)
        await press(pilot, *"Mine")
        theirs = save_beside(house, told)
        text = await press(pilot, "ctrl+s", "2")
        assert has_all(text, ["! Name the new branch, then save."]) == []
        assert isinstance(app.focused, Input)
        assert app.focused.id == "branch"
        text = await press(pilot, *"main", "ctrl+s")
        assert "! There is a branch 'main' already." in text
        await press(pilot, "x", "ctrl+s")
        made = saved_one(results)
        assert made.branch_name == "mainx"
        assert made.body.parents == (told.checkpoint.id,)
        heads = {branch.name: branch.head for branch in services.spaces.branches(told.space.id)}
        assert heads == {"main": theirs, "mainx": made.id}


async def test_a_mounted_line_asks_for_a_branch_name(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        save_beside(house, told)
        services.sessions.mount(told.session.id, told.checkpoint.id)
        await send(services, told.session.id, "On the mounted line")
        _form, results = await opened_form(pilot, services, told)
        assert isinstance(app.focused, Input)
        assert app.focused.id == "branch"
        assert f"on a new branch from {told.checkpoint.id[:7]}" in text_of(pilot)
        await press(pilot, "tab", "N")
        text = await press(pilot, "ctrl+s")
        assert "! A new branch needs a name." in text
        await press(pilot, *"side", "ctrl+s")
        made = saved_one(results)
        assert (made.branch_name, made.body.parents) == ("side", (told.checkpoint.id,))
        assert made.body.source is not None
        assert (made.body.source.first, made.body.source.last) == (9, 10)


async def test_turns_that_came_while_it_was_open_are_not_its_source(house: House) -> None:
    async with running(house) as (_app, pilot, services, told):
        _form, results = await opened_form(pilot, services, told)
        await send(services, told.session.id, "Later")
        await press(pilot, "N", "ctrl+s")
        source = saved_one(results).body.source
        assert source is not None
        assert source.last == 8


async def test_artifacts_and_hostile_text(house: House) -> None:
    async with running(house) as (app, pilot, services, told):
        form, results = await opened_form(pilot, services, told)
        form.query_one("#artifacts").query_one(RowList).focus()
        await press(pilot, "n")
        assert isinstance(app.screen, ArtifactDialog)
        await press(pilot, *"notes", "tab", "tab", *"text", "ctrl+s")
        summary = form.query_one("#summary", TextArea)
        summary.load_text(HOSTILE)
        form.query_one("#title", Input).value = HOSTILE
        await settle(pilot)
        assert is_grid(pilot)
        assert "\x1b" not in text_of(pilot)
        form.query_one("#title", Input).value = "[/x]"
        await press(pilot, "ctrl+s")
        made = saved_one(results).body
        assert made.summary == HOSTILE
        assert [a.label for a in made.artifacts] == ["bench.csv", "notes"]


def test_a_form_as_text_comes_back_whole() -> None:
    state = FormState(title=HOSTILE, pending={"decisions": "a\nb"}, carry=False, last=3)
    assert load(dump(state)) == state
    assert load("[]") is None
    assert load("{") is None
    assert load('{"title": 3}') is None
