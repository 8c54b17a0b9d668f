"""Taking an item out of a form: with a reason it stands as retired; what rested on it is told."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.ids import CheckpointId, SpaceId
from smriti_tui.domain.model import Artifact, Checkpoint, Item, Task
from smriti_tui.domain.render.brief import brief
from smriti_tui.screens.checkpoint_form import CheckpointForm
from smriti_tui.screens.dialogs.retire import RetireDialog
from smriti_tui.screens.form_loading import FormPlace
from smriti_tui.services import Services
from smriti_tui.widgets.artifact_list import ArtifactList
from smriti_tui.widgets.item_editor import ItemEditor, ItemRows
from smriti_tui.widgets.notice_bar import NoticeBar
from tests.ui.house import House, desk, on_top, settle
from tests.ui.screens_host import has_all, is_grid, press, text_of

ARTIFACT = "00000000-0000-4000-8000-000000000007"
HEAD = CheckpointInput(
    "Head",
    assumptions=(Item("a-one", "One writer"), Item("a-small", "At most 2 M documents")),
    decisions=(
        Item("d-fts", "Use FTS5", rests_on=("a-small",)),
        Item("d-job", "A job", rests_on=("d-fts", ARTIFACT)),
    ),
    tasks=(Task("t-load", "Load test", id="load-1", rests_on=("d-job",)),),
    artifacts=(Artifact(ARTIFACT, "csv", "bench.csv", "1"),),
)


def told(house: House) -> tuple[SpaceId, CheckpointId]:
    """A head and a branch on which something else rests on the same."""
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create("search").id
        head = services.checkpoints.create(space, HEAD).checkpoint.id
        other = replace(HEAD, decisions=(Item("d-x", "Tantivy", rests_on=("a-small",)),), tasks=())
        services.checkpoints.create_on_new_branch(space, other, branch="explore", start=head)
        services.claims.take(space, "the test", task_id="load-1")
    return space, head


async def opened_form(
    pilot: Pilot[int], services: Services, space: SpaceId
) -> tuple[CheckpointForm, list[Checkpoint | None]]:
    results: list[Checkpoint | None] = []
    form = CheckpointForm(services, FormPlace(space, "search", None))
    pilot.app.push_screen(form, results.append)
    await settle(pilot)
    return form, results


def rows(form: CheckpointForm, kind: str) -> ItemRows:
    return form.query_one(f"#items-{kind}", ItemEditor).query_one(ItemRows)


def bar(form: CheckpointForm) -> str:
    return form.query_one(NoticeBar).words


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_an_assumption_that_is_false_stands_as_retired(
    house: House, size: tuple[int, int]
) -> None:
    space, head = told(house)
    async with house.app(size) as pilot:
        services = desk(pilot).services
        form, results = await opened_form(pilot, services, space)
        rows(form, "assumptions").focus()
        text = await press(pilot, "G", "D")
        assert on_top(pilot, RetireDialog)
        assert (
            has_all(text, ["Take A2 out", "At most 2 M documents", "D1 Use FTS5, D2 A job"]) == []
        )
        assert is_grid(pilot)
        text = await press(pilot, *"false: 40 M", "enter")
        assert bar(form) == (
            "On A2 At most 2 M documents rests: D1 Use FTS5, D2 A job, T1 Load test here; "
            "D1 on explore; 1 claim of ada."
        )
        assert (
            has_all(
                text,
                [
                    "retired",
                    "false: 40 M",
                    "Leaves nothing of",
                    "Retires with a reason: 1 assumption.",
                ],
            )
            == []
        )
        assert is_grid(pilot)
        form.query_one("#title", Input).value = "New"
        await press(pilot, "ctrl+s")
        made = results[0]
        assert made is not None
        assert made.body.parents == (head,)
        gone = made.body.assumptions[1]
        assert (gone.uid, gone.state) == ("a-small", "retired")
        assert (gone.reason, gone.retired_by) == ("false: 40 M", "ada")
        assert "A2 At most 2 M documents (retired by ada: false: 40 M)" in brief(made, "search", ())
        form, _ = await opened_form(pilot, services, space)
        assert [item.uid for item in form.state().assumptions] == ["a-one"]


async def test_without_a_reason_it_is_left_out_and_undo_brings_either_back(house: House) -> None:
    space, _ = told(house)
    async with house.app() as pilot:
        form, _results = await opened_form(pilot, desk(pilot).services, space)
        start = form.state().assumptions
        rows(form, "assumptions").focus()
        await press(pilot, "G", "D", "escape")
        assert form.state().assumptions == start
        assert bar(form) == ""
        text = await press(pilot, "D", "enter")
        assert form.state().assumptions == start[:1]
        assert has_all(text, ["1 assumption (retired by leaving out)"]) == []
        assert bar(form).startswith("On A2 At most 2 M documents rests: D1")
        await press(pilot, "z")
        assert form.state().assumptions == start
        assert bar(form) == ""
        await press(pilot, "G", "D", *"no", "enter")
        assert form.state().assumptions[1].state == "retired"
        await press(pilot, "<", "z")
        assert [item.uid for item in form.state().assumptions] == ["a-small", "a-one"]
        assert {item.state for item in form.state().assumptions} == {"live"}
        assert bar(form) == ""


async def test_a_reason_survives_leaving_and_can_be_changed(house: House) -> None:
    space, _ = told(house)
    async with house.app() as pilot:
        services = desk(pilot).services
        form, _ = await opened_form(pilot, services, space)
        rows(form, "decisions").focus()
        await press(pilot, "g", "D", *"old", "enter")
        await press(pilot, "escape", "escape")
        form, _ = await opened_form(pilot, services, space)
        assert form.state().decisions[0].reason == "old"
        rows(form, "decisions").focus()
        await press(pilot, "g", "D")
        assert pilot.app.screen.query_one("#reason", Input).value == "old"
        await press(pilot, *"new", "enter")
        assert form.state().decisions[0].reason == "new"
        await press(pilot, "D")
        pilot.app.screen.query_one("#reason", Input).value = ""
        await press(pilot, "enter")
        assert [item.uid for item in form.state().decisions] == ["d-job"]


async def test_new_items_go_unasked_and_artifacts_tell_what_rests_on_them(house: House) -> None:
    space, _ = told(house)
    async with house.app() as pilot:
        form, _ = await opened_form(pilot, desk(pilot).services, space)
        line = form.query_one("#items-open_questions", ItemEditor)
        line.write_new()
        await press(pilot, *"why", "enter")
        rows(form, "open_questions").focus()
        await press(pilot, "g", "D")
        assert not on_top(pilot, RetireDialog)
        assert form.state().open_questions == ()
        assert bar(form) == ""
        form.query_one(ArtifactList).query_one(ItemRows).focus()
        await press(pilot, "g", "D")
        assert bar(form) == "On bench.csv rests: D2 A job, T1 Load test here; 1 claim of ada."
        await press(pilot, "z")
        assert bar(form) == ""
        assert "bench.csv" in text_of(pilot)
